import type { FundingCandidate } from '#contract/fundingScan';
import type { PairModel } from '../pairModel';

/** What each kind looks at of the market beside prices and terms. */
export interface Seen {
  /** `undefined`: the rules in force need none. */
  hedge: PairModel | null | undefined;
  /** The row of the scanner at the size of the strategy; null where the coin is not known. */
  fundingRate: FundingCandidate | null;
}

/** What each kind notes when it opens. */
export interface OpeningNote {
  hedge: null;
  fundingRate: {
    /** F8: settlements that pay for going in and out. */
    breakEven: number;
    /** Per settlement, and hours between two. */
    rate: number;
    hours: number;
  };
}
