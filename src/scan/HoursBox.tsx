import { InputNumber } from 'antd';
import { useTyped } from '@/table/useTyped';

interface HoursBoxProps {
  /** Planned hours. */
  value: number;
  onChange: (hours: number) => void;
}

/** How long every row is assumed to be held. */
export function HoursBox({ value, onChange }: HoursBoxProps) {
  const [typed, type] = useTyped<number | null>(value, (hours) => hours !== null && onChange(hours));
  return (
    <InputNumber
      min={1}
      max={8760}
      precision={0}
      controls={false}
      prefix="计划持有"
      suffix="小时"
      aria-label="计划持有（小时）"
      style={{ width: 168 }}
      value={typed}
      onChange={type}
    />
  );
}
