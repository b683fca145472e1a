import { HedgeSettings, settingsErrors } from '#contract/kinds/hedge/config';
import { sourceLabel } from '@/components/labels';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import { schemaForm } from '@/form/schemaForm';
import { HOME_SOURCE } from '@/services/home';

const RATIO_TEXT = {
  equal: '两边名义相等',
  beta: '两边对 BTC 的 beta 相抵',
  volatility: '两边波动相当',
  spread: '空头 = b × 多头，所持即 z 的价差',
} as const;
const ENTRY_TEXT = { immediate: '条件满足即建仓', z: '价差够远时才建仓' } as const;
const ORDER_TEXT = { market: '马上成交，付吃单费', maker: '先挂单省费，挂不上转市价' } as const;

const percent = { unit: '%', scale: 100, step: 0.5 };

/** How a user's pairs are traded: the contract's settings as a form, one row a parameter. */
export const settingsForm = schemaForm(HedgeSettings, {
  first: ['legNotional', 'leverage', 'maxHedges', 'entry', 'stopLoss'],
  groups: [
    { title: '规模', fields: ['source', 'legNotional', 'leverage', 'maxHedges', 'ratio'] },
    { title: '入场与出场', fields: ['entry', 'entryZ', 'exitZ', 'zBar', 'zWindow'] },
    {
      title: '风控（留空 = 不启用）',
      fields: ['stopLoss', 'takeProfit', 'maxHoldingHours', 'rebalance', 'dailyLossLimit', 'blacklist'],
    },
    { title: '下单', fields: ['orderType', 'slippageCap'] },
  ],
  fields: {
    source: { widget: () => <SourceSelect trading />, text: sourceLabel },
    legNotional: { unit: 'USDT', step: 100 },
    leverage: { unit: '倍' },
    maxHedges: { unit: '对' },
    ratio: { meanings: RATIO_TEXT },
    entry: { meanings: ENTRY_TEXT },
    entryZ: { step: 0.1, isIdle: ({ entry }) => entry !== 'z' },
    exitZ: { step: 0.1, isIdle: ({ entry }) => entry !== 'z', dependsOn: ['entry', 'entryZ'] },
    zBar: {},
    zWindow: { unit: '根' },
    stopLoss: percent,
    takeProfit: percent,
    maxHoldingHours: { unit: '小时', step: 24 },
    rebalance: percent,
    dailyLossLimit: { unit: 'USDT', step: 100 },
    blacklist: {
      widget: ({ source = HOME_SOURCE }) => (
        <SymbolSelect multiple source={source} aria-label="黑名单" placeholder="不交易的币种" maxCount={200} />
      ),
      text: (symbols) => (symbols.length === 0 ? '空' : symbols.join('、')),
    },
    orderType: { meanings: ORDER_TEXT },
    slippageCap: { unit: 'bps' },
  },
  across: settingsErrors,
});

/** Margin that all hedges take when each is opened in full, USDT. */
export const marginNeeded = ({ legNotional, maxHedges, leverage }: HedgeSettings): number =>
  (legNotional * 2 * maxHedges) / leverage;
