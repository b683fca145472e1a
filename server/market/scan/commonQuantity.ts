import type { Quoted } from './sight';

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
