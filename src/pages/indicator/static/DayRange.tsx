import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { StatisticState } from './statisticQuery';

interface DayRangeProps {
  range: Pick<StatisticState, 'start' | 'end'>;
  onChange: (range: Pick<StatisticState, 'start' | 'end'>) => void;
}

/** The UTC day of an instant as the calendar shows it. */
const dayOf = (instant: number | null) =>
  instant === null ? null : dayjs(new Date(instant).toISOString().slice(0, 10));
const instantOf = (day: Dayjs | null | undefined) => (day ? Date.UTC(day.year(), day.month(), day.date()) : null);

/** Two UTC days, either of them open. */
export default function DayRange({ range: { start, end }, onChange }: DayRangeProps) {
  return (
    <DatePicker.RangePicker
      aria-label="起止日期"
      allowEmpty={[true, true]}
      placeholder={['最早', '最新']}
      value={[dayOf(start), dayOf(end)]}
      onChange={(range) => onChange({ start: instantOf(range?.[0]), end: instantOf(range?.[1]) })}
    />
  );
}
