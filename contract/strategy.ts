import type { HedgeSettings } from './hedgeConfig';

/** What kinds of strategy a user may run. */
export const STRATEGY_KINDS = ['hedge'] as const;
export type StrategyKind = (typeof STRATEGY_KINDS)[number];

interface StrategyParams {
  hedge: HedgeSettings;
}

/** How a strategy of a kind is set up. */
export type ParamsOf<K extends StrategyKind> = StrategyParams[K];

/**
 * `running` opens and closes; `paused` opens nothing and guards what it holds; `closing` takes down what it holds;
 * `stopped` does nothing; `tripped` was ended by its breaker, `error` by what it cannot go on from.
 */
export type StrategyState = 'running' | 'paused' | 'closing' | 'stopped' | 'tripped' | 'error';
