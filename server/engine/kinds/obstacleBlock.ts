import type { PairBlock } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';

/** What a scanner says in its own words. */
export const blockOf = (obstacle: Obstacle): PairBlock => {
  if (obstacle === 'minimum') return 'belowMinimum';
  return obstacle === 'wallet' ? 'incomplete' : obstacle;
};
