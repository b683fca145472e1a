import { CalendarOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { market } from '#contract/market';
import { formatDateTime } from '@/components/DateTime';
import { useCall } from '@/services/useCall';
import type { BacktestValues } from './backtestValues';
import styles from './index.module.css';

// The calendar weighs as much as the rest of the form; most runs take a preset.
const DayRange = lazy(() => import('@/components/DayRange'));

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

/** The window of the backtest: a preset counted back from the source's newest candle, or two days. */
export function PeriodField({ source, id, value = { start: null, end: null }, onChange }: PeriodFieldProps) {
  const [picking, setPicking] = useState(false);
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
  const shown = (
    <Button icon={<CalendarOutlined />} aria-label="自选起止日期" onClick={() => setPicking(true)}>
      {start === null ? '最早' : formatDateTime(start, 'day', true)} →{' '}
      {end === null ? '最新' : formatDateTime(end - 1, 'day', true)}
    </Button>
  );
  return (
    <div className={styles.period}>
      <Segmented
        className={styles.presets}
        aria-label="区间预设"
        options={PRESETS.map((option) => ({ ...option, disabled: option.value !== ALL && newest === null }))}
        value={preset}
        onChange={choose}
      />
      {picking ? (
        <Suspense fallback={shown}>
          <DayRange
            id={id}
            utc
            start={start}
            end={end === null ? null : end - 1}
            onChange={(days) => onChange?.({ ...days, end: days.end === null ? null : days.end + 1 })}
          />
        </Suspense>
      ) : (
        shown
      )}
    </div>
  );
}
