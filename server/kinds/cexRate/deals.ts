import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import type { RateDeal } from '#contract/kinds/cexRate/desk';
import type { CexRateParams } from '#contract/kinds/cexRate/params';
import { type cexRateScan, type RateCell, RateMatrixRow } from '#contract/kinds/cexRate/scan';
import { ALONE_MS, type HedgeState, type Leg, ONE_LEG_MS, UNBALANCED } from '#contract/lifecycle';
import { isWatched } from '#contract/star';
import { type DealColumns, type LegRow, runningDealsOf } from '../../base/db/strategies/deal';
import { restingLegsOf } from '../../base/db/strategies/strategyFigures';
import { rowOrder } from '../../base/http/listPage';
import { crossVenueApr } from '../../base/maths/crossVenue';
import { fundingWithin } from '../../base/maths/expectedFunding';
import { fundingApr } from '../../base/maths/funding';
import { rateWaterfall } from '../../base/maths/waterfall';
import { liquidationOf, marginNow } from '../../desk/account/liquidation';
import type { DeskDeps } from '../../desk/deps';
import { takenAway } from '../../desk/strategy/closeQuote';
import { type Beside, dealRow, mayRest } from '../../desk/strategy/dealRows';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { fundingPastOf } from '../../market/scan/fundingPast';
import { type MarketSight, Quoted } from '../../market/scan/sight';
import type { TradingTerms, VenueMargin } from '../../market/venue';
import { type CoinLegs, namedCoins, type VenueLeg } from './coinLegs';
import { mustOwnRate } from './desk';

type Query = QueryOf<typeof cexRateScan.matrix>;

/** Without an order asked for: where the venues are farthest apart comes first. */
const WIDEST_FIRST = '-aprGap';

/** The rows of GET /api/market/cexRate/matrix: all pages, as the filters leave them and in the order asked for. */
export function rateMatrix(seen: MarketSight, query: Query): RateMatrixRow[] {
  const { search, coins, minOpenInterest = 0, sort = WIDEST_FIRST } = query;
  return namedCoins(seen, search)
    .filter(({ base }) => coins === undefined || isWatched(coins, base))
    .map(matrixRow)
    .filter(({ openInterest }) => (openInterest ?? 0) >= minOpenInterest)
    .sort(rowOrder(RateMatrixRow, sort, ({ id }) => id));
}

/** One coin at all venues: long where the year costs least, short where it brings most; neither where all say the same. Pure. */
export function matrixRow({ id, base, legs }: CoinLegs): RateMatrixRow {
  const known = legs.flatMap(({ source, isOut, quoted }) => {
    const apr = fundingApr(quoted.ticker.fundingRate, quoted.instrument.fundingHours);
    return isOut || apr === null ? [] : [{ source, apr }];
  });
  const [lowest] = known.toSorted((a, b) => a.apr - b.apr);
  const [highest] = known.toSorted((a, b) => b.apr - a.apr);
  const isApart = lowest !== undefined && highest !== undefined && highest.apr > lowest.apr;
  const interests = legs.flatMap(({ quoted }) => quoted.ticker.openInterest ?? []);
  return {
    ...{ id, base },
    cells: legs.map(cellOf),
    bestLong: isApart ? lowest.source : null,
    bestShort: isApart ? highest.source : null,
    aprGap: known.length < 2 ? null : highest!.apr - lowest!.apr,
    openInterest: interests.length === 0 ? null : interests.reduce((sum, one) => sum + one, 0),
  };
}

function cellOf({ source, quoted: { instrument, ticker } }: VenueLeg): RateCell {
  const { fundingRate: rate, nextFundingAt: nextAt } = ticker;
  const { symbol, fundingHours: hours } = instrument;
  const rate8h = rate === null || hours === null ? null : (rate * 8) / hours;
  return { source, symbol, rate, rate8h, apr: fundingApr(rate, hours), hours, nextAt };
}

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'markets'>;
type Sources = ReadonlyMap<string, MarketNow>;
type Row = ReturnType<typeof dealRow>['legs'][number];

