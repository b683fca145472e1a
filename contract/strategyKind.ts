import { wordsOf } from './words';

/** What kinds of strategy a user may run. */
export const STRATEGY_KIND_LABEL = {
  hedge: '多空对冲',
  fundingRate: '资金费率',
  spread: '期货价差',
  cexRate: '跨所费率',
  okx: '交易所套利',
  grid: '花式网格',
} as const;
export const STRATEGY_KINDS = wordsOf(STRATEGY_KIND_LABEL);
export type StrategyKind = (typeof STRATEGY_KINDS)[number];

/** Kinds that may trade real money. */
const REAL_KINDS: readonly StrategyKind[] = ['hedge', 'spread', 'fundingRate', 'cexRate', 'grid'];
export const mayBeReal = (kind: StrategyKind): boolean => REAL_KINDS.includes(kind);
export const realKinds = (): string => REAL_KINDS.map((kind) => STRATEGY_KIND_LABEL[kind]).join('、');
