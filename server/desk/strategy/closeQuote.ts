import Big from 'big.js';
import { isLiveSource, venueName } from '#contract/candle';
import type { CloseQuote } from '#contract/closeQuote';
import { LEGS, type Leg } from '#contract/lifecycle';
import { spaced } from '#contract/spaced';
import { holdsPair, type StrategyKind } from '#contract/strategy';
import { ledgerPositions } from '../../base/db/accounts/ledger';
import type { Queries } from '../../base/db/client';
import { type DealColumns, heldDealLegs, type LegRow } from '../../base/db/strategies/deal';
import { isReducing } from '../../base/db/strategies/reduction';
import { crumbOf } from '../../base/maths/crumb';
import { plain, smaller, ZERO } from '../../base/maths/decimal';
import { netPnl } from '../../base/maths/hedge';
import { closableOf } from '../../base/maths/spareCoin';
import type { SourceSymbol } from '../../base/symbolKey';
import { takenWords } from '../../engine/words';
import type { Markets } from '../../market/exchange';
import type { Quote, TradingTerms } from '../../market/venue';
import type { DeskDeps } from '../deps';
import { cutOf, heldOf, legTermsOf, restRefusal, underWay } from './partQuote';

/** Why a symbol that is held has no quote, and what becomes of an order to close it, in words; null where it has one. */
async function whyNoBook(
  markets: Markets,
  { source, symbol }: SourceSymbol,
  quote: Quote | undefined,
): Promise<string | null> {
  if (quote !== undefined) return null;
  const market = await markets.get(source);
  const name = venueName(source);
  if (isLiveSource(source) && market?.kind !== 'live')
    return spaced(`${name}已停止跟踪，没有实时盘口：恢复跟踪后才会平仓`);
  if (market?.isOut()) return spaced(`${name}没有应答，没有盘口：恢复后才会平仓`);
  return spaced(`${name}的 ${symbol} 现在没有盘口：有盘口后才会平仓`);
}

type Asked = Pick<DeskDeps['venue'], 'quote' | 'terms' | 'cost'>;
type Needs = Pick<DeskDeps, 'db' | 'markets'> & { venue: Asked };

/** A venue for one reading of many deals: the same question is put to it once, whoever asks. */
export function askedOnce(venue: Asked): Asked {
  return {
    quote: once((source, symbol) => venue.quote(source, symbol)),
    terms: once((source, symbol) => venue.terms(source, symbol)),
    cost: once((...question) => venue.cost(...question)),
  };
}

function once<Q extends readonly string[], A>(ask: (...question: Q) => Promise<A>): (...question: Q) => Promise<A> {
  const answers = new Map<string, Promise<A>>();
  return (...question) => {
    const key = JSON.stringify(question);
    const answer = answers.get(key) ?? ask(...question);
    answers.set(key, answer);
    return answer;
  };
}

/** All of it, at the market, where nothing is told. */
interface Part {
  percent?: number;
  maker?: boolean;
  /** What of each leg can be closed, unsigned, base currency; all of it where nothing is told. */
  closable?: Closable;
}

type Closable = Record<string, Big | undefined>;

/** What of each leg of a deal can be closed by what its account holds and other deals stand against it. */
export async function closableLegs(deps: Pick<DeskDeps, 'db' | 'venue'>, deal: DealColumns): Promise<Closable> {
  return closableIn(deps.venue, deal, await heldIn(deps.db, [deal.userId]));
}

/** What of open deals somebody traded away by hand, in words, by deal. On paper nobody can. */
export async function takenAway(
  { db, venue }: Pick<DeskDeps, 'db' | 'venue'>,
  deals: readonly DealColumns[],
): Promise<Map<string, string>> {
  const pairs = deals.filter(
    ({ mode, state, kind }) => mode === 'live' && state === 'open' && holdsPair(kind as StrategyKind),
  );
  if (pairs.length === 0) return new Map();
  const there = await heldIn(db, [...new Set(pairs.map(({ userId }) => userId))]);
  const found = pairs.map(async (deal) => {
    const closable = await closableIn(venue, deal, there);
    const words = await Promise.all(
      deal.legs.map(async ({ leg, source, symbol, quantity }) => {
        const terms = await venue.terms(source, symbol);
        const left = closable[leg];
        return left && terms ? takenWords(symbol, new Big(quantity), left, terms.lotSize) : '';
      }),
    );
    return [deal.id, words.filter(Boolean).join('；')] as const;
  });
  return new Map((await Promise.all(found)).filter(([, words]) => words !== ''));
}

