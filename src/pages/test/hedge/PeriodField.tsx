import { DatePicker, Segmented } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';
import type { BacktestValues } from './backtestValues';
import styles from './index.module.css';

const DAY_MS = 86_400_000;
const PRESET_DAYS = [30, 90, 180, 365] as const;
const ALL = 'all';
const CUSTOM = 'custom';
const PRESETS = [
  { value: ALL, label: '全部' },
  ...PRESET_DAYS.map((days) => ({ value: String(days), label: `近 ${days} 天` })),
];

type Period = BacktestValues['period'];

interface PeriodFieldProps {
  source: string;
  id?: string;
  value?: Period;
  onChange?: (period: Period) => void;
}

/** The UTC day of an instant as the calendar shows it; an end at 00:00 is the end of the day before. */
const dayOf = (instant: number | null) =>
  instant === null ? null : dayjs(new Date(instant).toISOString().slice(0, 10));
const instantOf = (day: Dayjs) => Date.UTC(day.year(), day.month(), day.date());

/** The window of the backtest: a preset counted back from the source's newest candle, or two days. */
export function PeriodField({ source, id, value = { start: null, end: null }, onChange }: PeriodFieldProps) {
  const { data } = useCall(market.source, {});
  const lastAt = data?.list.find((row) => row.source === source)?.lastAt ?? null;
  const newest = lastAt === null ? null : Math.ceil((lastAt + 1) / DAY_MS) * DAY_MS;
  const { start, end } = value;
  const days = PRESET_DAYS.find(
    (count) => start !== null && end === newest && end !== null && end - start === count * DAY_MS,
  );
  const preset = start === null && end === null ? ALL : days === undefined ? CUSTOM : String(days);

  const choose = (chosen: string) => {
    if (chosen === ALL) onChange?.({ start: null, end: null });
    else if (newest !== null) onChange?.({ start: newest - Number(chosen) * DAY_MS, end: newest });
  };
  const pick = (range: [Dayjs | null, Dayjs | null] | null) => {
    const [from, to] = range ?? [null, null];
    onChange?.({ start: from ? instantOf(from) : null, end: to ? instantOf(to) + DAY_MS : null });
  };
  return (
    <div className={styles.period}>
      <Segmented
        className={styles.presets}
        aria-label="区间预设"
        options={PRESETS.map((option) => ({ ...option, disabled: option.value !== ALL && newest === null }))}
        value={preset}
        onChange={choose}
      />
      <DatePicker.RangePicker
        id={id}
        aria-label="起止日期"
        allowEmpty={[true, true]}
        placeholder={['最早', '最新']}
        value={[dayOf(start), dayOf(end === null ? null : end - 1)]}
        onChange={pick}
      />
    </div>
  );
}
