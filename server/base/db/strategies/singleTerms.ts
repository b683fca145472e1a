import type { Leg, PairBlock } from '#contract/lifecycle';

/** What a strategy of one deal takes over from an account instead of entering: no order of an entry is ever sent for it. */
interface Takes {
  accountId: string;
  /** Unsigned, base currency. */
  quantity: Record<Leg, string>;
}

/** What a person confirmed of a strategy of one deal. */
export interface SingleTerms {
  /**
   * Of every order of the entry, USDT: above it nothing is bought, below it nothing is sold. Null for one that waits until
   * its own rule lets it in: its prices are those of then.
   */
  worst: Record<Leg, number> | null;
  /** What is not entered by then is not entered at all, UTC ms. */
  until: number;
  /** Why nothing was entered; null while that is not said. */
  refused: PairBlock | null;
  takes?: Takes;
}

/** No order keeps within these prices. */
const NO_ORDER: Record<Leg, number> = { long: 0, short: Number.MAX_VALUE };

/** Of a take-over. @param until UTC ms */
export const takingTerms = (takes: Takes, until: number): SingleTerms => ({
  worst: NO_ORDER,
  until,
  refused: null,
  takes,
});
