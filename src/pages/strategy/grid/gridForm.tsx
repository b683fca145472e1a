import { SIMULATED_SOURCES } from '#contract/candle';
import { GRID_DIRECTIONS, GRID_SPACINGS, GridParams, gridErrors } from '#contract/grid';
import { schemaForm } from '@/form/schemaForm';
import { venueLabel } from '@/scan/venueLabel';
import { DIRECTION_LABEL, SPACING_LABEL } from './gridLabels';

const percent = { unit: '%', scale: 100, step: 1 };
const price = { unit: 'USDT' };

/** How a perpetual is bought and sold between two prices: the contract's params as a form, one row a parameter. */
export const gridForm = schemaForm(GridParams, {
  groups: [
    { title: '标的与规模', fields: ['source', 'symbol', 'direction', 'legNotional', 'leverage'] },
    { title: '区间', fields: ['lower', 'upper', 'cells', 'spacing', 'trailing', 'compound'] },
    { title: '触发（留空 = 立即开始）', fields: ['triggerAbove', 'triggerBelow'] },
    {
      title: '离场与风控（留空 = 不启用）',
      fields: ['stopLow', 'stopHigh', 'stopLoss', 'takeProfit', 'dailyLossLimit'],
    },
    { title: '下单', fields: ['maxOrders', 'slippageCap'] },
  ],
  fields: {
    source: { choices: SIMULATED_SOURCES.map((value) => ({ value, label: venueLabel(value) })) },
    symbol: {},
    direction: { choices: GRID_DIRECTIONS.map((value) => ({ value, label: DIRECTION_LABEL[value] })) },
    legNotional: { unit: 'USDT', step: 1000 },
    leverage: { unit: '倍' },
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
