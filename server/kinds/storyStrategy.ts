import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { StrategyLimits } from '#contract/strategyLimits';
import type { Markets } from '../market/exchange';
import type { ScanDeps } from '../market/scan/ranking';

/** The markets as a character sees them on the day it sets a strategy up: nothing of what comes. */
export interface StoryView extends ScanDeps {
  markets: Markets;
}

/** A strategy of the demo. */
export interface StoryStrategy<K extends StrategyKind> {
  name: string;
  /** Counts back from today to the day it is started on. */
  days: number;
  /** On record when the story ends; until then it is judged by them as it goes. */
  limits: StrategyLimits;
  /** What its owner notes of it on that day. */
  note?: string;
  /** By what the market shows then; `null` where it offers nothing. */
  params(view: StoryView): Promise<ParamsOf<K> | null>;
}

/** USDT that one of them may lose on a day before it opens nothing more. */
export const DAY_LOSS = 800;

/** Wide enough for what they trade. */
export const WIDE: StrategyLimits = { maxDrawdown: 1500, dailyLoss: DAY_LOSS, maxNotional: 60_000 };

/** The first few of a list without those that come twice. */
export const firstOf = (names: readonly string[], most: number): string[] => [...new Set(names)].slice(0, most);
