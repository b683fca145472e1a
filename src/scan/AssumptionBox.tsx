import { InputNumber } from 'antd';
import { useTyped } from '@/table/useTyped';

interface AssumptionBoxProps {
  label: string;
  prefix?: string;
  suffix: string;
  least: number;
  most: number;
  /** px. */
  width: number;
  value: number;
  onChange: (value: number) => void;
}

/** A whole number that every row is worked out with; an empty box changes nothing. */
export function AssumptionBox({ label, prefix, suffix, least, most, width, value, onChange }: AssumptionBoxProps) {
  const [typed, type] = useTyped<number | null>(value, (next) => next !== null && onChange(next));
  return (
    <InputNumber
      min={least}
      max={most}
      precision={0}
      controls={false}
      prefix={prefix}
      suffix={suffix}
      aria-label={`${label}（${suffix}）`}
      style={{ width }}
      value={typed}
      onChange={type}
    />
  );
}
