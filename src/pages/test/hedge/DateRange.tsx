import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { BacktestValues } from './backtestValues';

const DAY_MS = 86_400_000;

type Period = BacktestValues['period'];

interface DateRangeProps {
  id?: string;
  value: Period;
  onChange: (period: Period) => void;
}

/** The UTC day of an instant as the calendar shows it; an end at 00:00 is the end of the day before. */
const dayOf = (instant: number | null) =>
  instant === null ? null : dayjs(new Date(instant).toISOString().slice(0, 10));
const instantOf = (day: Dayjs) => Date.UTC(day.year(), day.month(), day.date());

/** Two UTC days, either of them open. */
export default function DateRange({ id, value: { start, end }, onChange }: DateRangeProps) {
  const pick = (range: [Dayjs | null, Dayjs | null] | null) => {
    const [from, to] = range ?? [null, null];
    onChange({ start: from ? instantOf(from) : null, end: to ? instantOf(to) + DAY_MS : null, days: 0 });
  };
  return (
    <DatePicker.RangePicker
      id={id}
      aria-label="起止日期"
      allowEmpty={[true, true]}
      placeholder={['最早', '最新']}
      value={[dayOf(start), dayOf(end === null ? null : end - 1)]}
      onChange={pick}
    />
  );
}
