import type { Queries } from '../../base/db/client';
import { dealSumsOf, type HeldLeg, heldLegsOf } from '../../base/db/strategies/strategyFigures';
import { legPnl, netPnl } from '../../base/maths/hedge';
import { ledgerMoney } from '../../base/maths/sum';
import { markPrice } from '../../market/marks';
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
  /** What is held now: absolute and signed values (F10), and what is tied up in it (F12). */
  notional: number | null;
  exposure: number | null;
  capital: number;
  pricePnl: number | null;
  funding: number;
  fees: number;
  net: number | null;
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
  const isSpot = sources.get(source)?.instruments.get(symbol)?.kind === 'spot';
  return isSpot ? notional : notional / leverage;
}

const total = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

function sumsOf(made: typeof NOTHING, legs: readonly HeldLeg[], sources: Sources): StrategySums {
  const { realised, funding, fees, running, ended, traded, won } = made;
  const marks = legs.map((leg) => markOf(leg, sources));
  const values = legs.map(({ quantity }, i) => (marks[i] == null ? null : quantity * marks[i]));
  const open = legs.map((leg, i) => legPnl({ ...leg, realised: 0 }, marks[i] ?? null));
  const net = netPnl([realised, ...open], { funding, fees });
  return {
    ...{ running, ended, traded, won },
    notional: total(values.map((value) => value && Math.abs(value))),
    exposure: total(values),
    capital: legs.reduce((sum, leg) => sum + capitalOf(Math.abs(leg.cost), leg, sources), 0),
    pricePnl: total([realised, ...open]),
    funding,
    fees,
    net: net && ledgerMoney(net),
  };
}

/** What each of these strategies holds and made, by its id; what ended long ago is added up by the database. */
export async function strategySums({ db, markets }: Needs, ids: readonly string[], now: number) {
  const [made, held] = await Promise.all([dealSumsOf(db, ids), heldLegsOf(db, ids)]);
  const sources = await marketsNow(
    markets,
    held.map(({ source }) => source),
    now,
  );
  const byId = new Map(made.map((row) => [row.strategyId, row]));
  const legs = byStrategy(held);
  return new Map(ids.map((id) => [id, sumsOf(byId.get(id) ?? NOTHING, legs.get(id) ?? [], sources)]));
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
