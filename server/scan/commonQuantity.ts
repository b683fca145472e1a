import type { Instrument } from '../exchange/exchange';

type Steps = Pick<Instrument, 'lotSize'>;

/** F28: so much of a coin as `size` (USDT) is at a price, in lots that both legs have; 0 where it is less than one. */
export function commonQuantity(size: number, price: number, legs: readonly [Steps, Steps]): number {
  const lot = Math.max(...legs.map(({ lotSize }) => Number(lotSize ?? 0)));
  if (!(lot > 0) || !(price > 0)) return 0;
  // A billionth hides the rounding of the divisions.
  return Number((Math.floor(size / price / lot + 1e-9) * lot).toPrecision(12));
}
