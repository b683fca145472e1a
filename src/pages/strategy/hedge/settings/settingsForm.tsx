import { BARS, type Bar } from '#contract/candle';
import { ENTRY_RULES, HedgeSettings, ORDER_TYPES, RATIO_RULES, settingsErrors } from '#contract/kinds/hedge/config';
import { ENTRY_RULE_LABEL, ORDER_TYPE_LABEL, RATIO_RULE_LABEL, sourceLabel } from '@/components/labels';
import { SourceSelect } from '@/components/SourceSelect';
import { SymbolSelect } from '@/components/SymbolSelect';
import { schemaForm } from '@/form/schemaForm';
import { HOME_SOURCE } from '@/services/home';

const BAR_LABEL: Record<Bar, string> = { '1d': '日线', '4h': '4 小时', '1h': '1 小时' };
const RATIO_TEXT = {
  equal: '两边名义相等',
  beta: '两边对 BTC 的 beta 相抵',
  volatility: '两边波动相当',
  spread: '空头 = b × 多头，所持即 z 的价差',
} as const;
const ENTRY_TEXT = { immediate: '条件满足即建仓', z: '价差够远时才建仓' } as const;
const ORDER_TEXT = { market: '马上成交，付吃单费', maker: '先挂单省费，挂不上转市价' } as const;

/** Choices that say what they mean; elsewhere the label alone is enough. */
const choices = <W extends string>(words: readonly W[], label: Record<W, string>, text: Record<W, string>) => ({
  choices: words.map((value) => ({ value, label: `${label[value]}：${text[value]}` })),
  text: (value: W) => label[value],
});

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
    ratio: choices(RATIO_RULES, RATIO_RULE_LABEL, RATIO_TEXT),
    entry: choices(ENTRY_RULES, ENTRY_RULE_LABEL, ENTRY_TEXT),
    entryZ: { step: 0.1, isIdle: ({ entry }) => entry !== 'z' },
    exitZ: { step: 0.1, isIdle: ({ entry }) => entry !== 'z', dependsOn: ['entry', 'entryZ'] },
    zBar: { choices: BARS.map((value) => ({ value, label: BAR_LABEL[value] })) },
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
    orderType: choices(ORDER_TYPES, ORDER_TYPE_LABEL, ORDER_TEXT),
    slippageCap: { unit: 'bps' },
  },
  across: settingsErrors,
});

/** Margin that all hedges take when each is opened in full, USDT. */
export const marginNeeded = ({ legNotional, maxHedges, leverage }: HedgeSettings): number =>
  (legNotional * 2 * maxHedges) / leverage;
