import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';
import { readFailure } from './ReadFailure';

interface SourceSelectProps {
  value?: string;
  onChange?: (source: string) => void;
  id?: string;
  /** To trade at: of an exchange that is followed it says what is real. */
  trading?: boolean;
}

/** Which market the figures are from: the simulated one, an exchange that is followed, or candles imported from one. */
export function SourceSelect({ value, onChange, id, trading = false }: SourceSelectProps) {
  const reading = useCall(market.source, {});
  const { data, error } = reading;
  const options = (data?.list ?? []).map(({ source, label, symbols, kind }) => {
    const told = trading && kind === 'live' ? '模拟盘 · 真实行情' : symbols;
    return { value: source, label: `${label}（${told}）` };
  });
  // Until the names are there, a bare key would be read as one.
  const known = options.some((option) => option.value === value);
  return (
    <Select
      id={id}
      aria-label="数据源"
      className="source-select"
      value={known || data !== undefined ? value : undefined}
      onChange={onChange}
      options={options}
      loading={data === undefined && error === undefined}
      placeholder="数据源"
      popupMatchSelectWidth={false}
      {...readFailure(reading, '数据源')}
    />
  );
}
