import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { TRACK_DAYS } from '#contract/strategyOverview';
import type { Database } from '../../base/db/client';
import { type LedgerDay, ledgerDaysOf } from '../../base/db/strategies/strategyFigures';
import { ledgerMoney } from '../../base/maths/decimal';
import { type StockLot, stockWorth } from '../../base/maths/stock';
import { symbolKey } from '../../base/symbolKey';
import type { Markets } from '../../market/exchange';
import { coinIn, marksOf } from '../../market/marks';
import type { DeskDeps } from '../deps';
import { byStrategy } from './strategySums';

type Needs = Pick<DeskDeps, 'db' | 'markets'>;
interface Position {
  source: string;
  symbol: string;
  quantity: number;
}

/** The price of a position at an instant, and what coin it is. */
type Marks = (of: Position, at: number) => Promise<Pick<StockLot, 'coin' | 'mark'>>;

/** Net PnL since its beginning at each of the last UTC midnights, today's the last one, USDT. */
export type Track = readonly (number | null)[];

/** By database: what was booked before today hardly ever changes, and takes the longest to add up. */
const kept = new WeakMap<Database, LRUCache<string, Promise<ReadonlyMap<string, Track>>>>();

export const dayOf = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;

/**
 * The tracks of these strategies over 30 days, by id: what the ledger had booked for their deals until a midnight, and
 * what they held then at its prices. A strategy that had booked nothing yet stands at `null`; so does one of which
 * something held has no price then. Kept for a minute.
 */
export function strategyTracks(needs: Needs, ids: readonly string[], now: number): Promise<ReadonlyMap<string, Track>> {
  const today = dayOf(now);
  const cache = kept.get(needs.db) ?? new LRUCache({ max: 200, ttl: MINUTE_MS });
  kept.set(needs.db, cache);
  const key = `${today} ${ids.join()}`;
  const known = cache.get(key);
  if (known) return known;
  const read = readTracks(needs, ids, today);
  cache.set(key, read);
  read.catch(() => cache.delete(key));
  return read;
}

async function readTracks({ db, markets }: Needs, ids: readonly string[], today: number) {
  const from = today - TRACK_DAYS * DAY_MS;
  // A day's end is the next day's midnight: what was booked before the first one counts for the day before it.
  const rows = byStrategy(await ledgerDaysOf(db, ids, { since: 0, from: from - DAY_MS, until: today }));
  const marks = marksThen(markets);
  const tracks = new Map<string, Track>();
  for (const id of ids) tracks.set(id, await trackOf(rows.get(id) ?? [], { from, to: today, step: DAY_MS }, marks));
  return tracks;
}

/** Instants from one to another, UTC ms, so far apart. */
export interface Steps {
  from: number;
  to: number;
  step: number;
}

/** What was booked and held was worth at each of these instants, USDT; `null` before anything was, and without a price. */
export async function trackOf(rows: readonly LedgerDay[], { from, to, step }: Steps, marks: Marks) {
  const held = new Map<string, Position>();
  const track: (number | null)[] = [];
  let cash = 0;
  let begun = false;
  for (let at = from; at <= to; at += step) {
    for (const row of rows.filter(({ day }) => day === at - step)) {
      begun = true;
      cash += row.cash;
      const { source, symbol } = row;
      const quantity = (held.get(symbolKey(row))?.quantity ?? 0) + row.quantity;
      held.set(symbolKey(row), { source, symbol, quantity });
    }
    track.push(begun ? await worth(cash, [...held.values()], at, marks) : null);
  }
  return track;
}

async function worth(cash: number, held: readonly Position[], at: number, marks: Marks): Promise<number | null> {
  const lots = await Promise.all(
    held.map(async (position) => ({ ...(await marks(position, at)), ...position, cost: 0 })),
  );
  // Stock is at two venues; anything else at one alone.
  const { exposure } = stockWorth(lots);
  return exposure === null ? null : ledgerMoney(cash + exposure);
}

/** Prices of a source at instants of the past, read once for all strategies. */
export function marksThen(markets: Markets): Marks {
  const read = new Map<string, ReturnType<typeof marksOf> | undefined>();
  return async ({ source, symbol }, at) => {
    const key = `${source} ${at}`;
    const market = await markets.get(source);
    if (!read.has(key) || market?.markThen) read.set(key, market && marksOf(market, at, [symbol]));
    return { coin: coinIn(market, { source, symbol }, at), mark: (await read.get(key))?.get(symbol) ?? null };
  };
}
