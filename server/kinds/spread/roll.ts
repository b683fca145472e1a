import { DAY_MS } from '#contract/duration';
import type { RollQuote } from '#contract/kinds/spread/desk';
import type { SpreadDirection } from '#contract/kinds/spread/scan';
import { type DealColumns, ownDeal } from '../../base/db/strategies/deal';
import { notFound, refused } from '../../base/http/refusal';
import { rollCost } from '../../base/maths/rollCost';
import type { DeskDeps } from '../../desk/deps';
import { marketOf } from '../../desk/symbol/marketOf';
import type { Listing, Market } from '../../market/exchange';
import { Quoted } from '../../market/scan/sight';
import { nextExpiryOf } from './rolling';
import { settledSpread, spreadCandidate } from './scan';

type Needs = Pick<DeskDeps, 'db' | 'markets'>;

/** An open deal as a near and a far leg; the far one is the future. */
interface Sides {
  market: Market;
  near: Listing;
  far: Listing;
  next: Listing;
  direction: SpreadDirection;
  quantity: number;
}

/**
 * What letting the far leg of a deal go on in the next expiry takes at the books of now.
 * @throws 404; `dealNotOpen`; `dealNoNext`.
 */
export async function rollQuote({ db, markets }: Needs, userId: string, id: string, now: number): Promise<RollQuote> {
  const deal = await ownDeal(db, userId, id);
  if (deal === null) throw notFound('没有这张交易单');
  const sides = await sidesOf(markets, deal);
  const { market, next, far, near, direction, quantity } = sides;
  const quoted = ({ instrument, ticker }: Listing) => new Quoted(market, instrument, ticker, now);
  const [from, to] = [quoted(far), quoted(next)];
  const sells = direction === 'sellFar';
  const [leaving, entering] = [from.at(quantity), to.at(quantity)];
  const closePrice = leaving && (sells ? leaving.ask : leaving.bid);
  const openPrice = entering && (sells ? entering.bid : entering.ask);
  const isKnown = closePrice !== null && openPrice !== null && from.mid !== null && to.mid !== null;
  const costs =
    isKnown && from.terms && to.terms
      ? rollCost(quantity, [
          { price: closePrice, mid: from.mid!, fee: from.terms.takerFee },
          { price: openPrice, mid: to.mid!, fee: to.terms.takerFee },
        ])
      : { fees: null, slippage: null, cost: null };
  const type = near.instrument.kind === 'spot' ? 'spotFuture' : 'perpetualFuture';
  const pair = {
    ...({ source: market.source, isOut: market.isOut(now), type, near: quoted(near), far: to } as const),
    ...{ spot: undefined, perpetual: undefined },
  };
  const size = quantity * (to.mid ?? next.ticker.price);
  const row = spreadCandidate(await settledSpread(pair, now), 'pending', { size, days: 1, direction }, now);
  const expiresAt = next.instrument.expiresAt!;
  return {
    from: far.instrument.symbol,
    to: next.instrument.symbol,
    source: market.source,
    ...{ expiresAt, days: (expiresAt - now) / DAY_MS, quantity, closePrice, openPrice },
    gap: isKnown ? (openPrice / closePrice - 1) * (sells ? 1 : -1) : null,
    ...costs,
    netApr: row.netFundingApr,
    obstacles: row.obstacles,
  };
}

async function sidesOf(markets: DeskDeps['markets'], { state, legs }: DealColumns): Promise<Sides> {
  const [long, short] = (['long', 'short'] as const).map((name) => legs.find(({ leg }) => leg === name));
  if (state !== 'open' || !long || !short) throw refused('dealNotOpen');
  if (long.source !== short.source) throw refused('dealNoNext');
  const market = await marketOf(markets, long.source);
  const [bought, sold] = [market.listed?.(long.symbol), market.listed?.(short.symbol)];
  if (!bought || !sold) throw refused('dealNoNext');
  // The far leg alone goes on.
  const isFarSold = sold.instrument.expiresAt !== null;
  const [near, far] = isFarSold ? [bought, sold] : [sold, bought];
  const next = await nextExpiryOf(market, near, far);
  if (next === null) throw refused('dealNoNext');
  const held = isFarSold ? long : short;
  const direction = isFarSold ? 'sellFar' : 'buyFar';
  return { market, near, far, next, direction, quantity: Math.abs(Number(held.quantity)) };
}
