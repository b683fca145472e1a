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
  const runnable = prepared.flatMap(({ run }) => (run === null ? [] : [run]));
  const results = runnable.length === 0 ? [] : await compute({ symbols: await load(prepared), runs: runnable });
  const list: ComparedHedge[] = [];
  const left: Comparison['left'] = [];
  let next = 0;
  for (const { hedge, bar, run, why } of prepared) {
    const result = run === null ? null : results[next++]!;
    if (result !== null) list.push(comparedOf(hedge, bar!, result));
    else left.push({ ...nameOf(hedge), closedAt: hedge.endedAt, why: why ?? 'tooShort' });
  }
  return { at: now, list, totals: totalGap(list), left, older: Math.max(0, total - hedges.length) };
}

/** A hedge made ready: its run refers to `symbols`, which the first one of a group carries for all. */
interface Prepared {
  hedge: ComparableHedge;
  bar: Bar | null;
  run: PairRun | null;
  why: NotCompared | null;
  symbols: Wanted[];
}

/** What has to be read of a symbol: from the first opening to the last closing of what needs it. */
interface Wanted {
  market: Market;
  instrument: Instrument;
  bar: Bar;
  from: number;
  to: number;
}

/** The finest bar stored of both. */
const finestBar = (long: Instrument, short: Instrument): Bar | undefined =>
  BARS.filter((bar) => long.bars.includes(bar) && short.bars.includes(bar)).at(-1);

async function prepare(markets: Markets, hedges: readonly ComparableHedge[]): Promise<Prepared[]> {
  const sources = new Map<string, { market: Market; instruments: Map<string, Instrument> } | null>();
  for (const source of new Set(hedges.map((hedge) => hedge.source))) {
    const market = await markets.get(source);
    const instruments = new Map((await market?.instruments())?.map((row) => [row.symbol, row]));
    sources.set(source, market ? { market, instruments } : null);
  }
  const symbols: Wanted[] = [];
  const places = new Map<string, number>();
  const placeOf = (market: Market, instrument: Instrument, bar: Bar, { openedAt, closedAt }: PairRun): number => {
    const key = `${market.source} ${instrument.symbol} ${bar}`;
    const place = places.get(key) ?? symbols.push({ market, instrument, bar, from: openedAt, to: closedAt }) - 1;
    places.set(key, place);
    const wanted = symbols[place]!;
    wanted.from = Math.min(wanted.from, openedAt);
    wanted.to = Math.max(wanted.to, closedAt);
    return place;
  };
  return hedges.map((hedge) => {
    const known = sources.get(hedge.source);
    if (!known) return { hedge, bar: null, run: null, why: 'noSource', symbols };
    const [long, short] = [known.instruments.get(hedge.long), known.instruments.get(hedge.short)];
    const bar = long && short && finestBar(long, short);
    if (!bar) return { hedge, bar: null, run: null, why: 'noCandles', symbols };
    const run = { long: 0, short: 0, barMs: BAR_MS[bar], openedAt: hedge.openedAt!, closedAt: hedge.endedAt };
    run.long = placeOf(known.market, long, bar, run);
    run.short = placeOf(known.market, short, bar, run);
    return { hedge, bar, run, why: null, symbols };
  });
}

/** Reads every wanted symbol once. A bar closes its length after it opens, so the one before the opening is read too. */
async function load([first]: readonly Prepared[]): Promise<RunSymbol[]> {
  return Promise.all(
    (first?.symbols ?? []).map(async ({ market, instrument: { symbol, fundingHours }, bar, from, to }) => {
      const range = { start: from - 2 * BAR_MS[bar], end: to + 1 };
      const [candles, funding] = await Promise.all([market.candles(symbol, bar, range), market.funding(symbol, range)]);
      const none = new Float64Array(0);
      const { time, open, high, low, close } = candles ?? {
        time: none,
        open: none,
        high: none,
        low: none,
        close: none,
      };
      return { symbol, bars: { time, open, high, low, close }, funding, fundingHours };
    }),
  );
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
