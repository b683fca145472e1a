import { InputNumber } from 'antd';
import { useTyped } from '@/table/useTyped';

interface AssumptionBoxProps {
  label: string;
  prefix?: string;
  suffix: string;
  least: number;
  most: number;
  /** Parts of the unit may be typed. */
  parts?: boolean;
  /** px. */
  width: number;
  value: number;
  onChange: (value: number) => void;
}

/** A number that every row is worked out with; an empty box changes nothing. */
export function AssumptionBox(props: AssumptionBoxProps) {
  const { label, prefix, suffix, least, most, parts = false, width, value, onChange } = props;
  const [typed, type] = useTyped<number | null>(value, (next) => next !== null && onChange(next));
  return (
    <InputNumber
      min={least}
      max={most}
      precision={parts ? undefined : 0}
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
