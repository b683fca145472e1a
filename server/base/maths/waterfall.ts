import type { Waterfall, WaterfallStep } from '#contract/dealOutlook';
import type { Leg } from '#contract/lifecycle';
import { totalOf } from './decimal';

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
  /** `null` of a ladder: its orders rest far from the price of their moment. */
  slippage: number | null;
  /** Realised and unrealised, at the marks; `null` without one. */
  pricePnl: number | null;
}

const sign = (leg: Leg): 1 | -1 => (leg === 'long' ? 1 : -1);

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

/** What is booked of a deal, in the order in which it is read; `exit` is absent where it has been closed. */
export function dealWaterfall({ funding, fees, slippage, pricePnl }: Booked, exit?: number | null): Waterfall {
  return summed([
    ['funding', funding],
    ['fees', -fees],
    ...(slippage === null ? [] : [['slippage', -slippage] as const]),
    ['gap', pricePnl === null ? null : pricePnl + (slippage ?? 0)],
    ...(exit === undefined ? [] : [['exit', exit] as const]),
  ]);
}

/**
 * What a deal over two venues is made up of: funding - fees - slippage + what is left of the price PnL (the gap between the venues has
 * moved) is its net now; with the cost of taking it down at once what it would close with; with the funding expected until
 * the horizon what it would close with then. USDT; null from the first step on that is not known.
 */
export function rateWaterfall(booked: Booked, legs: readonly HeldPerpetual[]): Waterfall {
  const { steps } = dealWaterfall(booked, totalOf(legs.map(exitOf)));
  return summed([
    ...steps.map(({ step, amount }) => [step, amount] as const),
    ['expected', totalOf(legs.map(expectedOf))],
  ]);
}

function summed(amounts: readonly (readonly [step: WaterfallStep, amount: number | null])[]): Waterfall {
  let sum: number | null = 0;
  const steps = amounts.map(([step, amount]) => {
    sum = totalOf([sum, amount]);
    return { step, amount, sum };
  });
  return { steps };
}
