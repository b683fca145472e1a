import type { StrategyKind } from '#contract/strategy';
import { cexRate } from './cexRate/demo';
import { fundingRate } from './fundingRate/demo';
import { grid } from './grid/demo';
import { OKX_STORY, okx } from './okx/demo';
import { spread } from './spread/demo';
import type { StoryStrategy } from './storyStrategy';

/** What the demo's master runs beside its hedges, by kind. */
export const STORY_STRATEGIES: { readonly [K in Exclude<StrategyKind, 'hedge'>]: readonly StoryStrategy<K>[] } = {
  fundingRate,
  spread,
  cexRate,
  okx,
  grid,
};

/** Whose prices are looked at when they stand apart, and where. */
export const GAPS = OKX_STORY;
