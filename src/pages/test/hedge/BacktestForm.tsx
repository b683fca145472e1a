import { SwapOutlined } from '@ant-design/icons';
import { ProForm } from '@ant-design/pro-components';
import { Button, Card, type FormInstance, Select, Tooltip } from 'antd';
import type { BacktestResult } from '#contract/backtest';
import { BARS } from '#contract/candle';
import { BASKET_SIZE } from '#contract/pair';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import { Field } from '@/form/Field';
import { SchemaField } from '@/form/SchemaFields';
import type { BacktestValues } from './backtestValues';
import { costsForm } from './costsForm';
import styles from './index.module.css';
import { PeriodField } from './PeriodField';
import { RunButtons } from './RunButtons';

interface BacktestFormProps {
  form: FormInstance<BacktestValues>;
  initial: BacktestValues;
  running: boolean;
  /** The newest run. */
  result: BacktestResult | undefined;
  onSubmit: (values: BacktestValues) => void;
  onCancel: () => void;
}

const BAR_LABEL = { '1d': '日线', '4h': '4 小时', '1h': '1 小时' } as const;
const BAR_OPTIONS = [
  { value: '', label: '自动（最粗的共同周期）' },
  ...BARS.map((bar) => ({ value: bar as string, label: BAR_LABEL[bar] })),
];

/** antd counts an empty list as present unless it is told that the value is a list. */
const basketRules = (label: string) => [
  { required: true, type: 'array' as const, message: `请输入${label}` },
  { type: 'array' as const, max: BASKET_SIZE, message: `${label}最多 ${BASKET_SIZE} 个币种` },
];

/** All inputs of a backtest, with units; the rules are the contract's. */
export function BacktestForm({ form, initial, running, result, onSubmit, onCancel }: BacktestFormProps) {
  const source = ProForm.useWatch('source', form) ?? initial.source;
  const long = ProForm.useWatch('long', form) ?? initial.long;
  const short = ProForm.useWatch('short', form) ?? initial.short;
  const swap = () => form.setFieldsValue({ long: short, short: long });
  return (
    <Card size="small" title="回测参数">
      <ProForm
        form={form}
        initialValues={initial}
        onFinish={async (values) => onSubmit(values)}
        requiredMark={false}
        autoFocusFirstInput={false}
        omitNil={false}
        submitter={false}
      >
        <div className={styles.sides}>
          <Field name="source" label="数据源">
            <SourceSelect />
          </Field>
          <Field name="long" label="多头" rules={basketRules('多头')}>
            <SymbolSelect multiple source={source} exclude={short} maxCount={BASKET_SIZE} aria-label="多头" />
          </Field>
          <Tooltip title="交换多头与空头">
            <Button className={styles.swap} icon={<SwapOutlined />} onClick={swap} aria-label="交换多头与空头" />
          </Tooltip>
          <Field name="short" label="空头" rules={basketRules('空头')}>
            <SymbolSelect multiple source={source} exclude={long} maxCount={BASKET_SIZE} aria-label="空头" />
          </Field>
        </div>
        <div className={styles.window}>
          <Field name="period" label="区间（UTC 日期）">
            <PeriodField />
          </Field>
          <Field
            name="bar"
            label="周期"
            getValueProps={(bar: string | null) => ({ value: bar ?? '' })}
            normalize={(bar: string) => bar || null}
          >
            <Select options={BAR_OPTIONS} aria-label="周期" />
          </Field>
        </div>
        <div className={styles.numbers}>
          {costsForm.names.map((name) => (
            <SchemaField key={name} form={costsForm} name={name} />
          ))}
        </div>
        <RunButtons running={running} result={result} onCancel={onCancel} />
      </ProForm>
    </Card>
  );
}