/** What accounts of users hold by the books, and what legs of deals do. */
const heldIn = async (db: Queries, userIds: readonly string[]) => ({
  positions: await ledgerPositions(db, userIds),
  all: await heldDealLegs(db, userIds),
});

async function closableIn(
  venue: Pick<DeskDeps['venue'], 'terms'>,
  { legs }: DealColumns,
  { positions, all }: Awaited<ReturnType<typeof heldIn>>,
): Promise<Closable> {
  const ofEach = legs.map(async ({ leg, accountId, source, symbol, quantity }) => {
    const isHere = (of: SourceSymbol & { accountId: string }) =>
      of.accountId === accountId && of.source === source && of.symbol === symbol;
    const against = all.filter((one) => isHere(one) && Number(one.quantity) * Number(quantity) < 0);
    const there = positions.find(isHere);
    // Nothing is booked there: what is held nobody has traded away.
    if (there === undefined) return [leg, undefined] as const;
    const closable = closableOf({
      held: new Big(quantity),
      position: new Big(there.quantity),
      offset: against.reduce((sum, one) => sum.plus(new Big(one.quantity).abs()), ZERO),
      isSpot: (await venue.terms(source, symbol))?.kind === 'spot',
    });
    return [leg, closable] as const;
  });
  return Object.fromEntries(await Promise.all(ofEach));
}

/**
 * What closing all legs of a deal at once would cost and bring (F9, F11), by the venues' books and their taker fees; or a part of both,
 * or by the best prices of their own sides and the maker fees where they rest. Coin that is too little for an order is
 * left, as the engine writes it off. A leg whose book does not hold its whole quantity has no price, and then neither
 * cost nor net is known.
 */
export async function closeQuote(
  deps: Needs,
  deal: DealColumns,
  { percent = 100, maker = false, closable = {} }: Part = {},
): Promise<CloseQuote> {
  const held = LEGS.flatMap((name) => deal.legs.filter(({ leg, quantity }) => leg === name && Number(quantity) !== 0));
  const cut = percent === 100 ? {} : await partOf(deps, deal, percent);
  const refusal = typeof cut === 'string' ? cut : maker ? await restRefusal(deps, deal) : null;
  const taken = typeof cut === 'string' ? [] : held;
  const legs = await Promise.all(
    taken.map((leg) =>
      legQuote(deps, leg, { part: (cut as Record<string, Big>)[leg.leg] ?? null, maker, closable: closable[leg.leg] }),
    ),
  );
  const fees = total(legs.map(({ fee }) => fee));
  const slippage = total(legs.map(({ slippage }) => slippage));
  const open = total(legs.map(({ result }) => result));
  const rest = total(legs.map(({ rest }) => rest));
  const booked = (figure: 'realised' | 'funding' | 'fees') =>
    deal.legs.reduce((sum, leg) => sum + Number(leg[figure]), 0);
  const times = legs.flatMap(({ at }) => (at === null ? [] : [at]));
  const isKnown = refusal === null && fees !== null;
  return {
    id: deal.id,
    percent,
    maker,
    held: heldOf(deal),
    refusal,
    legs: legs.map(({ result: _result, rest: _rest, at: _at, ...leg }) => leg),
    cost: !isKnown || slippage === null ? null : fees + slippage,
    realised: !isKnown || open === null ? null : open - fees,
    net: isKnown
      ? netPnl([open, rest, booked('realised')], { funding: booked('funding'), fees: booked('fees') + fees })
      : null,
    priceAt: times.length === 0 ? null : Math.min(...times),
  };
}

