import { SpreadParams, spreadErrors } from '#contract/kinds/spread/params';
import { LEGS_ENTRY_LABEL } from '#contract/legsEntry';
import { schemaForm } from '@/form/schemaForm';
import { VenueSelect } from '@/form/VenueSelect';
import { venueLabel } from '@/scan/venueLabel';
import { entryHelp } from '@/strategy/legsEntryLabels';

const percent = { unit: '%', scale: 100, step: 0.5 };

/** How two instruments are held against each other: the contract's params as a form, one row a parameter. */
export const form = schemaForm(SpreadParams, {
  first: ['near', 'far', 'direction', 'legNotional'],
  groups: [
    { title: '标的与规模', fields: ['source', 'near', 'far', 'direction', 'legNotional', 'leverage'] },
    { title: '开仓', fields: ['entryApr', 'roundStep', 'planDays'] },
    {
      title: '平仓与风控（留空 = 不启用）',
      fields: ['exitLevel', 'rollDays', 'closeBeforeHours', 'maxHoldingHours', 'stopLoss', 'dailyLossLimit'],
    },
    {
      title: '下单',
      fields: ['orderType', 'convertSeconds', 'slices', 'sliceSeconds', 'payUpTicks', 'slippageCap'],
    },
  ],
  fields: {
    source: { widget: () => <VenueSelect />, text: venueLabel },
    near: {},
    far: { dependsOn: ['near'] },
    direction: {},
    legNotional: { unit: 'USDT', step: 500, dependsOn: ['slices'] },
    leverage: { unit: '倍' },
    planDays: { unit: '天' },
    entryApr: percent,
    roundStep: percent,
    exitLevel: { unit: '%', scale: 100, step: 0.05 },
    rollDays: { unit: '天', dependsOn: ['closeBeforeHours'] },
    closeBeforeHours: { unit: '小时' },
    maxHoldingHours: { unit: '小时', step: 24 },
    stopLoss: percent,
    dailyLossLimit: { unit: 'USDT', step: 100 },
    orderType: {
      help: `${entryHelp('成交较少、不是现货的一腿')}。移仓总是${LEGS_ENTRY_LABEL.market}一次进`,
    },
    convertSeconds: { unit: '秒', step: 10, isIdle: ({ orderType }) => orderType !== 'maker' },
    slices: { unit: '份', dependsOn: ['legNotional'] },
    sliceSeconds: { unit: '秒', step: 5, isIdle: ({ slices }) => Number(slices) === 1 },
    payUpTicks: { unit: '个' },
    slippageCap: { unit: 'bps' },
  },
  across: spreadErrors,
});
