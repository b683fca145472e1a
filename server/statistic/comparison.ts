import { BAR_MS, BARS, type Bar } from '#contract/candle';
import {
  COMPARED_HEDGES,
  type ComparedHedge,
  type Comparison,
  type NotCompared,
  type StatisticQuery,
} from '#contract/statistic';
import type { Queries } from '../db/client';
import { type ComparableHedge, comparableHedges } from '../db/statistic';
import type { Instrument, Market, Markets } from '../exchange/exchange';
import { type LegScale, liveGap, totalGap } from '../maths/liveGap';
import { type PairRun, type PairRunResult, type PairRunsTask, RUN_NOTIONAL, type RunSymbol } from './pairRuns';
import { filterOf } from './period';

interface ComparisonDeps {
  db: Queries;
  markets: Markets;
  /** Runs the backtests, away from the thread that answers. */
  compute(task: PairRunsTask): Promise<PairRunResult[]>;
}

/** Everything of GET /api/hedge/statistic/compare. @throws refusals that name the field at fault. */
export async function comparisonOf(
  { db, markets, compute }: ComparisonDeps,
  query: StatisticQuery,
  now: number,
): Promise<Comparison> {
  const { list: hedges, total } = await comparableHedges(db, filterOf(query), COMPARED_HEDGES);
  const prepared = await prepare(markets, hedges);
  // Fine bars reach back less far than coarse ones: what they do not cover is tried on the next coarser one.
  for (let step = 0; step < BARS.length; step++) await runStep(prepared, step, compute);
  const list: ComparedHedge[] = [];
  const left: Comparison['left'] = [];
  for (const { hedge, found, why } of prepared) {
    if (found !== null) list.push(comparedOf(hedge, found.bar, found.result));
    else left.push({ ...nameOf(hedge), closedAt: hedge.endedAt, why });
  }
  return { at: now, list, totals: totalGap(list), left, older: Math.max(0, total - hedges.length) };
}

/** A hedge with the bars that its symbols have in common, finest first, and its run once one of them covers it. */
interface Prepared {
  hedge: ComparableHedge;
  market: Market | null;
  symbols: { long: Instrument; short: Instrument } | null;
  bars: Bar[];
  /** Why it has no run, while it has none. */
  why: NotCompared;
  found: { bar: Bar; result: NonNullable<PairRunResult> } | null;
}

async function prepare(markets: Markets, hedges: readonly ComparableHedge[]): Promise<Prepared[]> {
  const sources = new Map<string, { market: Market; instruments: Map<string, Instrument> } | null>();
  for (const source of new Set(hedges.map((hedge) => hedge.source))) {
    const market = await markets.get(source);
    const instruments = new Map((await market?.instruments())?.map((row) => [row.symbol, row]));
    sources.set(source, market ? { market, instruments } : null);
  }
  return hedges.map((hedge): Prepared => {
    const nothing = { hedge, market: null, symbols: null, bars: [], found: null };
    const known = sources.get(hedge.source);
    if (!known) return { ...nothing, why: 'noSource' };
    const [long, short] = [known.instruments.get(hedge.long), known.instruments.get(hedge.short)];
    const bars = BARS.filter((bar) => long?.bars.includes(bar) && short?.bars.includes(bar)).reverse();
    if (!long || !short || bars.length === 0) return { ...nothing, why: 'noCandles' };
    return { hedge, market: known.market, symbols: { long, short }, bars, found: null, why: 'tooShort' };
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
async function runStep(prepared: readonly Prepared[], step: number, compute: ComparisonDeps['compute']): Promise<void> {
  const open = prepared.filter(({ found, bars }) => found === null && bars[step] !== undefined);
  if (open.length === 0) return;
  const wanted: Wanted[] = [];
  const places = new Map<string, number>();
  const placeOf = (
    market: Market,
    instrument: Instrument,
    bar: Bar,
    { openedAt, endedAt }: ComparableHedge,
  ): number => {
    const key = `${market.source} ${instrument.symbol} ${bar}`;
    const place = places.get(key) ?? wanted.push({ market, instrument, bar, from: openedAt!, to: endedAt }) - 1;
    places.set(key, place);
    const range = wanted[place]!;
    range.from = Math.min(range.from, openedAt!);
    range.to = Math.max(range.to, endedAt);
    return place;
  };
  const runs = open.map(({ hedge, market, symbols, bars }): PairRun => {
    const bar = bars[step]!;
    const [long, short] = [symbols!.long, symbols!.short].map((symbol) => placeOf(market!, symbol, bar, hedge));
    return { long: long!, short: short!, barMs: BAR_MS[bar], openedAt: hedge.openedAt!, closedAt: hedge.endedAt };
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

const nameOf = ({ id, user, long, short }: ComparableHedge) => ({ id, user, long, short });

function comparedOf(hedge: ComparableHedge, bar: Bar, result: NonNullable<PairRunResult>): ComparedHedge {
  const { settings, ratio, longNotional, shortNotional } = hedge;
  const leg = (run: LegScale['run'], filled: number, aimed: number): LegScale => ({
    ...{ run, runNotional: RUN_NOTIONAL, filled, aimed },
  });
  const live = {
    price: hedge.longPrice + hedge.shortPrice,
    funding: hedge.funding,
    fees: hedge.fees,
    slippage: hedge.slippage,
    traded: hedge.traded,
  };
  const gap = liveGap(live, [
    leg(result.long, longNotional, settings.legNotional),
    leg(result.short, shortNotional, settings.legNotional * ratio),
  ]);
  return {
    ...nameOf(hedge),
    openedAt: hedge.openedAt!,
    closedAt: hedge.endedAt,
    closeReason: hedge.reason,
    bar,
    fundingMissing: result.fundingMissing,
    ...gap,
  };
}
