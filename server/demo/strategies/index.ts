import type { StrategyKind } from '#contract/strategy';
import { cexRate } from './cexRate';
import { fundingRate } from './fundingRate';
import { grid } from './grid';
import { OKX_STORY, okx } from './okx';
import { spread } from './spread';
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
