import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';

interface SharedProps {
  source: string;
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  /** Symbols that may not be chosen here, such as those of the other side. */
  exclude?: readonly string[];
  'aria-label'?: string;
}

interface SingleProps extends SharedProps {
  multiple?: false;
  value?: string;
  /** Empty once it was cleared. */
  onChange?: (symbol: string) => void;
  allowClear?: boolean;
}

interface MultipleProps extends SharedProps {
  multiple: true;
  value?: string[];
  onChange?: (symbols: string[]) => void;
  /** Most symbols that may be chosen. */
  maxCount?: number;
}

/** One coin or a basket of coins of a source, found by typing a part of the name. */
export function SymbolSelect(props: SingleProps | MultipleProps) {
  const { source, placeholder = '搜索币种', exclude = [], multiple, value, onChange, ...rest } = props;
  const { data, error, isLoading } = useCall(market.symbol, { query: { source } });
  const options = (data?.list ?? []).map(({ symbol, sector }) => ({
    value: symbol,
    label: sector ? `${symbol} · ${sector}` : symbol,
    disabled: exclude.includes(symbol),
  }));
  return (
    <Select<string | string[]>
      aria-label="币种"
      className="symbol-select"
      {...rest}
      mode={multiple ? 'multiple' : undefined}
      value={value}
      onChange={(chosen) => (onChange as ((chosen: string | string[]) => void) | undefined)?.(chosen ?? '')}
      options={options}
      optionLabelProp="value"
      showSearch={{ optionFilterProp: 'value' }}
      loading={isLoading}
      status={error ? 'error' : undefined}
      placeholder={placeholder}
      notFoundContent={error ? error.message : isLoading ? '加载中' : '没有这个币种'}
    />
  );
}
