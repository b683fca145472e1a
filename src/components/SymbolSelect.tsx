import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';
import { readFailure } from './ReadFailure';

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

interface CoinOption {
  value: string;
  base: string;
  names: readonly string[];
}

/** By a part of the symbol, or the beginning of a Chinese name or its pinyin; one letter begins too many of these. */
const isFound = (typed: string, { value, names }: CoinOption): boolean =>
  value.toLowerCase().includes(typed) || (!/^\w?$/.test(typed) && names.some((name) => name.startsWith(typed)));

/** The coin that was typed comes before those whose names only contain it: ETH before ETHFI and STETH. */
function byName(a: CoinOption, b: CoinOption, typed: string): number {
  const rank = ({ value, base, names }: CoinOption) =>
    [value, base, ...names.map((name) => name.toUpperCase())].includes(typed) ? 0 : value.startsWith(typed) ? 1 : 2;
  return rank(a) - rank(b);
}

/** One coin or a basket of coins of a source, found by typing a part of the name, in Chinese or pinyin as well. */
export function SymbolSelect(props: SingleProps | MultipleProps) {
  const { source, placeholder = '搜索币种', exclude = [], multiple, value, onChange, ...rest } = props;
  const reading = useCall(market.symbol, { query: { source } });
  const { data, isLoading } = reading;
  const options = (data?.list ?? []).map(({ symbol, base, names, sector }) => ({
    value: symbol,
    base,
    names,
    label: sector ? `${symbol} · ${sector}` : symbol,
    disabled: exclude.includes(symbol),
  }));
  return (
    <Select<string | string[], CoinOption>
      aria-label="币种"
      className="symbol-select"
      {...rest}
      mode={multiple ? 'multiple' : undefined}
      value={value}
      onChange={(chosen) => (onChange as ((chosen: string | string[]) => void) | undefined)?.(chosen ?? '')}
      options={options}
      optionLabelProp="value"
      showSearch={{
        filterOption: (typed, option) => option !== undefined && isFound(typed.trim().toLowerCase(), option),
        filterSort: (a, b, { searchValue }) => byName(a, b, searchValue.trim().toUpperCase()),
      }}
      loading={isLoading}
      placeholder={placeholder}
      notFoundContent={isLoading ? '加载中' : '没有这个币种'}
      {...readFailure(reading, '币种')}
    />
  );
}
