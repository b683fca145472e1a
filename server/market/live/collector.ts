import { setTimeout as pause } from 'node:timers/promises';
import { BAR_MS, type Bar } from '#contract/candle';
import type { CollectorProgress } from '#contract/dataSource';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Queries } from '../../base/db/client';
import { listSeries, readCandles } from '../../base/db/markets/candle';
import { giveCollectorBack, holdCollector, listSettled, saveCollectorProgress } from '../../base/db/markets/collector';
import { mergeSeries } from '../../base/db/markets/mergeSeries';
import { type Candles, COLUMNS, createCandles } from '../../base/maths/candles';
import type { Clock, Instrument } from '../exchange';
import type { CandleRow } from './adapter';
import type { LiveListing } from './listing';
import type { LiveFeed } from './liveFeed';

/** How far back what is seen for the first time is stored; the coarse bar first, which the selection needs. */
const BACKFILL: readonly (readonly [bar: Bar, ms: number])[] = [
  ['1d', 730 * DAY_MS],
  ['1h', 90 * DAY_MS],
];
const FUNDING_MS = 90 * DAY_MS;
/** A candle is final a little after its bar has closed, and a settlement is listed a little after it was. */
const CANDLE_SETTLES_MS = 3 * SECOND_MS;
const FUNDING_SETTLES_MS = MINUTE_MS;
/** What the exchange did not have is asked for again after so long. */
const ASK_AGAIN_MS = 10 * MINUTE_MS;
const ASK_GAP_AGAIN_MS = DAY_MS;
/** Exchanges settle some milliseconds late. */
const JITTER_MS = MINUTE_MS;
const AT_ONCE = 3;
/** Symbols without a price that are told by name. */
const SILENT_NAMED = 20;

export interface CollectorTimes {
  look: number;
  lease: number;
  /** How often what is stored is read anew, and gaps are looked for. */
  review: number;
}

export const COLLECTOR_TIMES: CollectorTimes = { look: 5 * SECOND_MS, lease: 30 * SECOND_MS, review: HOUR_MS };

interface CollectorOptions {
  db: Queries;
  clock: Clock;
  feed: LiveFeed;
  source: string;
  /** Names the process. */
  holder: string;
  times: CollectorTimes;
  onTrouble: (what: string) => void;
}

/** What is to be asked for: candles of a bar, or settlements, from an instant on (UTC ms). */
interface Task {
  listing: LiveListing;
  bar: Bar | null;
  since: number;
  /** Of a gap its end, exclusive. */
  until: number | null;
}

const keyOf = (symbol: string, bar: Bar | null): string => `${symbol} ${bar ?? 'funding'}`;

/**
 * Stores what an exchange has traded: candles of all symbols once they have closed, and settled funding. What is seen for
 * the first time is filled up backwards, and what is missing in between is asked for again. Of all processes on a database
 * one does it; another takes over when it ends.
 */
