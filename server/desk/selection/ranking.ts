import { DAY_MS } from '#contract/duration';
import type { Candles } from '../../base/maths/candles';
import { type SelectionCoin, type SelectionRow, selectCoins } from '../../base/maths/selection';
import type { Instrument, Market, Markets } from '../../market/exchange';
import { VersionedCache } from '../../market/versionedCache';

/** Days of candles the selection reads: 31 closes, gaps of 3 days, and one day more for the ranking before. */
const DAYS_READ = 40;
/** A settlement older than this says nothing of the funding on the ranked day. */
const FUNDING_READ_MS = 2 * DAY_MS;

/** The neutral selection of one source; instants in UTC ms. */
export interface Ranking {
  /** Close of the newest day that it is based on; `null` without any. */
  asOf: number | null;
  /** Ascending by rank. */
  rows: SelectionRow[];
  stale: { symbol: string; lastAt: number }[];
  tooShort: { symbol: string; days: number }[];
}

/** Rankings that are kept: two of each source. */
const KEPT = 100;
/** By the server's markets, so that two servers in one process never share a ranking. */
const kept = new WeakMap<Markets, VersionedCache<Ranking>>();

/**
 * The ranking of a source by docs/formulas.md over daily candles closed at or before `until` (UTC ms), computed once
 * for each version of the market and newest day.
 */
export async function rankingOf(markets: Markets, market: Market, until = Number.POSITIVE_INFINITY): Promise<Ranking> {
  const instruments = await market.instruments();
  const day = newestDay(instruments, until);
  const cache = kept.get(markets) ?? new VersionedCache<Ranking>(KEPT);
  kept.set(markets, cache);
  // Visitors are up to one day behind around midnight, so today and the day before are kept apart.
  const name = `${market.source} ${((day ?? 0) / DAY_MS) % 2}`;
  return cache.of(name, `${market.version()} ${day}`, () => compute(market, instruments, day));
}

/** Opening instant of the newest day whose bar closed at or before `until`. */
function newestDay(instruments: Instrument[], until: number): number | null {
  const limit = Number.isFinite(until) ? Math.floor(until / DAY_MS) * DAY_MS - DAY_MS : until;
  const days = instruments.filter(({ bars }) => bars.includes('1d')).map(({ lastAt }) => Math.min(lastAt, limit));
  return days.length === 0 ? null : days.reduce((newest, at) => Math.max(newest, at));
}

async function compute(market: Market, instruments: Instrument[], day: number | null): Promise<Ranking> {
  if (day === null) return { asOf: null, rows: [], stale: [], tooShort: [] };
  const coins = await Promise.all(
    instruments.filter(({ bars }) => bars.includes('1d')).map((instrument) => coinOf(market, instrument, day)),
  );
  const selection = selectCoins(
    coins.filter((coin) => coin !== null),
    bitcoinOf(instruments),
  );
  return { ...selection, asOf: selection.asOf === null ? null : selection.asOf + DAY_MS };
}

/** BTC against the quote currency of the source; the empty name, which nothing has, without one. */
function bitcoinOf(instruments: Instrument[]): string {
  const bitcoins = instruments.filter(({ base }) => base === 'BTC');
  return (bitcoins.find(({ quote }) => quote === 'USDT') ?? bitcoins[0])?.symbol ?? '';
}

async function coinOf(market: Market, instrument: Instrument, day: number): Promise<SelectionCoin | null> {
  const { symbol, fundingHours } = instrument;
  const closedAt = day + DAY_MS;
  const [candles, funding] = await Promise.all([
    readCandles(market, instrument, day),
    market.funding(symbol, { start: closedAt - FUNDING_READ_MS, end: closedAt + 1 }),
  ]);
  if (candles === null || candles.time.length === 0) return null;
  const newest = candles.time.length - 1;
  return {
    symbol,
    time: candles.time,
    close: candles.close,
    turnover24h: candles.time[newest] === day ? candles.turnover[newest]! : null,
    fundingRate: funding?.rate.at(-1) ?? null,
    fundingHours,
  };
}

/** The days that the selection needs; of a coin that stopped long before, its last ones. */
function readCandles(market: Market, { symbol, lastAt }: Instrument, day: number): Promise<Candles | null> {
  const end = Math.min(day, lastAt);
  return market.candles(symbol, '1d', { start: end - DAYS_READ * DAY_MS, end: end + 1 });
}
