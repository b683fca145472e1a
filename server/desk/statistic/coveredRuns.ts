import { BAR_MS, BARS, type Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import type { NotCompared } from '#contract/lifecycle';
import type { Instrument, Market, Markets } from '../../market/exchange';
import type { PairRun, PairRunAnswer, PairRunResult, PairRunsTask, RunSize, RunSymbol } from './pairRuns';

/** Bars of an hour, the finest, say nothing of a hedge that was held for less. */
const SHORTEST_MS = HOUR_MS;

/** A pair, when it was held (UTC ms), and the size of its run. */
export interface HeldPeriod {
  source: string;
  long: string;
  short: string;
  openedAt: number;
  endedAt: number;
  size: RunSize;
}

export interface CoveredRun {
  bar: Bar;
  result: PairRunAnswer;
}

/** Runs the backtests, away from the thread that answers. */
export type Compute = (task: PairRunsTask) => Promise<PairRunResult[]>;

/** The backtest of each period on the finest bar that covers it, or why there is none. */
export async function coveredRuns(
  markets: Markets,
  compute: Compute,
  periods: readonly HeldPeriod[],
): Promise<(CoveredRun | NotCompared)[]> {
  const prepared = await prepare(markets, periods);
  // Fine bars reach back less far than coarse ones: what they do not cover is tried on the next coarser one.
  for (let step = 0; step < BARS.length; step++) await runStep(prepared, step, compute);
  return prepared.map(({ found, why }) => found ?? why);
}

/** A pair's period with the bars that its symbols have in common, finest first, and its run once one of them covers it. */
interface Prepared {
  period: HeldPeriod;
  market: Market | null;
  symbols: { long: Instrument; short: Instrument } | null;
  bars: Bar[];
  /** Why it has no run, while it has none. */
  why: NotCompared;
  found: CoveredRun | null;
}

async function prepare(markets: Markets, periods: readonly HeldPeriod[]): Promise<Prepared[]> {
  const sources = new Map<string, { market: Market; instruments: Map<string, Instrument> } | null>();
  for (const source of new Set(periods.map((period) => period.source))) {
    const market = await markets.get(source);
    const instruments = new Map((await market?.instruments())?.map((row) => [row.symbol, row]));
    sources.set(source, market ? { market, instruments } : null);
  }
  return periods.map((period): Prepared => {
    const nothing = { period, market: null, symbols: null, bars: [], found: null };
    if (period.endedAt - period.openedAt < SHORTEST_MS) return { ...nothing, why: 'underHour' };
    const known = sources.get(period.source);
    if (!known) return { ...nothing, why: 'noSource' };
    const [long, short] = [known.instruments.get(period.long), known.instruments.get(period.short)];
    const bars = BARS.filter((bar) => long?.bars.includes(bar) && short?.bars.includes(bar)).reverse();
    if (!long || !short || bars.length === 0) return { ...nothing, why: 'noCandles' };
    return { period, market: known.market, symbols: { long, short }, bars, found: null, why: 'tooShort' };
  });
}

/** What has to be read of a symbol: from the first opening to the last closing of what needs it. */
interface Wanted {
  market: Market;
  instrument: Instrument;
  bar: Bar;
  from: number;
  to: number;
}

/** Runs, each on its own `step`-th finest bar, what no finer bar has covered. */
async function runStep(prepared: readonly Prepared[], step: number, compute: Compute): Promise<void> {
  const open = prepared.filter(({ found, bars }) => found === null && bars[step] !== undefined);
  if (open.length === 0) return;
  const wanted: Wanted[] = [];
  const places = new Map<string, number>();
  const placeOf = (market: Market, instrument: Instrument, bar: Bar, { openedAt, endedAt }: HeldPeriod): number => {
    const key = `${market.source} ${instrument.symbol} ${bar}`;
    const place = places.get(key) ?? wanted.push({ market, instrument, bar, from: openedAt, to: endedAt }) - 1;
    places.set(key, place);
    const range = wanted[place]!;
    range.from = Math.min(range.from, openedAt);
    range.to = Math.max(range.to, endedAt);
    return place;
  };
  const runs = open.map(({ period, market, symbols, bars }): PairRun => {
    const bar = bars[step]!;
    const [long, short] = [symbols!.long, symbols!.short].map((symbol) => placeOf(market!, symbol, bar, period));
    const { openedAt, endedAt, size } = period;
    return { long: long!, short: short!, barMs: BAR_MS[bar], openedAt, closedAt: endedAt, ...size };
  });
  const results = await compute({ symbols: await Promise.all(wanted.map(load)), runs });
  for (const [i, row] of open.entries()) {
    const result = results[i] ?? null;
    if (result !== null) row.found = { bar: row.bars[step]!, result };
  }
}

const NONE = new Float64Array(0);
const NO_BARS = { time: NONE, open: NONE, high: NONE, low: NONE, close: NONE };

/** A bar closes its length after it opens, so the one before the opening is read too. */
async function load({ market, instrument, bar, from, to }: Wanted): Promise<RunSymbol> {
  const { symbol, fundingHours } = instrument;
  const range = { start: from - 2 * BAR_MS[bar], end: to + 1 };
  const [candles, funding] = await Promise.all([market.candles(symbol, bar, range), market.funding(symbol, range)]);
  const { time, open, high, low, close } = candles ?? NO_BARS;
  return { symbol, bars: { time, open, high, low, close }, funding, fundingHours };
}
