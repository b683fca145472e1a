import { SwapOutlined } from '@ant-design/icons';
import { Button, Card, Form, type FormInstance, Select, Switch, Tooltip } from 'antd';
import { BARS } from '#contract/candle';
import { BASKET_SIZE } from '#contract/pair';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import type { BacktestValues } from './backtestValues';
import { fieldRules } from './fieldRules';
import styles from './index.module.css';
import { MoneyFields } from './MoneyFields';
import { PeriodField } from './PeriodField';
import { RunButtons } from './RunButtons';

interface BacktestFormProps {
  form: FormInstance<BacktestValues>;
  initial: BacktestValues;
  running: boolean;
  onSubmit: (values: BacktestValues) => void;
  onCancel: () => void;
}

const BAR_LABEL = { '1d': '日线', '4h': '4 小时', '1h': '1 小时' } as const;
const BAR_OPTIONS = [
  { value: '', label: '自动（最粗的共同周期）' },
  ...BARS.map((bar) => ({ value: bar as string, label: BAR_LABEL[bar] })),
];

/** All inputs of a backtest, with units; the rules are the contract's. */
export function BacktestForm({ form, initial, running, onSubmit, onCancel }: BacktestFormProps) {
  const source = Form.useWatch('source', form) ?? initial.source;
  const long = Form.useWatch('long', form) ?? initial.long;
  const short = Form.useWatch('short', form) ?? initial.short;
  const swap = () => form.setFieldsValue({ long: short, short: long });
  return (
    <Card size="small" title="回测参数">
      <Form form={form} layout="vertical" initialValues={initial} onFinish={onSubmit} requiredMark={false}>
        <div className={styles.sides}>
          <Form.Item name="source" label="数据源">
            <SourceSelect />
          </Form.Item>
          <Form.Item name="long" label="多头" rules={fieldRules.long}>
            <SymbolSelect multiple source={source} exclude={short} maxCount={BASKET_SIZE} aria-label="多头" />
          </Form.Item>
          <Tooltip title="交换多头与空头">
            <Button className={styles.swap} icon={<SwapOutlined />} onClick={swap} aria-label="交换多头与空头" />
          </Tooltip>
          <Form.Item name="short" label="空头" rules={fieldRules.short}>
            <SymbolSelect multiple source={source} exclude={long} maxCount={BASKET_SIZE} aria-label="空头" />
          </Form.Item>
        </div>
        <div className={styles.window}>
          <Form.Item name="period" label="区间（UTC 日期）">
            <PeriodField />
          </Form.Item>
          <Form.Item
            name="bar"
            label="周期"
            getValueProps={(bar: string | null) => ({ value: bar ?? '' })}
            normalize={(bar: string) => bar || null}
          >
            <Select options={BAR_OPTIONS} aria-label="周期" />
          </Form.Item>
        </div>
        <div className={styles.numbers}>
          <MoneyFields />
          <Form.Item name="funding" label="计入资金费" valuePropName="checked">
            <Switch aria-label="计入资金费" />
          </Form.Item>
        </div>
        <RunButtons running={running} onCancel={onCancel} />
      </Form>
    </Card>
  );
}
