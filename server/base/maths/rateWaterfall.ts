import type { Leg } from '#contract/lifecycle';

/** A perpetual that is held, USDT and base currency. */
interface HeldPerpetual {
  leg: Leg;
  /** Without direction. */
  quantity: number;
  mark: number | null;
  /** At which all of it can be taken down at once; `null` where the book does not hold it. */
  exitPrice: number | null;
  /** Fraction of the notional. */
  takerFee: number | null;
  /** Sum of the settlements expected until the horizon (F29), a fraction; positive: longs pay. */
  funding: number | null;
}

interface Booked {
  /** Received is positive. */
  funding: number;
  /** Paid is positive, as slippage is. */
  fees: number;
  slippage: number;
  /** Realised and unrealised, at the marks; `null` without one. */
  pricePnl: number | null;
}

const sign = (leg: Leg): 1 | -1 => (leg === 'long' ? 1 : -1);

/** A sum that is undefined as soon as a part is. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);

/** What taking a leg down costs beside its mark: slippage and fee, 0 or below. */
function exitOf({ leg, quantity, mark, exitPrice, takerFee }: HeldPerpetual): number | null {
  if (quantity === 0) return 0;
  if (mark === null || exitPrice === null || takerFee === null) return null;
  return quantity * (sign(leg) * (exitPrice - mark) - exitPrice * takerFee);
}

/** F2 of all settlements until the horizon, at the mark of now. */
function expectedOf({ leg, quantity, mark, funding }: HeldPerpetual): number | null {
  if (quantity === 0) return 0;
  return mark === null || funding === null ? null : -sign(leg) * quantity * mark * funding;
}

/**
 * What a deal over two venues is made up of: funding - fees - slippage + what is left of the price PnL (the gap between the venues has
 * moved) is its net now; with the cost of taking it down at once what it would close with; with the funding expected until
 * the horizon what it would close with then. USDT; null from the first step on that is not known.
 */
export function rateWaterfall({ funding, fees, slippage, pricePnl }: Booked, legs: readonly HeldPerpetual[]) {
  const amounts = [
    { step: 'funding', amount: funding },
    { step: 'fees', amount: -fees },
    { step: 'slippage', amount: -slippage },
    { step: 'gap', amount: pricePnl === null ? null : pricePnl + slippage },
    { step: 'exit', amount: total(legs.map(exitOf)) },
    { step: 'expected', amount: total(legs.map(expectedOf)) },
  ] as const;
  let sum: number | null = 0;
  const steps = amounts.map(({ step, amount }) => {
    sum = total([sum, amount]);
    return { step, amount, sum };
  });
  return { steps, netNow: steps[3]!.sum, netClosed: steps[4]!.sum, netHorizon: steps[5]!.sum };
}
