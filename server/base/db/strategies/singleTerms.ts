import type { Leg, PairBlock } from '#contract/lifecycle';

/** What a person confirmed of a strategy of one deal. */
export interface SingleTerms {
  /** Of every order of the entry, USDT: above it nothing is bought, below it nothing is sold. */
  worst: Record<Leg, number>;
  /** What is not entered by then is not entered at all, UTC ms. */
  until: number;
  /** Why nothing was entered; null while that is not said. */
  refused: PairBlock | null;
}
