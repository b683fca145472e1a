import { Select } from 'antd';
import { CLEARABLE } from '@/components/clearable';

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
  /** Found by typing: for lists that grow. */
  searchable?: boolean;
  className?: string;
}

/** One word of a filter, or none. */
export function FilterSelect<W extends string>(props: FilterSelectProps<W>) {
  const { label, options, value, onChange, searchable = false, className } = props;
  return (
    <Select<W | null>
      allowClear={CLEARABLE}
      className={className}
      showSearch={searchable && { optionFilterProp: 'label' }}
      placeholder={label}
      aria-label={`${label}筛选`}
      options={[...options]}
      value={value}
      onChange={(word) => onChange(word ?? null)}
    />
  );
}
