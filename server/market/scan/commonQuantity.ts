import Big from 'big.js';
import { floorTo } from '../../base/maths/decimal';
import { hedgeQuantity, spotPurchase } from '../../base/maths/spotPurchase';
import type { Quoted } from './sight';

/** What of a leg may stay without the other, a fraction of it. */
const MOST_UNHEDGED = 0.1;

/** F28: base currency that a notional (USDT) buys at a price, down to lots that every leg has; 0 where a lot is unknown. */
export function commonQuantity(legs: readonly Quoted[], size: number, price: number): number {
  const lot = Math.max(...legs.map(({ instrument }) => Number(instrument.lotSize ?? 0)));
  if (!(lot > 0) || !(price > 0)) return 0;
  // A billionth hides the rounding of the divisions.
  return Number((Math.floor(size / price / lot + 1e-9) * lot).toPrecision(12));
}

/** The smallest order that every leg takes, USDT. */
export const leastNotional = (legs: readonly Quoted[]): number =>
  Math.max(...legs.map(({ instrument }) => Number(instrument.minNotional ?? 0)));

/**
 * Whether bought spot of a size (USDT) leaves so few whole lots after its fee (F28) that its hedge is below the smallest
 * order, or leaves more than a tenth of it unhedged. False where a lot or a price is not known, and of legs without spot.
 */
export function isHedgedTooLittle(long: Quoted, short: Quoted, size: number): boolean {
  const { mid } = long;
  const lots = [long.instrument.lotSize, short.instrument.lotSize];
  if (long.instrument.kind !== 'spot' || !long.terms || mid === null || !lots.every(Boolean)) return false;
  const [own, other] = lots as [string, string];
  // Most sizes are of many lots.
  const isLarge = size > Math.max(2 * leastNotional([long, short]), (2 * mid * Math.max(+own, +other)) / MOST_UNHEDGED);
  if (isLarge) return false;
  const bought = floorTo(new Big(size).div(mid), own);
  const { received } = spotPurchase(bought.toFixed(), '1', long.terms.takerFee);
  const hedged = hedgeQuantity(received, [own, other]);
  return hedged.lt(received.times(1 - MOST_UNHEDGED)) || hedged.times(mid).lt(leastNotional([long, short]));
}

/** The smallest size (USDT) that is hedged well enough, lot by lot from the smallest order on; 0 of legs without bought spot. */
export function leastHedged(long: Quoted, short: Quoted): number {
  const lot = Math.max(Number(long.instrument.lotSize), Number(short.instrument.lotSize)) * (long.mid ?? 0);
  if (!(lot > 0) || long.instrument.kind !== 'spot') return 0;
  let size = Math.max(lot, leastNotional([long, short]));
  while (isHedgedTooLittle(long, short, size)) size += lot;
  return size;
}
