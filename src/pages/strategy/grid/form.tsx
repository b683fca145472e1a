import { ProForm } from '@ant-design/pro-components';
import { Button, Segmented, Select } from 'antd';
import { useState } from 'react';
import {
  DEFAULT_GRID,
  GRID_MARKET_LABEL,
  GRID_MARKETS,
  type GridMarket,
  GridParams,
  gridErrors,
} from '#contract/kinds/grid/params';
import { GRID_RANGES, type GridRange, type GridSuggestion, gridScan, RANGE_DAYS } from '#contract/kinds/grid/scan';
import { COIN_SEARCH, type CoinOption } from '@/components/coinSearch';
import { DateTime } from '@/components/DateTime';
import { NumberInput } from '@/components/NumberInput';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import type { Fill } from '@/form/formView';
import { type SchemaForm, schemaForm } from '@/form/schemaForm';
import { VenueSelect } from '@/form/VenueSelect';
import { useCoinNames } from '@/scan/useCoinNames';
import { venueLabel } from '@/scan/venueLabel';
import { CallError, failureText } from '@/services/CallError';
import { call } from '@/services/call';
import { HOME_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';
import own from './grid.module.css';
import { RANGE_LABEL } from './gridLabels';

const percent = { unit: '%', scale: 100, step: 1 };
const price = { unit: 'USDT' };

const ofSchema = schemaForm(GridParams, {
  first: ['symbol', 'lower', 'upper', 'legNotional'],
  groups: [
    { title: '标的与规模', fields: ['source', 'market', 'symbol', 'direction', 'legNotional', 'leverage', 'invest'] },
    {
      title: '区间',
      tool: (fill) => <AutoRange fill={fill} />,
      fields: ['lower', 'upper', 'cells', 'spacing', 'trailing', 'compound'],
    },
    { title: '触发（留空 = 立即开始）', fields: ['triggerAbove', 'triggerBelow'] },
    {
      title: '离场与风控（留空 = 不启用）',
      fields: ['stopLow', 'stopHigh', 'stopLoss', 'takeProfit', 'dailyLossLimit'],
    },
    { title: '下单', fields: ['maxOrders', 'slippageCap'] },
  ],
  fields: {
    source: { widget: () => <VenueSelect />, text: venueLabel },
    market: { widget: () => <MarketSelect />, text: (market) => GRID_MARKET_LABEL[market ?? 'perpetual'] },
    symbol: {
      widget: ({ source = HOME_SOURCE, market = 'perpetual' }) => <TradedSelect source={source} market={market} />,
    },
    direction: {
      dependsOn: ['market'],
    },
    legNotional: { unit: 'USDT', step: 1000 },
    leverage: { unit: '倍', dependsOn: ['market'] },
    invest: {
      help: '只对现货。计价币：底仓开始时按市价用 USDT 买入。标的币：底仓取自账户闲置的币，不另买；下方各格仍用 USDT 买入',
      isIdle: ({ market }) => market !== 'spot',
      dependsOn: ['market'],
    },
    lower: price,
    upper: { ...price, dependsOn: ['lower'] },
    cells: { unit: '格' },
    spacing: {},
    trailing: { dependsOn: ['direction'] },
    triggerAbove: price,
    triggerBelow: { ...price, dependsOn: ['triggerAbove'] },
    compound: {},
    stopLow: { ...price, dependsOn: ['lower'] },
    stopHigh: { ...price, dependsOn: ['upper'] },
    stopLoss: percent,
    takeProfit: percent,
    dailyLossLimit: { unit: 'USDT', step: 100 },
    maxOrders: { unit: '笔' },
    slippageCap: { unit: 'bps' },
  },
  across: gridErrors,
});

const { market, invest } = DEFAULT_GRID;

/** How an instrument is bought and sold between two prices: the contract's params as a form, one row a parameter. */
export const form: SchemaForm<GridParams> = {
  ...ofSchema,
  // Those of before there was spot do not say what they trade.
  toForm: (values) => ofSchema.toForm({ ...{ market, invest }, ...values }),
};

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
function MarketSelect({ onChange, ...field }: MarketSelectProps) {
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
function TradedSelect({ source, market, value, ...field }: TradedSelectProps) {
  const query = { source, market, pageSize: 200, sort: 'base' } as const;
  const { data, error, isLoading } = useCall(gridScan.list, { query }, { keepPreviousData: true });
  const namesOf = useCoinNames();
  return (
    <Select<string, CoinOption & { label: string }>
      aria-label="交易对"
      {...field}
      value={value || undefined}
      options={data?.list.map(({ symbol, base }) => ({ value: symbol, label: symbol, base, names: namesOf(base) }))}
      showSearch={COIN_SEARCH}
      placeholder="搜索币种"
      loading={isLoading}
      status={error ? 'error' : undefined}
      notFoundContent={error ? error.text : isLoading ? '加载中' : '没有这个交易对'}
      popupMatchSelectWidth={false}
    />
  );
}

const RANGES = GRID_RANGES.map((value) => ({ value, label: RANGE_LABEL[value] }));
const { minimum: LEAST, maximum: MOST, default: DAYS } = RANGE_DAYS;

/** What was filled in, of which instrument. */
interface Filled {
  symbol: string;
  range: GridRange;
  days: number;
  found: GridSuggestion;
}

/** Fills the bounds of a range from the hours of the instrument that the form names. */
function AutoRange({ fill }: { fill: Fill<GridParams> }) {
  const { source, symbol = '' } = ProForm.useWatch((values: Partial<GridParams>) => values) ?? {};
  const [range, choose] = useState<GridRange>('lowHigh');
  const [days, setDays] = useState<number | null>(DAYS);
  const [filled, setFilled] = useState<Filled>();
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(false);
  const read = async () => {
    if (source === undefined || symbol === '' || days === null) return;
    setReading(true);
    setFailure(undefined);
    try {
      const found = await call(gridScan.range, { query: { source, symbol, range, days } });
      setFilled({ symbol, range, days, found });
      fill({ lower: found.lower, upper: found.upper });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFilled(undefined);
      setFailure(failureText(error, '没有读到历史，请重试'));
    } finally {
      setReading(false);
    }
  };
  return (
    <section aria-label="自动区间" className={own.auto}>
      <div className={own.autoAsk}>
        <span>自动区间</span>
        <Segmented aria-label="自动区间的算法" options={RANGES} value={range} onChange={choose} />
        <NumberInput
          aria-label="自动区间的天数"
          prefix="最近"
          suffix="天"
          min={LEAST}
          max={MOST}
          precision={0}
          controls={false}
          style={{ width: 112 }}
          value={days}
          onChange={setDays}
        />
        <Button loading={reading} disabled={symbol === '' || days === null} onClick={() => void read()}>
          填入上下限
        </Button>
        {symbol === '' && <span className="soft">先填交易对</span>}
      </div>
      <div aria-live="polite">
        {failure !== undefined && <span className={own.wrong}>{failure}</span>}
        {filled && <FilledFrom {...filled} />}
      </div>
    </section>
  );
}

/** The figures that the bounds come of. */
function FilledFrom({ symbol, range, days, found }: Filled) {
  const { lower, upper, low, high, atr, price, from, until } = found;
  return (
    <p className="soft">
      {symbol} 最近 {days} 天（
      <DateTime value={from} /> 至 <DateTime value={until} />
      ）最低 <Price value={low} />
      ，最高 <Price value={high} />
      ，收盘 <Price value={price} />
      ，日均波幅 <Price value={atr} />（<Percent value={atr / price} digits={2} />
      ）。已填 {RANGE_LABEL[range]}：
      <Price value={lower} /> 至 <Price value={upper} />
      ，现价在区间 <Percent value={(price - lower) / (upper - lower)} digits={0} /> 处。
    </p>
  );
}
