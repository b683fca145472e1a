import { setTimeout as pause } from 'node:timers/promises';
import { BAR_MS } from '#contract/candle';
import type { CollectorProgress } from '#contract/dataSource';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Queries } from '../../base/db/client';
import { listSeries, MINUTE, readCandles, STORED_BARS, type StoredBar } from '../../base/db/markets/candle';
import { giveCollectorBack, holdCollector, listSettled, saveCollectorProgress } from '../../base/db/markets/collector';
import { mergeMinutes, mergeSeries } from '../../base/db/markets/mergeSeries';
import { addSamples, type SampleRow } from '../../base/db/markets/sample';
import { readWatched } from '../../base/db/markets/watched';
import { premium } from '../../base/maths/basis';
import { type Candles, COLUMNS, createCandles, joinCandles } from '../../base/maths/candles';
import { spareTime } from '../../base/work/spareTime';
import type { Clock, Instrument } from '../exchange';
import type { CandleRow } from './adapter';
import type { LiveListing } from './listing';
import type { LiveFeed } from './liveFeed';
import { watchedListings } from './watched';

/** How far back what is seen for the first time is stored; the coarse bar first, which the selection needs. */
const BACKFILL: readonly (readonly [bar: StoredBar, ms: number])[] = [
  ['1d', 730 * DAY_MS],
  ['1h', 90 * DAY_MS],
];
const FUNDING_MS = 90 * DAY_MS;
/** Of what is watched. */
const MINUTES_MS = DAY_MS;
const SAMPLE_MS = 5 * MINUTE_MS;
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
  /** How often it is found out what is watched. */
  watch: number;
}

export const COLLECTOR_TIMES: CollectorTimes = {
  look: 5 * SECOND_MS,
  lease: 30 * SECOND_MS,
  review: HOUR_MS,
  watch: 30 * SECOND_MS,
};

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
  bar: StoredBar | null;
  since: number;
  /** Of a gap its end, exclusive. */
  until: number | null;
}

const keyOf = (symbol: string, bar: StoredBar | null): string => `${symbol} ${bar ?? 'funding'}`;

