import type { ArbitrageCandidate } from '#contract/arbitrageScan';
import type { CexRateCandidate } from '#contract/cexRateScan';
import type { FundingCandidate } from '#contract/fundingScan';
import type { Leg } from '#contract/lifecycle';
import type { SpreadCandidate } from '#contract/spreadScan';
import type { GridNote } from '../../maths/gridLadder';
import type { PairModel } from '../pairModel';

/** What the far leg would be in the next expiry is worked out when somebody asks; null where there is none. */
export type SpreadSeen = SpreadCandidate & { readonly next: SpreadCandidate | null };

/** What each kind looks at of the market beside prices and terms. */
export interface Seen {
  /** `undefined`: the rules in force need none. */
  hedge: PairModel | null | undefined;
  /** The row of the scanner at the size of the strategy; null where the coin is not known. */
  fundingRate: FundingCandidate | null;
  /** The same of a pair in the direction of the strategy. */
  spread: SpreadSeen | null;
  /** The same of a coin at two venues. */
  cexRate: CexRateCandidate | null;
  /** Of spot in the direction of the target. */
  okx: {
    row: ArbitrageCandidate;
    /** The most that pays, base currency; null where nothing does. */
    quantity: number | null;
    /** At how many quotes in a row it has. */
    streak: number;
    /** How long orders to each venue have been under way of late, ms. */
    latency: { buy: number | null; sell: number | null };
    /** Each venue's clock less ours, ms. */
    clockAhead: { buy: number | null; sell: number | null };
    /** Mid where it is bought, USDT, and the fee there. */
    price: number | null;
    fee: number | null;
  } | null;
  /** F27 of its cells as fractions of what they buy at, and both fees; null where the terms are not known, and for a deal. */
  grid: { least: number; takerFee: number } | null;
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
  spread: {
    /** F5 at the size. */
    openEdge: number;
    /** Of the leg that expires first, UTC ms. */
    expiresAt: number | null;
    /** Of a deal that goes on from an earlier expiry: what it is to hold, base currency. */
    quantity?: string;
  };
  okx: {
    /** Buys or sells inventory at one venue. */
    isStock: boolean;
    /** What each leg aims at, base currency. */
    quantity: Record<Leg, string>;
  };
  cexRate: {
    /** F7. */
    grossApr: number;
    /** Until the settlements have paid for going in and out. */
    paybackDays: number;
  };
  grid: GridNote;
}
