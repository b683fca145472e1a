import Big from 'big.js';
import type { CloseQuote } from '#contract/hedge';
import type { Leg } from '#contract/lifecycle';
import type { HedgeRecord } from '../db/hedges/hedge';
import type { Venue } from '../exchange/venue';
import { netPnl } from '../maths/hedge';

/** A leg as far as closing it asks. */
interface HeldLeg {
  leg: Leg;
  symbol: string;
  /** Signed, base currency. */
  quantity: Big;
  /** USDT. */
  cost: number;
}

const heldLegs = (record: HedgeRecord): HeldLeg[] => {
  const { long, short, longQuantity, longCost, shortQuantity, shortCost } = record;
  const legs: HeldLeg[] = [
    { leg: 'long', symbol: long, quantity: new Big(longQuantity), cost: Number(longCost) },
    { leg: 'short', symbol: short, quantity: new Big(shortQuantity), cost: Number(shortCost) },
  ];
  return legs.filter(({ quantity }) => !quantity.eq(0));
};

/**
 * What closing both legs at once would cost and bring (F9, F11), by the venue's book and its taker fee. A leg whose
 * book does not hold its whole quantity has no price, and then neither cost nor net is known.
 */
export async function closeQuote(venue: Venue, record: HedgeRecord): Promise<CloseQuote> {
  const legs = await Promise.all(heldLegs(record).map((leg) => legQuote(venue, record.source, leg)));
  const fees = total(legs.map(({ fee }) => fee));
  const slippage = total(legs.map(({ slippage }) => slippage));
  const open = total(legs.map(({ result }) => result));
  const price = [open, Number(record.longRealised), Number(record.shortRealised)];
  const funding = Number(record.funding);
  const times = legs.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    id: record.id,
    legs: legs.map(({ result: _result, at: _at, ...leg }) => leg),
    cost: fees === null || slippage === null ? null : fees + slippage,
    net: fees === null ? null : netPnl(price, { funding, fees: Number(record.fees) + fees }),
    priceAt: times.length === 0 ? null : Math.min(...times),
  };
}

/** `null` as soon as one part is unknown. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

async function legQuote(venue: Venue, source: string, { leg, symbol, quantity, cost }: HeldLeg) {
  const side = quantity.gt(0) ? ('sell' as const) : ('buy' as const);
  const size = quantity.abs();
  const [quote, terms, taken] = await Promise.all([
    venue.quote(source, symbol),
    venue.terms(source, symbol),
    venue.cost(source, symbol, side, size.toFixed()),
  ]);
  const mid = quote === undefined ? null : (quote.bid + quote.ask) / 2;
  const price = taken !== undefined && new Big(taken.quantity).gte(size) ? taken.price : null;
  const signed = quantity.toNumber();
  return {
    leg,
    symbol,
    side,
    quantity: size.toFixed(),
    mid,
    price,
    slippage: price === null || mid === null ? null : signed * (mid - price),
    fee: price === null || terms === undefined ? null : Math.abs(signed) * price * terms.takerFee,
    result: price === null ? null : signed * price - cost,
    at: quote?.at ?? null,
  };
}
