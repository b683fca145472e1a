import type { HedgeSettings } from './hedgeConfig';

/** What kinds of strategy a user may run. */
export const STRATEGY_KINDS = ['hedge'] as const;
export type StrategyKind = (typeof STRATEGY_KINDS)[number];

interface StrategyParams {
  hedge: HedgeSettings;
}

/** How a strategy of a kind is set up. */
export type ParamsOf<K extends StrategyKind> = StrategyParams[K];
