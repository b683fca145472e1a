import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';

interface SourceSelectProps {
  value?: string;
  onChange?: (source: string) => void;
  id?: string;
}

/** Which market the figures are from: the simulated one, or candles imported from an exchange. */
export function SourceSelect({ value, onChange, id }: SourceSelectProps) {
  const { data, error, isLoading } = useCall(market.source, {});
  const options = (data?.list ?? []).map(({ source, label, symbols }) => ({
    value: source,
    label: `${label}（${symbols}）`,
  }));
  // Until the names are there, a bare key would be read as one.
  const known = options.some((option) => option.value === value);
  return (
    <Select
      id={id}
      aria-label="数据源"
      className="source-select"
      value={known || !isLoading ? value : undefined}
      onChange={onChange}
      options={options}
      loading={isLoading}
      status={error ? 'error' : undefined}
      placeholder={error ? error.message : '数据源'}
      popupMatchSelectWidth={false}
    />
  );
}
