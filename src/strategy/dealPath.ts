import type { StrategyKind } from '#contract/strategy';

/** The screen of a kind of strategy: the desk opens the deal there, the others the strategy that it is of. */
export const dealPath = (kind: StrategyKind, id: string, strategyId?: string): string =>
  `/strategy/${kind}?${new URLSearchParams({ id, ...(strategyId && { strategy: strategyId }) })}`;
