import { Select } from 'antd';

interface FilterSeveralProps<W extends string> {
  label: string;
  options: readonly { value: W; label: string }[];
  /** Empty: no filter. */
  value: readonly W[];
  onChange: (words: W[]) => void;
}

/** Several words of a filter, or none. */
export function FilterSeveral<W extends string>({ label, options, value, onChange }: FilterSeveralProps<W>) {
  return (
    <Select<W[]>
      mode="multiple"
      allowClear
      showSearch={false}
      maxTagCount="responsive"
      placeholder={label}
      aria-label={`${label}筛选`}
      options={[...options]}
      value={[...value]}
      onChange={onChange}
    />
  );
}
