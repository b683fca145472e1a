import { DAY_MS } from '#contract/duration';
import type { RollQuote, SpreadExpiry, SpreadRoll } from '#contract/kinds/spread/desk';
import type { SpreadParams } from '#contract/kinds/spread/params';
import type { SpreadDirection } from '#contract/kinds/spread/scan';
import { PAST_DAYS } from '#contract/scanPast';
import type { DealRow } from '#contract/strategyRow';
import { type DealColumns, dealsById, ownDeal, rolledDeals } from '../../base/db/strategies/deal';
import { notFound, refused } from '../../base/http/refusal';
import { type EntryEdge, expectedAndRealised, rollCost } from '../../base/maths/basis';
import { usdt } from '../../base/maths/decimal';
import type { DeskDeps } from '../../desk/deps';
import { mustOwn } from '../../desk/strategy/strategyIntents';
import { dealRows } from '../../desk/strategy/strategyRows';
import { marketOf } from '../../desk/symbol/marketOf';
import { leverageOf } from '../../engine/tradingBook';
import { INSTRUMENT_KINDS, type Listing, type Market } from '../../market/exchange';
import { Quoted } from '../../market/scan/sight';
import { nextExpiryOf } from './rolling';
import { settledSpread, spreadCandidate } from './scan';

type Needs = Pick<DeskDeps, 'db' | 'markets'> & { venue: Pick<DeskDeps['venue'], 'margin'> };

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
export async function rollQuote(
  { db, markets, venue }: Needs,
  userId: string,
  id: string,
  now: number,
): Promise<RollQuote> {
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
    refusal: await roomRefusal(venue, deal, size),
  };
}

