import type { StrategyKind } from '#contract/strategy';

/** The screen of a kind of strategy; the desk opens the deal there. */
export const dealPath = (kind: StrategyKind, id: string): string =>
  `/strategy/${kind}?id=${encodeURIComponent(id)}&state=all`;