/** What a part comes to of each leg; why it cannot be closed, in words. */
async function partOf(
  { venue, markets }: Needs,
  deal: DealColumns,
  percent: number,
): Promise<Record<Leg, Big> | string> {
  if (!holdsPair(deal.kind as StrategyKind)) return '这一类交易单只能全部平仓';
  if (isReducing(deal)) return underWay(deal.reduction!.percent);
  const terms = await legTermsOf(venue, deal);
  const unpriced = deal.legs.find(({ leg }) => terms[leg as Leg] === null);
  const why = unpriced && (await whyNoBook(markets, unpriced, await venue.quote(unpriced.source, unpriced.symbol)));
  return why ?? cutOf(deal, terms, percent);
}

/** `null` as soon as one part is unknown. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

/** What of a leg goes when all of it is asked for, base currency. */
function goesOf(held: Big, terms: TradingTerms | undefined, mid: number | null): Big {
  const isSold = terms?.kind === 'spot' && mid !== null;
  return isSold ? held.minus(crumbOf(held, terms, mid)) : held;
}

interface LegPart {
  /** What is asked for of it, base currency; null for all. */
  part: Big | null;
  maker: boolean;
  closable: Big | undefined;
}

async function legQuote(
  { venue, markets }: Needs,
  { leg, source, symbol, quantity, cost }: LegRow,
  { part, maker, closable }: LegPart,
) {
  const held = new Big(quantity);
  const isLong = held.gt(0);
  const side = isLong ? ('sell' as const) : ('buy' as const);
  const [quote, terms] = await Promise.all([venue.quote(source, symbol), venue.terms(source, symbol)]);
  const mid = quote === undefined ? null : (quote.bid + quote.ask) / 2;
  const there = closable ?? held.abs();
  const size = part === null ? goesOf(there, terms, mid) : smaller(part, there);
  const gone = part === null ? held.abs().minus(there) : ZERO;
  const left = held.abs().minus(size).minus(gone);
  const rest = left.plus(gone);
  const signed = (of: Big) => (isLong ? of : of.neg()).toNumber();
  const costOf = (of: Big) => new Big(cost).times(of).div(held.abs()).toNumber();
  const atBest = () => (quote === undefined ? null : isLong ? quote.ask : quote.bid);
  const fill = async () => {
    const price = maker ? atBest() : await takenAt(venue, { source, symbol }, side, size);
    const fee = maker ? terms?.makerFee : terms?.takerFee;
    return soldAt({ signed: signed(size), cost: costOf(size), mid, price, fee });
  };
  return {
    leg: leg as Leg,
    source,
    symbol,
    side,
    quantity: plain(size),
    left: plain(left),
    ...(gone.gt(0) && { gone: plain(gone) }),
    mid,
    ...(size.eq(0) ? NOTHING : await fill()),
    unpriced: await whyNoBook(markets, { source, symbol }, quote),
    /** What stays, at the mid. */
    rest: rest.eq(0) ? 0 : mid === null ? null : signed(rest) * mid - costOf(rest),
    at: quote?.at ?? null,
  };
}

/** The average price of taking a quantity from the book at once; null where it does not hold all of it. */
async function takenAt(venue: Asked, { source, symbol }: SourceSymbol, side: 'buy' | 'sell', size: Big) {
  const taken = await venue.cost(source, symbol, side, size.toFixed());
  return taken !== undefined && new Big(taken.quantity).gte(size) ? taken.price : null;
}

interface Sale {
  /** What goes, base currency. */
  signed: number;
  /** What it was bought for, USDT. */
  cost: number;
  mid: number | null;
  price: number | null;
  /** A fraction of what is traded. */
  fee: number | undefined;
}

type Sold = Record<'price' | 'slippage' | 'fee' | 'result', number | null>;
const NOTHING: Sold = { price: null, slippage: 0, fee: 0, result: 0 };

/** What going at a price costs and brings, USDT; null where it is not known. */
const soldAt = ({ signed, cost, mid, price, fee }: Sale): Sold => ({
  price,
  slippage: price === null || mid === null ? null : signed * (mid - price),
  fee: price === null || fee === undefined ? null : Math.abs(signed) * price * fee,
  result: price === null ? null : signed * price - cost,
});