export class Collector {
  readonly #o: CollectorOptions;
  readonly #ending = new AbortController();
  /** The newest that is stored, by `keyOf`; undefined while nothing is known. */
  #newest: Map<string, number> | undefined;
  #reviewedAt = Number.NEGATIVE_INFINITY;
  readonly #gaps = new Set<Task>();
  /** Until when not to ask again for what the exchange did not have. */
  readonly #waits = new Map<string, number>();
  #isHeld = false;
  #heldAt = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;
  #due = 0;
  #done = 0;
  #error: { text: string; at: number } | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: CollectorOptions) {
    this.#o = options;
  }

  start(): void {
    this.#running = Promise.all([this.#keepHolding(), this.#run()]);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    const { db, source, holder } = this.#o;
    await giveCollectorBack(db, { source, holder }).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { times, onTrouble } = this.#o;
    let failing = false;
    while (!this.#ending.signal.aborted) {
      try {
        if (this.#isHeld) await this.#pass();
        failing = false;
      } catch (error) {
        if (this.#ending.signal.aborted) return;
        const { name } = error as Error;
        if (!failing) onTrouble(`collector: ${name}`);
        failing = true;
      }
      await pause(times.look, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  /** Takes and prolongs the right to collect, however long a question takes. What another stored meanwhile is read anew. */
  async #keepHolding(): Promise<void> {
    const { db, source, holder, times } = this.#o;
    while (!this.#ending.signal.aborted) {
      const before = performance.now();
      const isOurs = await holdCollector(db, { source, holder, leaseMs: times.lease }).catch(() => false);
      if (!isOurs || before - this.#heldAt > times.lease) this.#newest = undefined;
      if (isOurs) this.#heldAt = before;
      this.#isHeld = isOurs;
      await pause(times.lease / 4, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  async #pass(): Promise<void> {
    const { feed } = this.#o;
    if (feed.listings.size > 0) {
      const newest = await this.#review();
      const tasks = [...this.#missing(newest), ...[...this.#gaps].filter((gap) => !this.#isWaiting(gap))];
      this.#due = tasks.length;
      this.#done = 0;
      await this.#tell();
      if (!feed.isOut) await this.#work(tasks);
    }
    await this.#tell();
  }

  async #work(tasks: Task[]): Promise<void> {
    const left = [...tasks].reverse();
    const turn = async () => {
      for (let task = left.pop(); task !== undefined; task = left.pop()) {
        if (this.#ending.signal.aborted || !this.#isHeld) return;
        await this.#collect(task);
        this.#done += 1;
        if (performance.now() - this.#toldAt > this.#o.times.look) await this.#tell();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, turn));
  }

  async #collect(task: Task): Promise<void> {
    const { clock, onTrouble } = this.#o;
    const { symbol } = task.listing.instrument;
    try {
      if (task.bar === null) await this.#collectFunding(task);
      else await this.#collectCandles(task, task.bar);
      this.#gaps.delete(task);
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      const { name, message } = error as Error;
      if (this.#error === null) onTrouble(`collecting ${symbol}: ${name}`);
      this.#error = { text: `${keyOf(symbol, task.bar)}：${name} ${message}`.slice(0, 300), at: clock() };
      this.#wait(task, MINUTE_MS);
    }
  }

  async #collectCandles(task: Task, bar: Bar): Promise<void> {
    const { feed } = this.#o;
    const { adapter } = feed;
    const { unified, instrument } = task.listing;
    const step = BAR_MS[bar];
    for (let { since } = task; !this.#ending.signal.aborted; ) {
      const end = Math.min(task.until ?? Number.POSITIVE_INFINITY, this.#exchangeNow() - CANDLE_SETTLES_MS);
      const wanted = Math.floor((end - since) / step);
      if (wanted <= 0) return;
      const limit = Math.min(adapter.mostCandles, wanted + 1);
      const rows = await feed.ask((exchange) => adapter.candles(exchange, unified, bar, since, limit));
      const closed = closedWithin(rows, { since, end, step });
      const last = closed?.time.at(-1);
      if (rows.length === 0 && limit <= wanted) {
        // Some answer for so many bars, others with so many candles: those after a long standstill are asked for too.
        since += limit * step;
        continue;
      }
      if (closed === null || last === undefined)
        return this.#wait(task, task.until === null ? ASK_AGAIN_MS : ASK_GAP_AGAIN_MS);
      await this.#store(instrument, { bar, candles: closed });
      if (task.until === null) this.#newest?.set(keyOf(instrument.symbol, bar), last);
      since = last + step;
    }
  }

  async #collectFunding(task: Task): Promise<void> {
    const { feed } = this.#o;
    const { unified, instrument } = task.listing;
    const most = feed.adapter.mostSettlements;
    for (let { since } = task; !this.#ending.signal.aborted; ) {
      const rows = await feed.ask((exchange) => feed.adapter.settlements(exchange, unified, since));
      const found = settlementsOf(rows, since);
      const last = found.time.at(-1);
      if (last === undefined) return this.#wait(task, ASK_AGAIN_MS);
      await this.#store(instrument, found);
      this.#newest?.set(keyOf(instrument.symbol, null), last);
      if (rows.length < most) return;
      since = last + JITTER_MS;
    }
  }

  async #store({ symbol, base, quote }: Instrument, series: Parameters<typeof mergeSeries>[2]): Promise<void> {
    const { db, source, clock } = this.#o;
    await mergeSeries(db, { source, symbol, base, quote }, series, clock());
  }

  /** What is stored of each symbol, and the gaps in it; read once in a while. */
  async #review(): Promise<Map<string, number>> {
    const { db, source, times } = this.#o;
    if (this.#newest !== undefined && performance.now() - this.#reviewedAt < times.review) return this.#newest;
    const [series, settled] = await Promise.all([listSeries(db, source), listSettled(db, source)]);
    const newest = new Map(series.map(({ symbol, bar, lastAt }) => [keyOf(symbol, bar), lastAt]));
    for (const { symbol, lastAt } of settled) newest.set(keyOf(symbol, null), lastAt);
    const broken = series.filter(({ bar, count, firstAt, lastAt }) => count < (lastAt - firstAt) / BAR_MS[bar] + 1);
    this.#gaps.clear();
    for (const { symbol, bar } of broken) {
      const listing = this.#o.feed.listings.get(symbol);
      const candles = listing && (await readCandles(db, source, bar, [symbol])).get(symbol);
      if (candles) for (const gap of gapsOf(candles, BAR_MS[bar])) this.#gaps.add({ listing, bar, ...gap });
    }
    this.#newest = newest;
    this.#reviewedAt = performance.now();
    return newest;
  }

  /** What is not stored yet and could be, the most traded first. */
  #missing(newest: ReadonlyMap<string, number>): Task[] {
    const { feed } = this.#o;
    const now = this.#exchangeNow();
    const turnover = ({ instrument }: LiveListing) => feed.present(instrument.symbol)?.turnover24h ?? 0;
    const listings = [...feed.listings.values()].sort((a, b) => turnover(b) - turnover(a));
    const tasks: Task[] = [];
    for (const [bar, span] of BACKFILL) {
      const step = BAR_MS[bar];
      for (const listing of listings) {
        const { symbol, listedAt } = listing.instrument;
        const last = newest.get(keyOf(symbol, bar));
        const first = Math.ceil(Math.max(listedAt, now - span) / step) * step;
        const since = last === undefined ? first : last + step;
        if (since + step + CANDLE_SETTLES_MS <= now) tasks.push({ listing, bar, since, until: null });
      }
    }
    for (const listing of listings) {
      const { symbol, listedAt, fundingHours } = listing.instrument;
      if (fundingHours === null) continue;
      const last = newest.get(keyOf(symbol, null));
      const isDue = last === undefined || last + fundingHours * HOUR_MS + FUNDING_SETTLES_MS <= now;
      const since = last === undefined ? Math.max(listedAt, now - FUNDING_MS) : last + JITTER_MS;
      if (isDue) tasks.push({ listing, bar: null, since, until: null });
    }
    return tasks.filter((task) => !this.#isWaiting(task));
  }

  #exchangeNow(): number {
    return this.#o.clock() + (this.#o.feed.rest.aheadMs ?? 0);
  }

  #wait(task: Task, ms: number): void {
    this.#waits.set(waitKey(task), this.#o.clock() + ms);
  }

  #isWaiting(task: Task): boolean {
    const until = this.#waits.get(waitKey(task));
    if (until === undefined || until <= this.#o.clock()) {
      this.#waits.delete(waitKey(task));
      return false;
    }
    return true;
  }

  async #tell(): Promise<void> {
    this.#toldAt = performance.now();
    const { db, source, holder, clock, feed } = this.#o;
    const { rest, streams } = feed;
    const silent = feed.silent();
    const progress: CollectorProgress = {
      at: clock(),
      due: this.#due,
      done: this.#done,
      isOut: feed.isOut,
      listed: feed.listings.size,
      stale: silent.length,
      silent: silent.slice(0, SILENT_NAMED),
      maintenance: [...feed.maintenance],
      delayMs: rest.delayMs,
      aheadMs: rest.aheadMs,
      weightUsed: rest.weight?.used ?? null,
      weightLimit: rest.weight?.limit ?? null,
      streams: [...streams].map(([name, state]) => ({ name, ...state })),
      error: this.#error?.text ?? null,
      errorAt: this.#error?.at ?? null,
    };
    await saveCollectorProgress(db, { source, holder, progress });
  }
}

const waitKey = ({ listing, bar, until, since }: Task): string =>
  `${keyOf(listing.instrument.symbol, bar)} ${until === null ? '' : since}`;

/** Candles on the grid within [since, end) whose bar has ended; null without any. */
function closedWithin(
  rows: readonly CandleRow[],
  { since, end, step }: { since: number; end: number; step: number },
): Candles | null {
  const kept = new Map<number, CandleRow>();
  for (const row of rows) {
    const [time] = row;
    if (time >= since && time + step <= end && time % step === 0 && row.every(Number.isFinite)) kept.set(time, row);
  }
  if (kept.size === 0) return null;
  const sorted = [...kept.values()].sort((a, b) => a[0] - b[0]);
  const candles = createCandles(sorted.length);
  for (const [i, row] of sorted.entries()) for (const [j, column] of COLUMNS.entries()) candles[column][i] = row[j]!;
  return candles;
}

/** On the full hour that they belong to. */
function settlementsOf(
  rows: readonly { timestamp?: number | undefined; fundingRate?: number | undefined }[],
  since: number,
): { time: Float64Array; rate: Float64Array } {
  const rates = new Map<number, number>();
  for (const { timestamp, fundingRate } of rows) {
    if (timestamp === undefined || fundingRate === undefined || timestamp < since - JITTER_MS) continue;
    const hour = Math.round(timestamp / HOUR_MS) * HOUR_MS;
    if (Math.abs(timestamp - hour) <= JITTER_MS) rates.set(hour, fundingRate);
  }
  const time = Float64Array.from(rates.keys()).sort();
  return { time, rate: time.map((at) => rates.get(at)!) };
}

function gapsOf({ time }: Candles, step: number): { since: number; until: number }[] {
  const gaps: { since: number; until: number }[] = [];
  for (let i = 1; i < time.length; i += 1) {
    if (time[i]! - time[i - 1]! > step) gaps.push({ since: time[i - 1]! + step, until: time[i]! });
  }
  return gaps;
}
