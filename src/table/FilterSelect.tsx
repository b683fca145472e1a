import { Select } from 'antd';

interface Option<W extends string> {
  value: W;
  label: string;
}

export const optionsOf = <W extends string>(labels: Record<W, string>): Option<W>[] =>
  (Object.entries(labels) as [W, string][]).map(([value, label]) => ({ value, label }));

interface FilterSelectProps<W extends string> {
  label: string;
  options: readonly Option<W>[];
  value: W | null;
  onChange: (word: W | null) => void;
}

/** One word of a filter, or none. */
export function FilterSelect<W extends string>({ label, options, value, onChange }: FilterSelectProps<W>) {
  return (
    <Select<W | null>
      allowClear
      placeholder={label}
      aria-label={`${label}筛选`}
      options={[...options]}
      value={value}
      onChange={(word) => onChange(word ?? null)}
    />
  );
}
