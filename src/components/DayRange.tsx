import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { formatDateTime } from './DateTime';
import { instantShown } from './timeZone';

interface DayRangeProps {
  id?: string;
  /** UTC ms: the first instant of the first day, and the last one of the last. */
  start: number | null;
  end: number | null;
  onChange: (range: { start: number | null; end: number | null }) => void;
  /** Days of UTC instead of those of the reader's time zone. */
  utc?: boolean;
}

/** The calendar shows days of the browser: one of another zone is shown by its date. */
const dayOf = (instant: number | null, utc: boolean) =>
  instant === null ? null : dayjs(formatDateTime(instant, 'day', utc));

/** The first instant of the day that is so many days later. */
function firstOf(day: Dayjs, utc: boolean, later = 0): number {
  const shown = Date.UTC(day.year(), day.month(), day.date() + later);
  return utc ? shown : instantShown(shown);
}
const lastOf = (day: Dayjs, utc: boolean): number => firstOf(day, utc, 1) - 1;

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
