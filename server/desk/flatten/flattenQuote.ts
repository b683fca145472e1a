import Big from 'big.js';
import type { FlattenBlock } from '#contract/flatten';
import type { ReachedDeal } from '../../base/db/books/flatten';
import type { LegRow } from '../../base/db/strategies/deal';
import { ZERO } from '../../base/maths/decimal';
import { legPnl, netPnl } from '../../base/maths/hedge';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import { ORDER_IN_DOUBT } from '../../engine/words';
import { markPrice } from '../../market/marks';
import type { DeskDeps } from '../deps';
import { type MarketNow, marketsNow } from '../symbol/marketNow';

type Needs = Pick<DeskDeps, 'venue' | 'markets'>;

/** What it would take to close a deal now, USDT; null for what is not known. */
export interface DealQuote {
  notional: number | null;
  /** Fees and slippage against the mid. */
  cost: number | null;
  /** Net PnL of the deal after it. */
  net: number | null;
  /** Why it would not close at once. */
  why: FlattenBlock | null;
}

/** What many deals come to together, and the mid of each of their markets. */
export interface Quotes {
  of: ReadonlyMap<string, DealQuote>;
  midOf(place: SourceSymbol): number | null;
}

/** What closing everything would take of one side of one book. */
interface Taking extends SourceSymbol {
  mid: number | null;
  /** What all of it goes for on average; null where the book does not hold as much. */
  price: number | null;
  takerFee: number;
  block: FlattenBlock | null;
}

const held = ({ legs }: ReachedDeal): LegRow[] => legs.filter(({ quantity }) => Number(quantity) !== 0);
const sideOf = ({ quantity }: Pick<LegRow, 'quantity'>) =>
  Number(quantity) > 0 ? ('sell' as const) : ('buy' as const);
const takingKey = (leg: LegRow): string => `${sideOf(leg)} ${symbolKey(leg)}`;

/**
 * What closing deals at once would cost and bring (F9, F11), by the venues' books and their taker fees. Deals that take
 * from the same side of a book share it: what one has taken is not there for the next.
 */
export async function quotesOf({ venue, markets }: Needs, deals: readonly ReachedDeal[], now: number): Promise<Quotes> {
  const legs = deals.flatMap(held);
  const byKey = new Map<string, LegRow[]>();
  for (const leg of legs) byKey.set(takingKey(leg), [...(byKey.get(takingKey(leg)) ?? []), leg]);
  const sources = await marketsNow(
    markets,
    legs.map(({ source }) => source),
    now,
  );
  const takings = new Map<string, Taking>();
  for (const [key, own] of byKey) takings.set(key, await takingOf(venue, own, sources, now));
  const mids = new Map([...takings.values()].map((taking) => [symbolKey(taking), taking.mid]));
  return {
    of: new Map(deals.map((deal) => [deal.id, dealQuote(deal, takings, sources)])),
    midOf: (place) => mids.get(symbolKey(place)) ?? null,
  };
}

/** A venue that cannot be asked keeps nobody from closing: it is closed without a word on what that costs. */
const answerOf = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);

async function takingOf(
  venue: Needs['venue'],
  legs: readonly LegRow[],
  sources: ReadonlyMap<string, MarketNow>,
  now: number,
): Promise<Taking> {
  const { source, symbol } = legs[0]!;
  const size = legs.reduce((sum, { quantity }) => sum.plus(new Big(quantity).abs()), ZERO);
  const [quote, terms, taken, gone = null] = await Promise.all([
    answerOf(venue.quote(source, symbol)),
    answerOf(venue.terms(source, symbol)),
    answerOf(venue.cost(source, symbol, sideOf(legs[0]!), size.toFixed())),
    answerOf(venue.goneBy(source, symbol)),
  ]);
  const isWhole = taken !== undefined && new Big(taken.quantity).gte(size);
  const block = (): FlattenBlock | null => {
    if (gone !== null) return 'gone';
    if (sources.get(source)?.market.isOut(now)) return 'out';
    if (quote === undefined || terms === undefined || taken === undefined) return 'noPrice';
    return isWhole ? null : 'thin';
  };
  return {
    ...{ source, symbol },
    mid: quote === undefined ? null : (quote.bid + quote.ask) / 2,
    price: isWhole ? taken.price : null,
    takerFee: terms?.takerFee ?? 0,
    block: block(),
  };
}

const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

function dealQuote(
  deal: ReachedDeal,
  takings: ReadonlyMap<string, Taking>,
  sources: ReadonlyMap<string, MarketNow>,
): DealQuote {
  const legs = held(deal).map((leg) => ({ leg, quantity: Number(leg.quantity), taking: takings.get(takingKey(leg))! }));
  const fees = legs.map(({ quantity, taking: { price, takerFee } }) =>
    price === null ? null : Math.abs(quantity) * price * takerFee,
  );
  const slippage = legs.map(({ quantity, taking: { mid, price } }) =>
    price === null || mid === null ? null : quantity * (mid - price),
  );
  const prices = deal.legs.map((leg) =>
    legPnl(
      { quantity: Number(leg.quantity), cost: Number(leg.cost), realised: Number(leg.realised) },
      takings.get(takingKey(leg))?.price ?? null,
    ),
  );
  const booked = (figure: 'funding' | 'fees') => deal.legs.reduce((sum, leg) => sum + Number(leg[figure]), 0);
  const fee = total(fees);
  const blocks = legs.flatMap(({ taking: { block } }) => (block === null ? [] : [block]));
  return {
    notional: total(
      legs.map(({ leg, quantity, taking }) => {
        const ticker = sources.get(leg.source)?.tickers.get(leg.symbol);
        const mark = (ticker && markPrice(ticker)) ?? taking.mid;
        return mark === null ? null : Math.abs(quantity) * mark;
      }),
    ),
    cost: total([fee, ...slippage]),
    net: fee === null ? null : netPnl(prices, { funding: booked('funding'), fees: booked('fees') + fee }),
    why: deal.frozen === ORDER_IN_DOUBT ? 'frozen' : (blocks[0] ?? null),
  };
}
