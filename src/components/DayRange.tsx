import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface DayRangeProps {
  /** UTC ms: local midnight of the first day, and the last instant of the last. */
  start: number | null;
  end: number | null;
  onChange: (range: { start: number | null; end: number | null }) => void;
}

const dayOf = (instant: number | null) => (instant === null ? null : dayjs(instant));

/** Two local days, either of them open. */
export default function DayRange({ start, end, onChange }: DayRangeProps) {
  return (
    <DatePicker.RangePicker
      aria-label="起止日期"
      allowEmpty={[true, true]}
      placeholder={['最早', '最新']}
      value={[dayOf(start), dayOf(end)]}
      onChange={(range) =>
        onChange({
          start: range?.[0]?.startOf('day').valueOf() ?? null,
          end: range?.[1]?.endOf('day').valueOf() ?? null,
        })
      }
    />
  );
}
