import { ProForm } from '@ant-design/pro-components';
import { Select } from 'antd';
import { GRID_MARKET_LABEL, GRID_MARKETS, type GridMarket, type GridParams } from '#contract/kinds/grid/params';
import { gridScan } from '#contract/kinds/grid/scan';
import { useCall } from '@/services/useCall';

const MARKETS = GRID_MARKETS.map((value) => ({ value, label: GRID_MARKET_LABEL[value] }));

/** What the other market does not have is put right with it; a name of the one is none of the other. */
const WITH: Record<GridMarket, Partial<GridParams>> = {
  spot: { direction: 'long', leverage: 1, symbol: '' },
  perpetual: { invest: 'quote', symbol: '' },
};

interface MarketSelectProps {
  id?: string;
  value?: GridMarket;
  onChange?: (market: GridMarket) => void;
}

/** A contract with margin, or the coin itself. */
export function MarketSelect({ onChange, ...field }: MarketSelectProps) {
  const form = ProForm.useFormInstance<GridParams>();
  const choose = (market: GridMarket) => {
    form.setFieldsValue(WITH[market]);
    onChange?.(market);
  };
  return <Select aria-label="市场" {...field} options={MARKETS} onChange={choose} popupMatchSelectWidth={false} />;
}

interface TradedSelectProps {
  source: GridParams['source'];
  market: GridMarket;
  id?: string;
  value?: string;
  onChange?: (symbol: string) => void;
}

/** One of what a venue lists of a market, found by typing. */
export function TradedSelect({ source, market, value, ...field }: TradedSelectProps) {
  const query = { source, market, pageSize: 200, sort: 'base' } as const;
  const { data, error, isLoading } = useCall(gridScan.list, { query }, { keepPreviousData: true });
  return (
    <Select<string>
      aria-label="交易对"
      {...field}
      value={value || undefined}
      options={data?.list.map(({ symbol }) => ({ value: symbol, label: symbol }))}
      showSearch={{ optionFilterProp: 'value' }}
      placeholder="搜索币种"
      loading={isLoading}
      status={error ? 'error' : undefined}
      notFoundContent={error ? error.text : isLoading ? '加载中' : '没有这个交易对'}
      popupMatchSelectWidth={false}
    />
  );
}
