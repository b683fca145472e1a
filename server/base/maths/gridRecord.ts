import { DAY_MS, HOUR_MS } from '#contract/duration';

/** What was bought (positive) or sold of a coin: UTC ms, base currency, USDT a coin, USDT. */
interface Traded {
  at: number;
  signed: number;
  price: number;
  fee: number;
}

/** A price that is known: UTC ms, USDT. */
interface Priced {
  at: number;
  price: number;
}

interface Recorded {
  /** Ascending in time, as all the others are. */
  fills: readonly Traded[];
  /** Settlements, received is positive, USDT. */
  funding: readonly { at: number; amount: number }[];
  /** Closes of bars, and at the end what it is now. */
  prices: readonly Priced[];
  /** The range at an instant. */
  rangeAt: (at: number) => { lower: number; upper: number };
  /** USDT. */
  capital: number;
  /** UTC ms. */
  from: number;
  until: number;
  /** When it began, USDT; `null` where nobody knows. */
  startPrice: number | null;
}

/** A stretch of time beyond the range; `until` is null while it lasts. */
export interface Away {
  from: number;
  until: number | null;
  side: 'above' | 'below';
}

/**
 * How a grid did. Net at a price = cash of its fills + what it holds x price + funding. Drawdown is F20 on capital + net;
 * `hold` is what the capital would have made if all of it had bought the coin at the beginning, without leverage and fees.
 */
export function gridRecord({ fills, funding, prices, rangeAt, capital, from, until, startPrice }: Recorded) {
  let [cash, held, paid, peak, deepest, deepestUsdt] = [0, 0, 0, capital, 0, 0];
  let [mostHeld, mostHeldValue, inside] = [0, 0, 0];
  let [fill, settled] = [0, 0];
  const away: Away[] = [];
  const net: number[] = [];
  for (const { at, price } of prices) {
    for (; fill < fills.length && fills[fill]!.at <= at; fill += 1) {
      const { signed, price: traded, fee } = fills[fill]!;
      cash -= signed * traded + fee;
      held += signed;
      if (Math.abs(held) <= mostHeld) continue;
      mostHeld = Math.abs(held);
      mostHeldValue = mostHeld * traded;
    }
    for (; settled < funding.length && funding[settled]!.at <= at; settled += 1) paid += funding[settled]!.amount;
    const made = cash + held * price + paid;
    net.push(made);
    peak = Math.max(peak, capital + made);
    deepest = Math.min(deepest, (capital + made) / peak - 1);
    deepestUsdt = Math.min(deepestUsdt, capital + made - peak);
    inside += noteAway(away, { at, price }, rangeAt(at));
  }
  const last = prices.at(-1)?.price;
  const days = (until - from) / DAY_MS;
  const hold = last === undefined || startPrice === null ? null : capital * (last / startPrice - 1);
  const made = net.at(-1) ?? null;
  return {
    inRange: prices.length === 0 ? null : inside / prices.length,
    fillsPerDay: days < 1 ? null : fills.length / days,
    ...{ mostHeld, mostHeldValue, drawdown: prices.length === 0 ? null : deepest, drawdownUsdt: deepestUsdt },
    ...{ hold, versusHold: hold === null || made === null ? null : made - hold },
    ...{ net, away },
  };
}

/** @returns 1 for a price within the range, else 0. */
function noteAway(away: Away[], { at, price }: Priced, { lower, upper }: { lower: number; upper: number }): 0 | 1 {
  const running = away.at(-1);
  const side = price > upper ? 'above' : price < lower ? 'below' : null;
  if (running?.until === null && running.side !== side) running.until = at;
  if (side !== null && (running?.until !== null || running.side !== side)) away.push({ from: at, until: null, side });
  return side === null ? 1 : 0;
}

/** Closes of hours that ended within a time, and what the price is at its end. @param opened UTC ms */
export function pricesWithin(
  { time, close }: { time: ArrayLike<number>; close: ArrayLike<number> },
  { from, until }: { from: number; until: number },
  now: number | null,
): Priced[] {
  const prices: Priced[] = [];
  for (let i = 0; i < time.length; i += 1) {
    const at = time[i]! + HOUR_MS;
    if (at >= from && at < until) prices.push({ at, price: close[i]! });
  }
  return now === null ? prices : [...prices, { at: until, price: now }];
}
