/** Fees of one leg's orders, fractions of its notional. */
export interface LegFees {
  maker: number;
  taker: number;
}

/** How a trip of two legs is assumed to go. */
export interface TripTerms {
  /** `maker`: one leg rests, the other one takes what it was filled with. */
  entry: 'taker' | 'maker';
  /** `rolled`: held on, so that leaving is not paid for. */
  exit: 'counted' | 'rolled';
}

/**
 * Fees of the legs, a fraction of one leg's notional: two on the way in, two more where leaving counts. Of resting the leg
 * that saves more makes use; leaving takes on both sides.
 */
export function assumedFees(one: LegFees, other: LegFees, { entry, exit }: TripTerms): number {
  const taken = one.taker + other.taker;
  const saved = entry === 'maker' ? Math.max(0, one.taker - one.maker, other.taker - other.maker) : 0;
  return (exit === 'counted' ? 2 : 1) * taken - saved;
}

/**
 * What F7 expects to leave at: the present close level (F5), or where nobody leaves the level of the middles, which stay as
 * far apart as they are.
 */
export const assumedLevel = (closeLevel: number, mids: { short: number; long: number }, { exit }: TripTerms): number =>
  exit === 'counted' ? closeLevel : mids.short / mids.long - 1;
