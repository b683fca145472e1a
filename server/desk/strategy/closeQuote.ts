import Big from 'big.js';
import type { CloseQuote } from '#contract/closeQuote';
import { LEGS, type Leg } from '#contract/lifecycle';
import type { DealColumns, LegRow } from '../../base/db/strategies/deal';
import { netPnl } from '../../base/maths/hedge';
import type { Venue } from '../../market/venue';

/**
 * What closing all legs of a deal at once would cost and bring (F9, F11), by the venues' books and their taker fees. A leg
 * whose book does not hold its whole quantity has no price, and then neither cost nor net is known.
 */
export async function closeQuote(venue: Venue, deal: DealColumns): Promise<CloseQuote> {
  const held = LEGS.flatMap((name) => deal.legs.filter(({ leg, quantity }) => leg === name && Number(quantity) !== 0));
  const legs = await Promise.all(held.map((leg) => legQuote(venue, leg)));
  const fees = total(legs.map(({ fee }) => fee));
  const slippage = total(legs.map(({ slippage }) => slippage));
  const open = total(legs.map(({ result }) => result));
  const booked = (figure: 'realised' | 'funding' | 'fees') =>
    deal.legs.reduce((sum, leg) => sum + Number(leg[figure]), 0);
  const times = legs.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    id: deal.id,
    legs: legs.map(({ result: _result, at: _at, ...leg }) => leg),
    cost: fees === null || slippage === null ? null : fees + slippage,
    realised: open === null || fees === null ? null : open - fees,
    net:
      fees === null
        ? null
        : netPnl([open, booked('realised')], { funding: booked('funding'), fees: booked('fees') + fees }),
    priceAt: times.length === 0 ? null : Math.min(...times),
  };
}

/** `null` as soon as one part is unknown. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

async function legQuote(venue: Venue, { leg, source, symbol, quantity, cost }: LegRow) {
  const held = new Big(quantity);
  const side = held.gt(0) ? ('sell' as const) : ('buy' as const);
  const size = held.abs();
  const [quote, terms, taken] = await Promise.all([
    venue.quote(source, symbol),
    venue.terms(source, symbol),
    venue.cost(source, symbol, side, size.toFixed()),
  ]);
  const mid = quote === undefined ? null : (quote.bid + quote.ask) / 2;
  const price = taken !== undefined && new Big(taken.quantity).gte(size) ? taken.price : null;
  const signed = held.toNumber();
  return {
    leg: leg as Leg,
    source,
    symbol,
    side,
    quantity: size.toFixed(),
    mid,
    price,
    slippage: price === null || mid === null ? null : signed * (mid - price),
    fee: price === null || terms === undefined ? null : Math.abs(signed) * price * terms.takerFee,
    result: price === null ? null : signed * price - Number(cost),
    at: quote?.at ?? null,
  };
}
