import { CalendarOutlined, SwapOutlined } from '@ant-design/icons';
import { ProForm } from '@ant-design/pro-components';
import { history } from '@umijs/max';
import { Button, Card, type FormInstance, Segmented, Select, Space, Tooltip } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { BACKTEST_DAYS, type BacktestResult } from '#contract/backtest';
import { BARS } from '#contract/candle';
import { BASKET_SIZE } from '#contract/pair';
import { formatDateTime } from '@/components/DateTime';
import { formatNumber } from '@/components/formatNumber';
import { late } from '@/components/late';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import { Field } from '@/form/Field';
import { SchemaField } from '@/form/SchemaField';
import type { BacktestValues } from './backtestValues';
import { costsForm } from './costsForm';
import { hasUtcDays } from './hasUtcDays';
import styles from './index.module.css';

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
    <Card size="small" title={<h1>中性回测</h1>}>
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

interface RunButtonsProps {
  running: boolean;
  onCancel: () => void;
  /** The newest run, whose pair may be traded. */
  result: BacktestResult | undefined;
}

/** Runs and cancels; the live button says why it cannot be used yet. */
function RunButtons({ running, onCancel, result }: RunButtonsProps) {
  const seconds = useSeconds(running);
  return (
    <Space wrap>
      <Button type="primary" htmlType="submit" loading={running}>
        {running ? `正在计算 ${seconds} 秒` : '运行回测'}
      </Button>
      {running && <Button onClick={onCancel}>取消</Button>}
      <UseInTrade result={result} />
    </Space>
  );
}

/** Whole seconds since `running` became true. */
function useSeconds(running: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return;
    setSeconds(0);
    const tick = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(tick);
  }, [running]);
  return seconds;
}

/** How a liquidated run ended, and what of it goes along. */
function ruinOf(result: BacktestResult, leverage: number): string {
  const { finalEquity } = result.summary;
  const at = formatDateTime(result.end, 'minute', hasUtcDays(result));
  const rest = finalEquity > 0 ? `只剩 ${formatNumber(finalEquity, { digits: 0 })} USDT` : '归零';
  return `这次回测在 ${at} 爆仓，权益${rest}。带过去的杠杆是 ${leverage} 倍、配比是等额；下一步会列出它们与对冲配置的差异。`;
}

/** Takes the pair, the leverage and the ratio to the hedges; there each side is one coin. */
function UseInTrade({ result }: { result: BacktestResult | undefined }) {
  const form = ProForm.useFormInstance<BacktestValues>();
  const long = ProForm.useWatch('long', form) ?? [];
  const short = ProForm.useWatch('short', form) ?? [];
  const complete = long.length > 0 && short.length > 0;
  const singles = long.length === 1 && short.length === 1;
  const why = complete ? '对冲的每一边只能是一个币种：下一步从篮子里各选一个' : '先选多头与空头';
  const go = () => {
    const { source, leverage } = form.getFieldsValue();
    const sides = { source, long: long.join(','), short: short.join(',') };
    // A run holds as much of one side as of the other.
    const carried = { leverage: String(leverage), ratio: 'equal' };
    history.push(`/strategy/hedge?${new URLSearchParams({ ...sides, ...carried })}`);
  };
  const ask = async () => {
    const isSame = String(result?.long) === String(long) && String(result?.short) === String(short);
    if (!result?.summary.liquidated || !isSame) return go();
    const { confirmAction } = await import('@/components/confirmAction');
    confirmAction({
      verb: '用于模拟对冲',
      subject: `多 ${long.join(' + ')} / 空 ${short.join(' + ')}`,
      consequence: ruinOf(result, form.getFieldValue('leverage')),
      run: async () => go(),
    });
  };
  return (
    <Tooltip title={singles ? undefined : why}>
      <Button disabled={!complete} onClick={() => void ask()}>
        用于模拟对冲
      </Button>
    </Tooltip>
  );
}

// The calendar weighs as much as the rest of the form; most runs take a preset.
const DayRange = late(() => import('@/components/DayRange'));

type Period = BacktestValues['period'];

const PRESET_DAYS = [30, BACKTEST_DAYS, 180, 365];
const ALL = 0;
/** No preset is pressed. */
const CUSTOM = -1;
const PRESETS = [
  { value: ALL, label: '全部' },
  ...PRESET_DAYS.map((days) => ({ value: days, label: `近 ${days} 天` })),
];
const DEFAULT_PERIOD: Period = { start: null, end: null, days: BACKTEST_DAYS };

const dayOf = (at: number | null, open: string) => (at === null ? open : formatDateTime(at, 'day', true));

interface PeriodFieldProps {
  id?: string;
  value?: Period;
  onChange?: (period: Period) => void;
}

/** The window of the backtest: a preset counted back from the last close that all coins have, or two days. */
function PeriodField({ id, value = DEFAULT_PERIOD, onChange }: PeriodFieldProps) {
  const [picking, setPicking] = useState(false);
  const { start, end, days } = value;
  const span = start === null && end === null ? '' : `${dayOf(start, '最早')} → ${dayOf(end && end - 1, '最新')}`;
  const shown = (
    <Button icon={<CalendarOutlined />} aria-label={`自选日期 ${span}`.trim()} onClick={() => setPicking(true)}>
      {span || '自选日期'}
    </Button>
  );
  return (
    <div className={styles.period}>
      <Segmented
        className={styles.presets}
        aria-label="区间预设"
        options={PRESETS}
        value={start === null && end === null ? days : CUSTOM}
        onChange={(chosen) => onChange?.({ start: null, end: null, days: chosen })}
      />
      {picking ? (
        <Suspense fallback={shown}>
          <DayRange
            id={id}
            utc
            start={start}
            end={end === null ? null : end - 1}
            onChange={(range) =>
              onChange?.({ start: range.start, end: range.end === null ? null : range.end + 1, days: 0 })
            }
          />
        </Suspense>
      ) : (
        shown
      )}
    </div>
  );
}
