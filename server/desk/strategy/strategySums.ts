import { holdsEven } from '#contract/strategy';
import type { Queries } from '../../base/db/client';
import { dealSumsOf, type HeldLeg, heldLegsOf, type Stock, stocksOf } from '../../base/db/strategies/strategyFigures';
import { ledgerMoney, totalOf } from '../../base/maths/decimal';
import { capitalOfLeg, legPnl, netPnl } from '../../base/maths/hedge';
import { type StockWorth, stockWorth } from '../../base/maths/stock';
import { isSpot } from '../../market/live/listing';
import { coinIn, markPrice } from '../../market/marks';
import type { DeskDeps } from '../deps';
import { type MarketNow, marketsNow } from '../symbol/marketNow';

type Needs = Pick<DeskDeps, 'markets'> & { db: Queries };

/** What a strategy holds and made, as it is now; money in USDT, `null` where something held has no price. */
export interface StrategySums {
  running: number;
  ended: number;
  /** Ended deals that were opened, and those of them that made something. */
  traded: number;
  won: number;
  /** What is held now, stock included: absolute and signed values (F10), and what is tied up in it (F12). */
  notional: number | null;
  exposure: number | null;
  capital: number;
  pricePnl: number | null;
  funding: number;
  fees: number;
  net: number | null;
  /** Of that, coin that it owns between its deals (F31). */
  stock: StockWorth;
}

type Sources = ReadonlyMap<string, MarketNow>;

const NOTHING = { running: 0, ended: 0, traded: 0, won: 0, realised: 0, funding: 0, fees: 0 };

function markOf({ source, symbol }: Pick<HeldLeg, 'source' | 'symbol'>, sources: Sources): number | null {
  const ticker = sources.get(source)?.tickers.get(symbol);
  return ticker ? markPrice(ticker) : null;
}

/** What is tied up in a notional (F12), USDT: spot is paid in full, a derivative by its margin. */
export function capitalOf(
  notional: number,
  { source, symbol, leverage }: Pick<HeldLeg, 'source' | 'symbol' | 'leverage'>,
  sources: Sources,
): number {
  // A venue that is out lists nothing: what a symbol is its name says too.
  const kind = sources.get(source)?.instruments.get(symbol)?.kind;
  return capitalOfLeg(notional, kind === undefined ? isSpot(symbol) : kind === 'spot', leverage);
}

/** Stock, and what coin it is of. */
type CoinStock = Stock & { coin: string };

/** Coin that strategies own between their deals, and its sources' present. @param others sources that are needed too */
export async function stocksNow(
  { db, markets }: Needs,
  ids: readonly string[],
  others: readonly string[],
  now: number,
) {
  const rows = await stocksOf(db, ids, now);
  const sources = await marketsNow(markets, [...others, ...rows.map(({ source }) => source)], now);
  const stocks = rows.map((lot): CoinStock => ({ ...lot, coin: coinIn(sources.get(lot.source)?.market, lot, now) }));
  return { sources, stocks: byStrategy(stocks) };
}

/** A figure of stock at the price at which its coin was bought, coin by coin, USDT; below 0 counts as nothing. */
function atCost(lots: readonly CoinStock[], figure: (lot: Stock) => number): number {
  const coins = new Set(lots.map(({ coin }) => coin));
  return [...coins].reduce((sum, coin) => {
    const own = lots.filter((lot) => lot.coin === coin);
    const of = (part: (lot: Stock) => number) => own.reduce((all, lot) => all + part(lot), 0);
    const bought = of((lot) => lot.bought);
    return bought === 0 ? sum : sum + Math.max(0, of(figure)) * (of((lot) => lot.paid) / bought);
  }, 0);
}

/** What is tied up in stock over time (F12), USDT x days. */
export const stockDays = (lots: readonly CoinStock[]): number => atCost(lots, ({ coinDays }) => coinDays);

/**
 * Signed values of legs (F10), USDT. What holds as much of a coin on one side as on the other is valued at one price of it,
 * so that a basis is no exposure.
 */
function exposures(legs: readonly HeldLeg[], marks: readonly (number | null)[]): (number | null)[] {
  const marksOfDeal = new Map<string, (number | null)[]>();
  legs.forEach(({ dealId }, i) => {
    marksOfDeal.set(dealId, [...(marksOfDeal.get(dealId) ?? []), marks[i] ?? null]);
  });
  return legs.map(({ dealId, kind, quantity }, i) => {
    const places = holdsEven(kind) ? marksOfDeal.get(dealId)! : [marks[i] ?? null];
    const sum = totalOf(places);
    return sum === null ? null : (quantity * sum) / places.length;
  });
}

function sumsOf(
  made: typeof NOTHING,
  legs: readonly HeldLeg[],
  lots: readonly CoinStock[],
  sources: Sources,
): StrategySums {
  const { realised, funding, fees, running, ended, traded, won } = made;
  const marks = legs.map((leg) => markOf(leg, sources));
  const values = legs.map(({ quantity }, i) => (marks[i] == null ? null : quantity * marks[i]));
  const open = legs.map((leg, i) => legPnl({ ...leg, realised: 0 }, marks[i] ?? null));
  const stock = stockWorth(
    lots.map((lot) => ({
      ...{ coin: lot.coin, mark: markOf(lot, sources) },
      ...{ quantity: Number(lot.quantity), cost: Number(lot.cost) },
    })),
  );
  const price = [realised, ...open, stock.pnl];
  const net = netPnl(price, { funding, fees });
  return {
    ...{ running, ended, traded, won, stock },
    notional: totalOf([...values.map((value) => value && Math.abs(value)), stock.notional]),
    exposure: totalOf([...exposures(legs, marks), stock.exposure]),
    capital: legs.reduce(
      (sum, leg) => sum + capitalOf(Math.abs(leg.cost), leg, sources),
      atCost(lots, ({ quantity }) => Number(quantity)),
    ),
    pricePnl: totalOf(price),
    funding,
    fees,
    net: net && ledgerMoney(net),
  };
}

/** What each of these strategies holds and made, by its id; what ended long ago is added up by the database. */
export async function strategySums({ db, markets }: Needs, ids: readonly string[], now: number) {
  const [made, held] = await Promise.all([dealSumsOf(db, ids), heldLegsOf(db, ids)]);
  const { sources, stocks } = await stocksNow(
    { db, markets },
    ids,
    held.map(({ source }) => source),
    now,
  );
  const byId = new Map(made.map((row) => [row.strategyId, row]));
  const legs = byStrategy(held);
  return new Map(
    ids.map((id) => [id, sumsOf(byId.get(id) ?? NOTHING, legs.get(id) ?? [], stocks.get(id) ?? [], sources)]),
  );
}

/** Rows of several strategies, by the strategy. */
export function byStrategy<R extends { strategyId: string }>(rows: readonly R[]): Map<string, R[]> {
  const found = new Map<string, R[]>();
  for (const row of rows) {
    const own = found.get(row.strategyId);
    if (own) own.push(row);
    else found.set(row.strategyId, [row]);
  }
  return found;
}
