import { InputNumber } from 'antd';
import { useTyped } from './useTyped';

interface FilterBoundProps {
  label: string;
  prefix: string;
  suffix: string;
  /** What one of the typed unit is in the API's. */
  unit?: number;
  least?: number;
  /** Whole numbers of the typed unit only. */
  whole?: boolean;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** A figure that a filter begins or ends at, or none. */
export function FilterBound({
  label,
  prefix,
  suffix,
  unit = 1,
  least = 0,
  whole = false,
  value,
  onChange,
}: FilterBoundProps) {
  const [typed, type] = useTyped(value, onChange);
  // Twelve digits hide what a product of decimals adds.
  const shown = typed === null ? null : Number((typed / unit).toPrecision(12));
  return (
    <InputNumber
      min={least}
      max={1e9}
      precision={whole ? 0 : undefined}
      controls={false}
      prefix={prefix}
      suffix={suffix}
      aria-label={`${label}（${suffix}）`}
      value={shown}
      onChange={(next) => type(next === null ? null : Number((next * unit).toPrecision(12)))}
    />
  );
}