/** The running deals of a strategy as a person looks after them. @throws 404 for any other id. @param now UTC ms */
export async function rateDeals(needs: Needs, userId: string, id: string, now: number): Promise<RateDeal[]> {
  const { db, venue, markets } = needs;
  const strategy = await mustOwnRate(db, userId, id);
  const deals = await runningDealsOf(db, [strategy.id]);
  const sources = await marketsNow(
    markets,
    deals.flatMap(({ legs }) => legs.map(({ source }) => source)),
    now,
  );
  const accounts = [...new Set(deals.flatMap(({ legs }) => legs.map(({ accountId }) => accountId)))];
  const read = await Promise.all(
    accounts.map(async (account) => [account, await venue.margin(account).catch(() => null)] as const),
  );
  const margins = new Map(read);
  const moving = deals.filter(mayRest).map(({ id: of }) => of);
  const [resting, taken] = await Promise.all([restingLegsOf(db, moving), takenAway(needs, deals)]);
  return Promise.all(
    deals.map(async (deal) => ({
      ...(await rateDeal(needs, deal, sources, { margins, restingLegs: resting.get(deal.id) }, now)),
      taken: taken.get(deal.id),
    })),
  );
}

type Margins = ReadonlyMap<string, VenueMargin | null>;

/** One leg with everything of its market that it is judged by. */
interface LegSight {
  row: LegRow;
  shown: Row;
  quoted: Quoted | null;
}

async function rateDeal(
  { venue }: Needs,
  deal: DealColumns,
  sources: Sources,
  { margins, restingLegs }: { margins: Margins } & Pick<Beside, 'restingLegs'>,
  now: number,
): Promise<RateDeal> {
  const row = dealRow(deal, sources, now, { secondFillMs: null, alerts: [], restingLegs });
  const { planHours } = deal.params as CexRateParams;
  const legs = row.legs.map((shown): LegSight => {
    const own = deal.legs.find(({ leg }) => leg === shown.leg)!;
    return { row: own, shown, quoted: quotedOf(own, sources, now) };
  });
  const horizonAt = deal.openedAt === null ? null : deal.openedAt + planHours * HOUR_MS;
  const [long, short] = [legs[0]!, legs[1]!];
  const rated = [long, short].map(({ quoted }) => rateOf(quoted));
  const aprNow = rated[0] && rated[1] ? crossVenueApr(rated[1], rated[0]) : null;
  const held = legs.map(({ shown }) => Math.abs(Number(shown.quantity)));
  const slippage = deal.legs.reduce((sum, leg) => sum + Number(leg.slippage), 0);
  const booked = { funding: row.funding ?? 0, fees: row.fees ?? 0, slippage, pricePnl: row.pricePnl };
  return {
    ...{ id: deal.id, state: deal.state as HedgeState, openedAt: deal.openedAt, attempts: deal.attempts },
    days: deal.openedAt === null ? null : (now - deal.openedAt) / DAY_MS,
    balance: balanceOf(held),
    legs: await Promise.all(
      legs.map(async (leg) => ({
        ...legOf(leg, deal.params as CexRateParams),
        ...marginOf(leg, margins, await venue.terms(leg.row.source, leg.row.symbol, leg.row.accountId)),
      })),
    ),
    resting: row.resting,
    lacking: lackingOf(legs),
    oneLegSince: deal.oneLegSince,
    completesAt: deal.oneLegSince === null ? null : deal.oneLegSince + ONE_LEG_MS,
    unwindsAt: deal.oneLegSince === null ? null : deal.oneLegSince + ALONE_MS,
    frozen: deal.frozen,
    gapOpen: gapOf(long.shown.entry, short.shown.entry),
    gapNow: gapOf(long.shown.mark, short.shown.mark),
    aprOpen: (deal.opening as { grossApr?: number } | null)?.grossApr ?? null,
    aprNow,
    horizonAt,
    waterfall: rateWaterfall(
      booked,
      await Promise.all(
        legs.map((leg) => heldOf(leg, horizonAt === null ? null : Math.max(0, horizonAt - now) / HOUR_MS, now)),
      ),
    ),
  };
}

