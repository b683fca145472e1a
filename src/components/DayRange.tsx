import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { DAY_MS } from '#contract/duration';

interface DayRangeProps {
  id?: string;
  /** UTC ms: the first instant of the first day, and the last one of the last. */
  start: number | null;
  end: number | null;
  onChange: (range: { start: number | null; end: number | null }) => void;
  /** Days of UTC instead of local ones. */
  utc?: boolean;
}

/** The calendar shows local days: one of UTC is shown by its date. */
const dayOf = (instant: number | null, utc: boolean) =>
  instant === null ? null : dayjs(utc ? new Date(instant).toISOString().slice(0, 10) : instant);

const firstOf = (day: Dayjs, utc: boolean): number =>
  utc ? Date.UTC(day.year(), day.month(), day.date()) : day.startOf('day').valueOf();
const lastOf = (day: Dayjs, utc: boolean): number =>
  utc ? firstOf(day, utc) + DAY_MS - 1 : day.endOf('day').valueOf();

/** Two days, either of them open. */
export default function DayRange({ id, start, end, onChange, utc = false }: DayRangeProps) {
  return (
    <DatePicker.RangePicker
      id={id}
      aria-label="起止日期"
      allowEmpty={[true, true]}
      placeholder={['最早', '最新']}
      value={[dayOf(start, utc), dayOf(end, utc)]}
      onChange={(range) =>
        onChange({
          start: range?.[0] ? firstOf(range[0], utc) : null,
          end: range?.[1] ? lastOf(range[1], utc) : null,
        })
      }
    />
  );
}
