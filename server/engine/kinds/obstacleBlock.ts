import type { PairBlock } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';

/** What a scanner says in its own words. */
export const blockOf = (obstacle: Obstacle): PairBlock => (obstacle === 'minimum' ? 'belowMinimum' : obstacle);