/** Why the account of a deal may not hold one leg more for the time of a roll, in words; null where it may, or is silent. */
async function roomRefusal(
  venue: Needs['venue'],
  { params, legs }: DealColumns,
  notional: number,
): Promise<string | null> {
  const known = await venue.margin(legs[0]!.accountId).catch(() => null);
  if (known === null) return null;
  const { room, marginBalance, initialMargin } = known;
  const more = '移仓其间多持一腿：还要';
  if (room !== undefined && Number(room) < notional) {
    return `${more} ${usdt(notional)}，账户的名义上限（LIVE_MAX_NOTIONAL）只余 ${usdt(Number(room))}`;
  }
  const margin = notional / leverageOf({ params: params as SpreadParams });
  const free = Math.max(0, Number(marginBalance) - Number(initialMargin));
  return free >= margin ? null : `${more}保证金 ${usdt(margin)}，账户可用保证金只余 ${usdt(free)}`;
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

interface Pair {
  source: string;
  near: string;
  far: string;
}

/**
 * When two instruments expire, and when a user's deals went over to them from an earlier expiry or from them to the next
 * one; as far back as their basis is told of. @throws a refusal for what the source does not list.
 */
export async function spreadDates(
  { db, markets }: Pick<DeskDeps, 'db' | 'markets'>,
  userId: string,
  pair: Pair,
  now: number,
) {
  const market = await marketOf(markets, pair.source);
  const listed = new Map((await market.instruments(INSTRUMENT_KINDS)).map((one) => [one.symbol, one.expiresAt]));
  const expiries = (
    [
      ['near', pair.near],
      ['far', pair.far],
    ] as const
  ).flatMap(([field, symbol]) => {
    const at = listed.get(symbol);
    if (at === undefined) throw refused('unknownSymbol', symbol, field);
    return at === null ? [] : [{ symbol, at }];
  });
  return { expiries, rolls: await rollsOf(db, userId, pair, now - PAST_DAYS * DAY_MS) };
}

async function rollsOf(db: DeskDeps['db'], userId: string, pair: Pair, since: number): Promise<SpreadRoll[]> {
  const later = await rolledDeals(db, userId, since);
  const earlier = new Map(
    (
      await dealsById(
        db,
        userId,
        later.map(({ rolledFrom }) => rolledFrom!),
      )
    ).map((one) => [one.id, one]),
  );
  return later
    .flatMap((after): SpreadRoll[] => {
      const before = earlier.get(after.rolledFrom!);
      if (before === undefined) return [];
      const way = isOf(after, pair) ? 'in' : isOf(before, pair) ? 'out' : null;
      const [from, to] = [goneOn(before, after), goneOn(after, before)];
      return way === null || from === undefined || to === undefined ? [] : [{ at: after.openedAt!, way, from, to }];
    })
    .sort((a, b) => a.at - b.at);
}

/** Whether a deal holds the two against each other, whichever way round. */
const isOf = ({ legs }: DealColumns, { source, near, far }: Pair): boolean =>
  [near, far].every((symbol) => legs.some((leg) => leg.source === source && leg.symbol === symbol));

/** The leg of a deal that another one does not have. */
const goneOn = ({ legs }: DealColumns, other: DealColumns): string | undefined =>
  legs.find(({ symbol }) => !other.legs.some((leg) => leg.symbol === symbol))?.symbol;

const DEALS = 1_000;

/** How well the deals of a strategy came in, and what each expiry made. @throws 404 for any other id */
export async function spreadFigures(needs: Pick<DeskDeps, 'db' | 'markets'>, userId: string, id: string, now: number) {
  const strategy = await mustOwn(needs.db, userId, id);
  if (strategy.kind !== 'spread') throw notFound('没有这个策略');
  const deals = await dealRows(needs, id, now, DEALS);
  const opened = deals.filter(({ openedAt }) => openedAt !== null);
  // What took its near leg over was not filled on both.
  const seconds = opened.flatMap(({ secondFillMs }) => (secondFillMs === null ? [] : [secondFillMs]));
  return {
    ...expectedAndRealised(opened.flatMap(edgeOf)),
    secondFillMs: seconds.length === 0 ? null : Math.round(seconds.reduce((sum, ms) => sum + ms, 0) / seconds.length),
    opened: opened.length,
    unmatched: deals.filter(({ closeReason, oneLegSince }) => closeReason === 'oneLeg' || oneLegSince !== null).length,
    expiries: expiriesOf(opened),
  };
}

function edgeOf({ edgeOpen, edgeTaken, legs }: DealRow): EntryEdge[] {
  const [long] = legs;
  if (edgeOpen === null || edgeTaken === null || long?.entry == null) return [];
  return [{ expected: edgeOpen, realised: edgeTaken, notional: Math.abs(Number(long.opened)) * long.entry }];
}

const total = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** The legs of a deal; of one that expires its future alone, whatever it is held against. */
function nameOf({ legs, expiresAt }: DealRow): string {
  const names = legs.map(({ symbol }) => symbol);
  return (expiresAt === null ? undefined : names.find((symbol) => /_\d{6}$/.test(symbol))) ?? names.join(' / ');
}

function expiriesOf(deals: readonly DealRow[]): SpreadExpiry[] {
  const groups = new Map<string, DealRow[]>();
  for (const deal of deals) {
    const key = `${deal.expiresAt ?? ''} ${nameOf(deal)}`;
    groups.set(key, [...(groups.get(key) ?? []), deal]);
  }
  return [...groups.values()]
    .map((own): SpreadExpiry => {
      const held = own.filter(({ closedAt }) => closedAt === null);
      const { edgeOpen, edgeTaken } = expectedAndRealised(own.flatMap(edgeOf));
      return {
        ...{ far: nameOf(own[0]!), expiresAt: own[0]!.expiresAt, deals: own.length, running: held.length },
        ...{ edgeOpen, edgeTaken },
        pricePnl: total(own.map(({ pricePnl }) => pricePnl)),
        funding: total(own.map(({ funding }) => funding)),
        fees: total(own.map(({ fees }) => fees)),
        net: total(own.map(({ net }) => net)),
        expected: held.length === 0 ? null : total(held.map(({ expected }) => expected)),
      };
    })
    .sort((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
}
