import Big from 'big.js';
import { smaller, ZERO } from '../../base/maths/decimal';
import type { BookLevel, OrderBook } from '../exchange';
import type { Side, TradingTerms } from '../venue';

/** What was taken at one price: USDT a coin, base currency. */
export interface Taken {
  price: Big;
  quantity: Big;
}

const LEVELS = 20;
/** Part of a day's turnover that rests on one side, the more the farther from the middle. */
const DEPTH_SHARE = 0.005;
const WEIGHTS = (LEVELS * (LEVELS + 1)) / 2;
/** Half-spread of a coin with 100 million USDT of turnover; it narrows with the root of the turnover. */
const USUAL_HALF_SPREAD = 0.0002;
const USUAL_TURNOVER = 1e8;
const HALF_SPREAD_RANGE = [0.00002, 0.002] as const;
const LEVEL_WIDTH = 0.0005;
const MOST_FILLS = 3;
/** Hides the last bits of a division of decimals, so that 0.3 / 0.1 is 3 ticks. */
const GRAIN = 1e-9;

/**
 * The book around a price where a source has none of its own: 20 levels a side, at least 5 bps apart, with 0.5 % of the day's
 * turnover on each side. The same input gives the same book.
 * @param price USDT, above zero
 * @param turnover24h USDT, above zero
 */
export function orderBook(price: number, turnover24h: number, terms: TradingTerms): OrderBook {
  const tick = Number(terms.tickSize);
  const [narrowest, widest] = HALF_SPREAD_RANGE;
  const spread = USUAL_HALF_SPREAD * Math.sqrt(USUAL_TURNOVER / turnover24h);
  const half = Math.min(widest, Math.max(narrowest, spread));
  const step = Math.max(1, Math.round((price * Math.max(LEVEL_WIDTH, half)) / tick));
  const side = (best: number, direction: 1 | -1) =>
    Array.from({ length: LEVELS }, (_, i) => {
      const ticks = best + direction * i * step;
      const notional = (turnover24h * DEPTH_SHARE * (i + 1)) / WEIGHTS;
      return { ticks, lots: Math.max(1, Math.floor(notional / (ticks * tick) / Number(terms.lotSize) + GRAIN)) };
    }).filter(({ ticks }) => ticks > 0);
  return {
    tickSize: new Big(terms.tickSize),
    lotSize: new Big(terms.lotSize),
    bids: side(Math.floor((price * (1 - half)) / tick + GRAIN), -1),
    asks: side(Math.ceil((price * (1 + half)) / tick - GRAIN), 1),
  };
}

/** What an order of this side meets: asks for a buyer. */
const facing = (book: OrderBook, side: Side): BookLevel[] => (side === 'buy' ? book.asks : book.bids);

/** Whether a price is as good as `limit` for who trades on `side`. */
const within = (side: Side, price: Big, limit: Big): boolean => (side === 'buy' ? price.lte(limit) : price.gte(limit));

/** The best price that an order of this side meets; undefined when nobody is there. */
export function bestPrice(book: OrderBook, side: Side): Big | undefined {
  const level = facing(book, side)[0];
  return level && book.tickSize.times(level.ticks);
}

/** The price of the last level that an order of this side could reach. */
export function worstPrice(book: OrderBook, side: Side): Big | undefined {
  const level = facing(book, side).at(-1);
  return level && book.tickSize.times(level.ticks);
}

/** How much an order of this side could take at once up to `limit`, base currency. */
export function depthWithin(book: OrderBook, side: Side, limit: Big): Big {
  let lots = 0;
  for (const level of facing(book, side)) {
    if (!within(side, book.tickSize.times(level.ticks), limit)) break;
    lots += level.lots;
  }
  return book.lotSize.times(lots);
}

/**
 * Takes up to `quantity` from the book, level by level, not beyond `limit`. At most three fills come of it:
 * what lies behind the second level is one, at its average price rounded to the tick against the taker.
 */
export function takeFromBook(book: OrderBook, side: Side, quantity: Big, limit?: Big): Taken[] {
  const taken: Taken[] = [];
  let rest = quantity;
  for (const level of facing(book, side)) {
    const price = book.tickSize.times(level.ticks);
    if (rest.lte(0) || (limit !== undefined && !within(side, price, limit))) break;
    const here = smaller(rest, book.lotSize.times(level.lots));
    taken.push({ price, quantity: here });
    rest = rest.minus(here);
  }
  if (taken.length <= MOST_FILLS) return taken;
  const { price, quantity: merged } = average(taken.slice(MOST_FILLS - 1));
  const ticks = price.div(book.tickSize).round(0, side === 'buy' ? Big.roundUp : Big.roundDown);
  return [...taken.slice(0, MOST_FILLS - 1), { price: ticks.times(book.tickSize), quantity: merged }];
}

/** Total quantity and volume-weighted price, which is exact to 20 digits. F9. */
export function average(taken: Taken[]): Taken {
  const quantity = taken.reduce((sum, one) => sum.plus(one.quantity), ZERO);
  const notional = taken.reduce((sum, one) => sum.plus(one.price.times(one.quantity)), ZERO);
  return { price: notional.div(quantity), quantity };
}
