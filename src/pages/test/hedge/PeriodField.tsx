import { CalendarOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { Suspense, useState } from 'react';
import { BACKTEST_DAYS } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { late } from '@/components/late';
import type { BacktestValues } from './backtestValues';
import styles from './index.module.css';

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
export function PeriodField({ id, value = DEFAULT_PERIOD, onChange }: PeriodFieldProps) {
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
