import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';

interface SourceSelectProps {
  value?: string;
  onChange?: (source: string) => void;
  id?: string;
  /** To trade at: what is but followed is shown, and cannot be chosen. */
  trading?: boolean;
}

/** Which market the figures are from: the simulated one, an exchange that is followed, or candles imported from one. */
export function SourceSelect({ value, onChange, id, trading = false }: SourceSelectProps) {
  const { data, error, isLoading } = useCall(market.source, {});
  const options = (data?.list ?? []).map(({ source, label, symbols, kind }) => {
    const disabled = trading && kind === 'live';
    return { value: source, label: disabled ? `${label}（还不能交易）` : `${label}（${symbols}）`, disabled };
  });
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
