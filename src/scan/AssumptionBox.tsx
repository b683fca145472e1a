import { NumberInput } from '@/components/NumberInput';
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

const DAY = 24;
const LONGEST = 365;

interface HeldBoxProps {
  /** What is to be held for so long is called. */
  prefix: string;
  /** px. */
  width: number;
  hours: number;
  onChange: (hours: number) => void;
}

/** How long every row is held: typed in days, asked for in whole hours. */
export const HeldBox = ({ prefix, width, hours, onChange }: HeldBoxProps) => (
  <AssumptionBox
    label={prefix}
    prefix={prefix}
    suffix="天"
    least={0.04}
    most={LONGEST}
    parts
    width={width}
    value={Number((hours / DAY).toFixed(2))}
    onChange={(days) => onChange(Math.max(1, Math.round(days * DAY)))}
  />
);

/** A number that every row is worked out with; an empty box changes nothing. */
export function AssumptionBox(props: AssumptionBoxProps) {
  const { label, prefix, suffix, least, most, parts = false, width, value, onChange } = props;
  const [typed, type, leave] = useTyped<number | null>(value, (next) => next !== null && onChange(next));
  return (
    <NumberInput
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
      onBlur={leave}
      onPressEnter={leave}
    />
  );
}
