import { SIMULATED_SOURCES } from '#contract/candle';
import {
  DEFAULT_GRID,
  GRID_DIRECTIONS,
  GRID_INVESTS,
  GRID_MARKET_LABEL,
  GRID_SPACINGS,
  GridParams,
  gridErrors,
} from '#contract/kinds/grid/params';
import { type SchemaForm, schemaForm } from '@/form/schemaForm';
import { venueLabel } from '@/scan/venueLabel';
import { AutoRange } from './AutoRange';
import { DIRECTION_LABEL, INVEST_LABEL, SPACING_LABEL } from './gridLabels';
import { MarketSelect, TradedSelect } from './TradedSelect';

const percent = { unit: '%', scale: 100, step: 1 };
const price = { unit: 'USDT' };

const ofSchema = schemaForm(GridParams, {
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
    source: { choices: SIMULATED_SOURCES.map((value) => ({ value, label: venueLabel(value) })) },
    market: { widget: () => <MarketSelect />, text: (market) => GRID_MARKET_LABEL[market ?? 'perpetual'] },
    symbol: {
      widget: ({ source = 'simulated', market = 'perpetual' }) => <TradedSelect source={source} market={market} />,
    },
    direction: {
      choices: GRID_DIRECTIONS.map((value) => ({ value, label: DIRECTION_LABEL[value] })),
      dependsOn: ['market'],
    },
    legNotional: { unit: 'USDT', step: 1000 },
    leverage: { unit: '倍', dependsOn: ['market'] },
    invest: {
      choices: GRID_INVESTS.map((value) => ({ value, label: INVEST_LABEL[value] })),
      help: '只对现货。计价币：底仓开始时按市价用 USDT 买入。标的币：底仓取自账户闲置的币，不另买；下方各格仍用 USDT 买入',
      isIdle: ({ market }) => market !== 'spot',
      dependsOn: ['market'],
    },
    lower: price,
    upper: { ...price, dependsOn: ['lower'] },
    cells: { unit: '格' },
    spacing: { choices: GRID_SPACINGS.map((value) => ({ value, label: SPACING_LABEL[value] })) },
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
