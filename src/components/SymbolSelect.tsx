import { Select } from 'antd';
import { market } from '#contract/market';
import { useCall } from '@/services/useCall';
import type { CLEARABLE } from './clearable';
import { COIN_SEARCH, type CoinOption } from './coinSearch';
import { readFailure } from './ReadFailure';
import { SeveralSelect } from './SeveralSelect';

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
  allowClear?: typeof CLEARABLE;
}

interface MultipleProps extends SharedProps {
  multiple: true;
  value?: string[];
  onChange?: (symbols: string[]) => void;
  /** Most symbols that may be chosen. */
  maxCount?: number;
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
  const Chosen = multiple ? SeveralSelect<string | string[], CoinOption> : Select<string | string[], CoinOption>;
  return (
    <Chosen
      aria-label="币种"
      className="symbol-select"
      {...rest}
      value={value}
      onChange={(chosen) => (onChange as ((chosen: string | string[]) => void) | undefined)?.(chosen ?? '')}
      options={options}
      optionLabelProp="value"
      showSearch={COIN_SEARCH}
      loading={isLoading}
      placeholder={placeholder}
      notFoundContent={isLoading ? '加载中' : '没有这个币种'}
      {...readFailure(reading, '币种')}
    />
  );
}