/**
 * Stores what an exchange has traded: candles of all symbols once they have closed, minutes of those that are watched, and
 * settled funding. What is seen for the first time is filled up backwards, and what is missing in between is asked for
 * again. Of all processes on a database one does it; another takes over when it ends.
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
  #watched: { watched: LiveListing[]; left: number } = { watched: [], left: 0 };
  #borrowRates: ReadonlyMap<string, number> = new Map();
  #borrowReadAt = Number.NEGATIVE_INFINITY;
  #sampledAt = Number.NEGATIVE_INFINITY;
  #watchedAt = Number.NEGATIVE_INFINITY;
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
    // Minutes do not wait for all that may be missing of hours and days.
    const passes = [() => this.#pass(), () => this.#passMinutes(), () => this.#passSamples()];
    this.#running = Promise.all([this.#keepHolding(), ...passes.map((pass) => this.#run(pass))]);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    const { db, source, holder } = this.#o;
    await giveCollectorBack(db, { source, holder }).catch(() => undefined);
  }

  async #run(pass: () => Promise<void>): Promise<void> {
    const { times, onTrouble } = this.#o;
    let failing = false;
    while (!this.#ending.signal.aborted) {
      try {
        if (this.#isHeld) await pass();
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
      const tasks = [...this.#missing(newest), ...this.#openGaps(false)];
      this.#due = tasks.length;
      this.#done = 0;
      await this.#tell();
      const onDone = async () => {
        this.#done += 1;
        await spareTime(this.#ending.signal);
        if (performance.now() - this.#toldAt > this.#o.times.look) await this.#tell();
      };
      if (!feed.isOut) await this.#work(tasks, onDone);
    }
    await this.#tell();
  }

  async #passMinutes(): Promise<void> {
    const { feed } = this.#o;
    const newest = this.#newest;
    if (newest === undefined || feed.listings.size === 0 || feed.isOut) return;
    await this.#watch();
    const missing = this.#missingCandles(newest, MINUTE, MINUTES_MS, this.#watched.watched);
    await this.#work([...missing.filter((task) => !this.#isWaiting(task)), ...this.#openGaps(true)]);
  }

  /** Of what is watched, right after every fifth minute; one that nobody was there for is missing. */
  async #passSamples(): Promise<void> {
    const { db, source, feed } = this.#o;
    const now = this.#exchangeNow();
    const at = Math.floor(now / SAMPLE_MS) * SAMPLE_MS;
    if (at === this.#sampledAt || now - at > MINUTE_MS || feed.isOut) return;
    const perpetuals = this.#watched.watched.filter(({ instrument }) => instrument.kind === 'perpetual');
    if (perpetuals.length === 0) return;
    await this.#readBorrowRates();
    const rows: SampleRow[] = [];
    for (const listing of perpetuals) {
      const figures = await this.#sample(listing);
      if (figures !== null) rows.push({ source, symbol: listing.instrument.symbol, at, ...figures });
    }
    if (rows.length === 0) return;
    await addSamples(db, rows);
    this.#sampledAt = at;
  }

  /** They change by the hour. What cannot be read is not known. */
  async #readBorrowRates(): Promise<void> {
    const { feed, clock } = this.#o;
    const { borrowRates } = feed.adapter;
    if (borrowRates === undefined || clock() - this.#borrowReadAt < HOUR_MS) return;
    this.#borrowRates = await feed.ask(borrowRates).catch(() => new Map<string, number>());
    if (this.#borrowRates.size > 0) this.#borrowReadAt = clock();
  }

  /** Where no message of the exchange tells what stands open it is asked. */
  async #sample({ unified, instrument }: LiveListing) {
    const { feed } = this.#o;
    const { adapter } = feed;
    const present = feed.present(instrument.symbol);
    if (present === null) return null;
    const asked = adapter.openInterest && feed.ask((exchange) => adapter.openInterest!(exchange, unified));
    const interest = (await asked?.catch(() => null)) ?? present.interest ?? null;
    const { mark, index } = present;
    const interestUsdt = interest === null || mark === undefined ? null : interest * mark;
    const rate = premium(mark ?? null, index ?? null);
    const borrow = this.#borrowRates.get(instrument.base) ?? null;
    return interest === null && rate === null ? null : { interest, interestUsdt, premium: rate, borrow };
  }

  async #watch(): Promise<void> {
    const { db, source, feed, times } = this.#o;
    if (performance.now() - this.#watchedAt < times.watch) return;
    this.#watched = watchedListings(feed.listings, await readWatched(db, source));
    this.#watchedAt = performance.now();
  }

  /** Gaps of minutes, or of all else, that may be asked for. */
  #openGaps(ofMinutes: boolean): Task[] {
    return [...this.#gaps].filter((gap) => (gap.bar === MINUTE) === ofMinutes && !this.#isWaiting(gap));
  }

  async #work(tasks: Task[], onDone = async () => {}): Promise<void> {
    const left = [...tasks].reverse();
    const turn = async () => {
      for (let task = left.pop(); task !== undefined; task = left.pop()) {
        if (this.#ending.signal.aborted || !this.#isHeld) return;
        await this.#collect(task);
        await onDone();
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

  /** All that was answered is stored at once, also what came before a question that failed: each store is a transaction. */
  async #collectCandles(task: Task, bar: StoredBar): Promise<void> {
    const { instrument } = task.listing;
    const pages: Candles[] = [];
    try {
      for await (const page of this.#pages(task, bar)) pages.push(page);
    } finally {
      const last = pages.at(-1)?.time.at(-1);
      if (last !== undefined) await this.#storeCandles(instrument, bar, joinCandles(pages));
      if (last !== undefined && task.until === null) this.#newest?.set(keyOf(instrument.symbol, bar), last);
    }
  }

  async *#pages(task: Task, bar: StoredBar): AsyncGenerator<Candles> {
    const { feed } = this.#o;
    const { adapter } = feed;
    const { unified } = task.listing;
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
        return this.#wait(task, task.until === null ? Math.min(step, ASK_AGAIN_MS) : ASK_GAP_AGAIN_MS);
      yield closed;
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

  #storeCandles(instrument: Instrument, bar: StoredBar, candles: Candles): Promise<unknown> {
    const { db, source } = this.#o;
    const { symbol } = instrument;
    return bar === MINUTE ? mergeMinutes(db, { source, symbol }, candles) : this.#store(instrument, { bar, candles });
  }

  /** What is stored of each symbol, and the gaps in it; read once in a while. */
  async #review(): Promise<Map<string, number>> {
    const { db, source, times } = this.#o;
    if (this.#newest !== undefined && performance.now() - this.#reviewedAt < times.review) return this.#newest;
    const [series, settled] = await Promise.all([listSeries(db, source, STORED_BARS), listSettled(db, source)]);
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
    for (const [bar, span] of BACKFILL) tasks.push(...this.#missingCandles(newest, bar, span, listings));
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

  /** What lies further back than `span` and is missing is a gap. */
  #missingCandles(
    newest: ReadonlyMap<string, number>,
    bar: StoredBar,
    span: number,
    listings: readonly LiveListing[],
  ): Task[] {
    const now = this.#exchangeNow();
    const step = BAR_MS[bar];
    return listings.flatMap((listing) => {
      const { symbol, listedAt } = listing.instrument;
      const last = newest.get(keyOf(symbol, bar)) ?? Number.NEGATIVE_INFINITY;
      const since = Math.max(Math.ceil(Math.max(listedAt, now - span) / step) * step, last + step);
      return since + step + CANDLE_SETTLES_MS <= now ? [{ listing, bar, since, until: null }] : [];
    });
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
      isSilent: feed.isSilent,
      outSince: feed.outSince,
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
      watched: this.#watched.watched.length,
      unwatched: this.#watched.left,
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
