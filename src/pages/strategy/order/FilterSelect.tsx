import { Select } from 'antd';
import type { OrderState } from './orderQuery';

type WordFilter = 'period' | 'side' | 'type' | 'purpose' | 'state' | 'maker' | 'reduceOnly';

interface Option {
  value: string;
  label: string;
}

export const optionsOf = (labels: Record<string, string>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

interface FilterSelectProps {
  name: WordFilter;
  label: string;
  options: Option[];
  state: OrderState;
  filter: (next: Partial<OrderState>) => void;
  /** What changes along with it. */
  also?: Partial<OrderState>;
}

/** One word of the filter, or none. */
export function FilterSelect({ name, label, options, state, filter, also }: FilterSelectProps) {
  return (
    <Select<string | null>
      allowClear
      placeholder={label}
      aria-label={label}
      options={options}
      value={state[name]}
      onChange={(word) => filter({ ...also, [name]: word ?? null })}
    />
  );
}