function quotedOf({ source, symbol }: LegRow, sources: Sources, now: number): Quoted | null {
  const here = sources.get(source);
  const [instrument, ticker] = [here?.instruments.get(symbol), here?.tickers.get(symbol)];
  return here && instrument && ticker ? new Quoted(here.market, instrument, ticker, now) : null;
}

function rateOf(quoted: Quoted | null) {
  const rate = quoted?.ticker.fundingRate ?? null;
  const hours = quoted?.instrument.fundingHours ?? null;
  return rate === null || hours === null ? null : { rate, hours };
}

/** Price of the short leg above the one of the long leg. */
const gapOf = (long: number | null, short: number | null): number | null =>
  long === null || short === null ? null : short / long - 1;

function balanceOf(held: readonly number[]): RateDeal['balance'] {
  const [least, most] = [Math.min(...held), Math.max(...held)];
  if (most === 0) return null;
  if (least === 0) return 'oneLeg';
  return (most - least) / most > UNBALANCED ? 'unbalanced' : 'neutral';
}

function lackingOf(legs: readonly LegSight[]): RateDeal['lacking'] {
  const sizeOf = ({ shown }: LegSight) => Math.abs(Number(shown.quantity));
  const [less, more] = legs.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const quantity = Number((sizeOf(more!) - sizeOf(less!)).toPrecision(12));
  if (quantity <= 0) return null;
  const mark = less!.shown.mark;
  return { leg: less!.shown.leg, quantity, value: mark === null ? null : quantity * mark };
}

function legOf(
  { row, shown, quoted }: LegSight,
  { legNotional }: CexRateParams,
): Omit<RateDeal['legs'][number], 'liquidationPrice' | 'liquidationDistance' | 'free'> {
  const aimed = row.midOpen === null ? null : (legNotional * row.weight) / row.midOpen;
  const rated = rateOf(quoted);
  return {
    ...{ leg: shown.leg, source: row.source, symbol: row.symbol, quantity: row.quantity },
    filled: aimed === null ? null : Math.min(1, Number(row.opened) / aimed),
    ...{ entry: shown.entry, mark: shown.mark, rate: rated?.rate ?? null, hours: rated?.hours ?? null },
    nextAt: quoted?.ticker.nextFundingAt ?? null,
    funding: Number(row.funding),
  };
}

function marginOf({ row, shown }: LegSight, margins: Margins, terms: TradingTerms | undefined) {
  const margin = margins.get(row.accountId) ?? null;
  return {
    ...liquidationOf(Number(row.quantity), shown.mark, terms, marginNow(margin)),
    free: margin && Math.max(0, Number(margin.marginBalance) - Number(margin.initialMargin)),
  };
}

/** Sum of the settlements that are expected within so many hours (F29). */
async function expectedOf(quoted: Quoted, within: number, now: number): Promise<number | null> {
  const rated = rateOf(quoted);
  if (rated === null) return null;
  const toNext = Math.max(0, (quoted.ticker.nextFundingAt ?? now) - now);
  const { trend } = await fundingPastOf(quoted, now);
  return fundingWithin({ ...rated, toNext, trend }, within).expected;
}

/** @param hours until the horizon; `null` before it is open */
async function heldOf({ row, shown, quoted }: LegSight, hours: number | null, now: number) {
  const quantity = Math.abs(Number(row.quantity));
  const prices = quantity === 0 ? null : (quoted?.at(quantity) ?? null);
  return {
    ...{ leg: shown.leg as Leg, quantity, mark: shown.mark, takerFee: quoted?.terms?.takerFee ?? null },
    exitPrice: prices && (shown.leg === 'long' ? prices.bid : prices.ask),
    funding: quoted === null || hours === null ? null : await expectedOf(quoted, hours, now),
  };
}
