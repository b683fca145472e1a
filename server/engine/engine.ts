import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import type { HedgeSettings } from '#contract/hedgeConfig';
import { type Leg, ORDER_LIVE } from '#contract/lifecycle';
import type { Database } from '../db/client';
import type { DayLedger } from '../db/dayLedger';
import type { Clock, Markets } from '../exchange/exchange';
import { symbolKey } from '../exchange/symbolKey';
import { TaskQueues } from '../exchange/taskQueues';
import type { PaperVenue } from '../exchange/venue';
import { dayStartAt, runningDay } from '../maths/dayBoundary';
import { dayEquityOf, dayResult, isLossLimitReached } from '../maths/dayResult';
import { ZERO } from '../maths/decimal';
import { Actor, dispel } from './actor';
import { type Booked, bookEvents } from './booking';
import type { Desk } from './desk';
import { type Entry, entryOf, isOff, needsModel, rearmed } from './entries';
import { duePoint, pastPoint, sourcesIn, valued, valuedBy, watch } from './figures';
import { type Ground, headroomOf, roomOf } from './governor';
import { type HedgeSight, planHedge } from './kinds/hedge';
import { IntentsMoved, LeaseLost, Leases } from './lease';
import type { EngineNotice } from './notice';
import { Outlook } from './outlook';
import { type PairModels, zNow } from './pairModel';
import { EngineStore } from './store';
import { type Book, type HedgeBook, isSettling, isTakenBack, newHedge, type PairBook } from './tradingBook';
import type { Marks } from './view';
import { RISK_GUARD } from './words';

export interface EngineOptions {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Names this process among the holders of leases. */
  holder?: string;
  /** Trades the books of these users alone. */
  only?: () => ReadonlySet<string>;
  newId?: () => string;
  monotonic?: () => number;
  /** Books that are looked at beside each other: one waits for the wire while another goes on. 1 replays a seed in order. */
  sideBySide?: number;
  /** How long one book may act in one tick, ms of the monotonic clock; what is left to do comes with the next tick. */
  turnMs?: number;
  /** How often MAE, MFE and naked exposure are stored while nothing else happens, ms. */
  figuresEveryMs?: number;
  notify?: (notice: EngineNotice) => void;
  /** Told of what went wrong: a class name and a code, never a message of a library. */
  onTrouble?: (what: string, userId: string | null) => void;
}

type AccountThen = { at: number; found: DayLedger; source: string; marks: Marks; worth: ReturnType<typeof valuedBy> };

const TICK_MS = 1000;
/** One change on the wire a hedge and round; a hedge that is in on both legs needs about five. */
const ROUNDS = 24;
/** Hedges begun in one tick, of all users: more of them would keep those that run from being looked at. */
const ENTRIES = 20;
const FIGURES_EVERY_MS = 60_000;
/** An account in which nothing but prices moves is published this often: its margin costs more than the tick. */
const TELL_EVERY_MS = 5_000;
/** Plans ask for a little less than the governor allows. */
const PLAN_SHARE = 0.99;
/** An engine that has finished no tick for so long cannot be relied on. */
const LATE_MS = 3 * TICK_MS;

/**
 * Trades the books whose lease this process holds. Clock, ids and market come from outside, so that a seed replays a
 * run.
 */
export class Engine implements Desk {
  readonly #o: EngineOptions;
  readonly #leases: Leases;
  readonly #store: EngineStore;
  readonly #actor: Actor;
  readonly #outlook: Outlook;
  readonly #books = new Map<string, Book>();
  readonly #queues = new TaskQueues();
  readonly #notify: (notice: EngineNotice) => void;
  readonly #toldAt = new Map<string, number>();
  #entriesLeft = ENTRIES;
  #figuresAt = 0;
  /** When a tick was finished last, by a clock that never goes back; undefined before the engine was started. */
  #finishedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> = Promise.resolve();
  readonly #taking = new Mutex();
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#o = options;
    const { db, venue, clock, newId = randomUUID, holder = randomUUID(), notify = () => {} } = options;
    this.#notify = notify;
    this.#leases = new Leases(db, { holder, monotonic: options.monotonic, only: options.only });
    this.#store = new EngineStore(db, this.#leases);
    this.#outlook = new Outlook(options);
    this.#actor = new Actor({
      store: this.#store,
      venue,
      clock,
      newId,
      notify,
      holds: ({ userId, token }) => this.#leases.tokenOf(userId) === token,
      groundOf: (book, hedge, price) => this.#groundOf(book, hedge, price),
    });
  }

  /** Ticks once a second from now on; a slow tick delays the next one, none is caught up on. */
  start(): void {
    this.#finishedAt = performance.now();
    const loop = async () => {
      const began = performance.now();
      this.#ticking = this.tick();
      await this.#ticking;
      if (this.#stopped) return;
      this.#timer = setTimeout(() => void loop(), Math.max(0, TICK_MS - (performance.now() - began)));
      this.#timer.unref();
    };
    void loop();
  }

  /** Ends after the tick that runs, stores what is not stored yet and gives the leases back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#ticking;
    await this.#queues.idle();
    await this.#flushFigures();
    this.#books.clear();
    await this.#leases.release();
  }

  /** Whether some hedge is between two states, so that the next second matters. */
  get busy(): boolean {
    return [...this.#books.values()].some(({ hedges }) => [...hedges.values()].some(({ state }) => state !== 'open'));
  }

  /** Whether it was started and has finished no tick for three intervals. */
  get isLate(): boolean {
    return this.#finishedAt !== undefined && performance.now() - this.#finishedAt > LATE_MS;
  }

  async tick(): Promise<void> {
    try {
      await this.#takeBooks();
      this.#entriesLeft = ENTRIES;
      await this.#outlook.look(this.#sources());
      // One account that the paper venue cannot move on holds up no other.
      await this.#o.venue.advance(new Set(this.#books.keys())).catch((error) => this.#trouble(error, null));
      await this.#stepAll();
      await this.#drawPoints();
      const { clock, figuresEveryMs = FIGURES_EVERY_MS } = this.#o;
      if (clock() - this.#figuresAt >= figuresEveryMs) await this.#flushFigures();
      if (this.#finishedAt !== undefined) this.#finishedAt = performance.now();
    } catch (error) {
      this.#trouble(error, null);
    }
  }

  /** Looks at every book; those with one leg alone come first, for instance after they were taken over. */
  async #stepAll(): Promise<void> {
    const users = [...this.#books.keys()].sort();
    const waiting = [
      ...users.filter((userId) => this.#isAlone(userId)),
      ...users.filter((userId) => !this.#isAlone(userId)),
    ];
    const seen = new Set(waiting);
    const work = async () => {
      for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
        const turn = userId;
        // What another process has left comes before what it was this one's turn to do.
        if (await this.#keepLeases()) {
          await this.#takeBooks();
          waiting.unshift(...[...this.#books.keys()].filter((each) => !seen.has(each)));
          for (const each of waiting) seen.add(each);
        }
        await this.#alone(turn, () => this.#step(turn));
      }
    };
    await Promise.all(Array.from({ length: this.#o.sideBySide ?? 1 }, work));
  }

  #isAlone(userId: string): boolean {
    return [...(this.#books.get(userId)?.hedges.values() ?? [])].some(({ oneLegSince }) => oneLegSince !== null);
  }

  async wake(userId: string): Promise<void> {
    if (this.#stopped) return;
    if (!this.#leases.holds(userId)) {
      this.#leases.hurry();
      await this.#takeBooks();
    }
    await this.#alone(userId, async () => {
      const book = this.#books.get(userId);
      if (!book) return;
      await this.#store.refresh(book);
      await this.#outlook.look(this.#sources());
      await this.#step(userId);
    });
  }

  /** Runs `work` when nothing else works on this book. */
  async #alone(userId: string, work: () => Promise<void>): Promise<void> {
    await this.#queues.run(userId, () => work().catch((error) => this.#trouble(error, userId)));
  }

  /** After an error the book in memory may differ from the one in the database: the next tick reads it again. */
  #trouble(error: unknown, userId: string | null): void {
    if (userId !== null) this.#books.delete(userId);
    if (error instanceof LeaseLost) this.#leases.hurry();
    const { name, code } = error as { name?: string; code?: string };
    this.#o.onTrouble?.([name ?? 'Error', code].filter(Boolean).join(' '), userId);
  }

  /** One after the other: a book that was read twice would be traded from what the second reading did not see yet. */
  #takeBooks(): Promise<void> {
    return this.#taking.runExclusive(() => this.#readBooks());
  }

  /** Asked again and again: a tick may be longer than a lease. @returns whether books of another process were taken. */
  async #keepLeases(): Promise<boolean> {
    const taken = await this.#leases.keep();
    for (const userId of taken) this.#notify({ kind: 'takenOver', userId });
    return taken.length > 0;
  }

  async #readBooks(): Promise<void> {
    await this.#keepLeases();
    const users = this.#leases.users;
    for (const userId of this.#books.keys()) if (!this.#isCurrent(userId)) this.#books.delete(userId);
    const missing = users.filter((userId) => !this.#books.has(userId));
    // What still works on the book as it was before is written first.
    await Promise.all(missing.map((userId) => this.#queues.idle(userId)));
    // By the lease of before the reading: one that is taken anew meanwhile asks for another.
    const tokens = new Map(missing.map((userId) => [userId, this.#leases.tokenOf(userId)] as const));
    const held = new Map([...tokens].flatMap(([userId, token]) => (token === undefined ? [] : [[userId, token]])));
    for (const book of await this.#store.load(held, this.#o.clock())) this.#books.set(book.userId, book);
    if (users.length === 0) return;
    const { revisions, pausedForAll } = await this.#store.pulse(users);
    for (const { userId, revision, blocked } of revisions) {
      const book = this.#books.get(userId);
      const isMoved = book?.revision !== revision || book.blocked !== blocked;
      if (book && (isMoved || book.pausedForAll?.at !== pausedForAll?.at)) {
        await this.#alone(userId, () => this.#store.refresh(book));
      }
    }
  }

  /** Whether nobody else can have written the book since it was read. */
  #isCurrent(userId: string): boolean {
    const token = this.#leases.tokenOf(userId);
    return token !== undefined && token === this.#books.get(userId)?.token;
  }

  /** Sources that some book has to do with. */
  #sources(): Set<string> {
    const sources = new Set<string>();
    for (const { settings, pairs, hedges } of this.#books.values()) {
      if (settings) sources.add(settings.source);
      for (const { source } of pairs) sources.add(source);
      for (const { source } of hedges.values()) sources.add(source);
    }
    return sources;
  }

  async #step(userId: string): Promise<void> {
    const book = this.#books.get(userId);
    if (!book || !this.#isCurrent(userId)) return;
    const changed = await this.#pull(book);
    await this.#openDay(book);
    await this.#recordMidnight(book);
    const isOver = this.#turn();
    for (let round = 0; round < ROUNDS && !isOver(); round += 1) {
      if (!(await this.#move(book, isOver))) break;
      await this.#pull(book);
    }
    const due = this.#o.clock() - (this.#toldAt.get(userId) ?? 0) >= TELL_EVERY_MS;
    if (changed || (due && book.hedges.size > 0)) await this.#tellAccount(book);
  }

  /** Begins a book's turn. @returns what says that it is over. */
  #turn(): () => boolean {
    const { monotonic = () => performance.now(), turnMs = Number.POSITIVE_INFINITY } = this.#o;
    const until = monotonic() + turnMs;
    return () => monotonic() >= until;
  }

  /** One round over the book. @returns whether anything changed. */
  async #move(book: Book, isOver: () => boolean): Promise<boolean> {
    try {
      // Exits before entries, also where they have to wait for the next turn.
      return (await this.#actOnHedges(book, isOver)) || (!isOver() && (await this.#enter(book)));
    } catch (error) {
      if (!(error instanceof IntentsMoved)) throw error;
      // Nothing was written: it is decided again, by what is wanted now.
      await this.#store.refresh(book);
      return true;
    }
  }

  async #tellAccount(book: Book): Promise<void> {
    const present = valued(book, this.#outlook.views);
    if (present === null) return;
    this.#toldAt.set(book.userId, this.#o.clock());
    const { equity, initialMargin } = await this.#o.venue.margin(book.userId);
    const cost = [...book.hedges.values()].reduce(
      (sum, { legs }) => sum + legs.long.cost.toNumber() + legs.short.cost.toNumber(),
      0,
    );
    const available = Math.max(0, Number(equity) - Number(initialMargin));
    const { userId } = book;
    this.#notify({ kind: 'account', userId, equity: present.equity, available, unrealised: present.net - cost });
  }

  /** Books what happened at the venue since, and looks at the hedges. @returns whether something did. */
  async #pull(book: Book, hedges: Iterable<HedgeBook> = book.hedges.values()): Promise<boolean> {
    const events = await this.#o.venue.events(book.userId, book.sequence);
    if (events.length > 0) {
      const fills = events.flatMap((event) => (event.kind === 'fill' ? [event] : []));
      const strangers = fills.flatMap(({ clientId }) =>
        clientId !== null && !book.orders.has(clientId) ? [clientId] : [],
      );
      for (const order of await this.#store.orders(strangers)) book.orders.set(order.id, order);
      const known = await this.#store.knownFills(fills.map(({ fillId }) => fillId));
      const cashIn = book.sums.transfers;
      const booked = bookEvents(book, events, known);
      if (book.dayEquity !== null) book.dayEquity += book.sums.transfers.minus(cashIn).toNumber();
      this.#noteEnds(book, booked);
      await this.#store.saveBooked(book, booked, this.#o.clock());
      this.#tellBooked(book, booked);
    }
    for (const order of book.orders.values()) if (!ORDER_LIVE.includes(order.state)) book.orders.delete(order.id);
    const now = this.#o.clock();
    for (const hedge of hedges) watch(hedge, this.#outlook.views, now);
    return events.length > 0;
  }

  /** What orders that ended by what was booked mean for their hedges. */
  #noteEnds(book: Book, { orders, hedges }: Booked): void {
    for (const order of orders) {
      const hedge = order.hedgeId === null ? undefined : book.hedges.get(order.hedgeId);
      if (hedge === undefined) continue;
      if (isTakenBack(order)) hedge.entryCancelledAt ??= this.#o.clock();
      if (order.state === 'filled') hedge.attempts = 0;
      dispel(book, hedge);
      hedges.add(hedge);
    }
  }

  /** Each thing once, whatever caused it. */
  #tellBooked({ userId, hedges: running }: Book, { orders, newOrders, lines }: Booked): void {
    for (const order of new Set([...orders, ...newOrders])) this.#notify({ kind: 'order', userId, order });
    const told = new Set<string>();
    for (const { hedgeId, kind } of lines) {
      const hedge = running.get(hedgeId);
      if (hedge === undefined || told.has(`${hedgeId} ${kind}`)) continue;
      told.add(`${hedgeId} ${kind}`);
      this.#notify({ kind: 'hedge', userId, hedge, event: kind });
    }
  }

  async #actOnHedges(book: Book, isOver: () => boolean): Promise<boolean> {
    let moved = false;
    for (const order of [...book.orders.values()]) {
      if (order.state === 'open' && order.cancelAskedAt !== null && !isSettling(order))
        moved = (await this.#actor.cancel(book, order)) || moved;
    }
    for (const hedge of [...book.hedges.values()]) {
      // One leg that is alone does not wait for its book's next turn.
      if (isOver() && hedge.oneLegSince === null) continue;
      await this.#keepLeases();
      moved = (await this.#actOn(book, hedge)) || moved;
    }
    return moved;
  }

  /** As far as it goes at once: the second leg follows the first before another hedge has its turn. */
  async #actOn(book: Book, hedge: HedgeBook): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const live = [...book.orders.values()].filter(
        ({ hedgeId, state }) => hedgeId === hedge.id && ORDER_LIVE.includes(state),
      );
      const sight = await this.#sightOf(book, hedge);
      const wish = planHedge(hedge, live, sight);
      if (wish === null || !(await this.#actor.act(book, hedge, wish, sight))) return round > 0;
      await this.#pull(book, [hedge]);
      if (!book.hedges.has(hedge.id)) break;
    }
    return true;
  }

  async #sightOf(book: Book, hedge: HedgeBook): Promise<HedgeSight> {
    const { source, legs } = hedge;
    const pair = { source, long: legs.long.symbol, short: legs.short.symbol };
    const views = this.#outlook.of(pair);
    const isOpening = hedge.state === 'opening';
    const of = <T>(figure: (leg: Leg) => T): Record<Leg, T> => ({ long: figure('long'), short: figure('short') });
    const positionOf = (leg: Leg) => book.positions.get(symbolKey({ source, symbol: legs[leg].symbol })) ?? ZERO;
    return {
      now: this.#o.clock(),
      ...views,
      terms: await this.#outlook.termsOf(pair),
      delisted: await this.#outlook.delistedOf(pair),
      z: await this.#outlook.zOf(pair, hedge.settings),
      off: isOff(book),
      // Only what is being entered asks for room.
      room: of((leg) => (isOpening ? roomOf(this.#groundOf(book, hedge, views[leg]?.price ?? 0), leg, PLAN_SHARE) : 0)),
      headroom: isOpening ? headroomOf(this.#groundOf(book, hedge, 0), PLAN_SHARE) : 0,
      account: of(positionOf),
    };
  }

  #groundOf(book: Book, hedge: HedgeBook, price: number): Ground {
    const { positions, orders, hedges, sums } = book;
    const present = valued(book, this.#outlook.views);
    return {
      hedge,
      live: [...orders.values()],
      positionOf: (symbol) => positions.get(symbolKey({ source: hedge.source, symbol })) ?? ZERO,
      // Where a price is missing the account counts at what its legs cost and what was paid in.
      gross: present?.gross ?? costOf(book),
      capital: present?.equity ?? sums.transfers.toNumber(),
      leverage: Math.max(...[hedge, ...hedges.values()].map(({ settings }) => settings.leverage)),
      price,
      now: this.#o.clock(),
    };
  }

  async #enter(book: Book): Promise<boolean> {
    const { settings } = book;
    if (settings === null) return false;
    const lossLimitHit = await this.#pausesAtLimit(book, settings);
    const changed: PairBook[] = [];
    let entered = false;
    for (const pair of book.pairs) {
      // The rest has its turn with the next tick.
      if (this.#entriesLeft <= 0) break;
      await this.#keepLeases();
      const entry = await this.#entryOf(book, settings, pair, lossLimitHit);
      if ('block' in entry) {
        if (pair.block !== entry.block) {
          pair.block = entry.block;
          changed.push(pair);
        }
        continue;
      }
      this.#entriesLeft -= 1;
      await this.#create(book, settings, pair, entry);
      entered = true;
    }
    if (changed.length > 0) await this.#store.saveBlocks(book, changed);
    return entered;
  }

  async #entryOf(book: Book, settings: HedgeSettings, pair: PairBook, lossLimitHit: boolean) {
    const { long, short } = this.#outlook.of(pair);
    const model = needsModel(settings) ? await this.#outlook.modelOf(pair, settings) : undefined;
    if (rearmed(pair, settings, zNow(model, long, short))) {
      pair.usedArmAt = null;
      await this.#store.rearm(book, pair);
    }
    const terms = await this.#outlook.termsOf(pair);
    const sight = { long, short, terms, model, lossLimitHit };
    const entry = entryOf(book, settings, pair, sight);
    if ('block' in entry) return entry;
    const { equity, initialMargin } = await this.#o.venue.margin(book.userId);
    // Money counts when the venue has it and it is booked: the governor goes by the books.
    const capital = Math.min(Number(equity), valued(book, this.#outlook.views)?.equity ?? 0);
    return capital - Number(initialMargin) - promisedBy(book) >= entry.needs ? entry : { block: 'margin' as const };
  }

  async #create(book: Book, settings: HedgeSettings, pair: PairBook, { ratio, z }: Entry): Promise<void> {
    const now = this.#o.clock();
    const id = (this.#o.newId ?? randomUUID)();
    // Of interest also where the rules do not ask for it.
    const zOpen = z ?? (await this.#outlook.zOf(pair, settings));
    const hedge = newHedge(pair, { id, settings, ratio, zOpen }, now);
    pair.usedArmAt = pair.armedAt;
    pair.block = 'open';
    const line = { hedgeId: id, kind: 'created', detail: `${pair.long} / ${pair.short}` } as const;
    await this.#store.createHedge(book, hedge, pair, now, line);
    book.hedges.set(id, hedge);
    this.#notify({ kind: 'hedge', userId: book.userId, hedge, event: 'created' });
  }

  /**
   * Remembers what the account was worth when its day began, by the ledger and the marks of that instant, whenever this
   * process came to look; the record of the account has it as its point of that instant.
   */
  async #openDay(book: Book): Promise<void> {
    const { start } = runningDay(book, this.#o.clock());
    if (book.day === start) return;
    const then = await this.#accountAt(book, start);
    const { found, worth } = then;
    // Without a mark of then the present stands in for it.
    const present = worth === null ? valued(book, this.#outlook.views) : null;
    const dayEquity = worth === null ? present?.equity : dayEquityOf(worth.equity, found.transfers.toNumber());
    if (dayEquity === undefined) return;
    book.day = start;
    book.dayEquity = dayEquity;
    await this.#store.saveDay(book);
    await this.#addPointOf(book, then);
  }

  /** The statistics of all accounts go by UTC days, whatever the accounts' own days are: the record has each 00:00. */
  async #recordMidnight(book: Book): Promise<void> {
    const midnight = dayStartAt(this.#o.clock(), 0);
    if (book.midnightAt === midnight) return;
    book.midnightAt = midnight;
    if (book.lastPointAt < midnight) await this.#addPointOf(book, await this.#accountAt(book, midnight));
  }

  /** The account as an instant found it; `worth` is null where a mark of then is missing. */
  async #accountAt(book: Book, at: number) {
    const found = await this.#store.ledgerAt(book, at);
    const source = book.settings?.source ?? '';
    const marks = await this.#outlook.marksAt(at, sourcesIn(found.positions).add(source));
    return { at, found, source, marks, worth: valuedBy(found, marks) };
  }

  async #addPointOf(book: Book, { at, found, source, marks, worth }: AccountThen): Promise<void> {
    const point = worth && pastPoint(book, found, worth, marks, at);
    if (point === null) return;
    const [own] = await this.#store.addPoints([
      { book, point: { ...point, btc: this.#outlook.bitcoinIn(marks, source) } },
    ]);
    if (own !== undefined) book.lastPointAt = Math.max(book.lastPointAt, at);
  }

  async #pausesAtLimit(book: Book, { dailyLossLimit }: HedgeSettings): Promise<boolean> {
    const { dayEquity, day } = book;
    if (dailyLossLimit === null || dayEquity === null || book.lossLiftedDay === day) return false;
    const present = valued(book, this.#outlook.views);
    if (present === null || !isLossLimitReached(dayResult(present.equity, dayEquity), dailyLossLimit)) return false;
    if (book.paused === null) {
      const pause = { at: this.#o.clock(), by: RISK_GUARD, reason: `单日亏损达到上限 ${dailyLossLimit} USDT` };
      await this.#store.pause(book, pause);
      book.paused = pause;
    }
    return true;
  }

  async #drawPoints(): Promise<void> {
    const now = this.#o.clock();
    const points = [...this.#books.values()].flatMap((book) => {
      const bitcoin = this.#outlook.bitcoinOf(book.settings?.source ?? '');
      const point = duePoint(book, this.#outlook.views, bitcoin, now);
      return point ? [{ book, point }] : [];
    });
    const written = await this.#store.addPoints(points);
    for (const { book, point } of points) if (written.has(book.userId)) book.lastPointAt = point.at;
  }

  async #flushFigures(): Promise<void> {
    this.#figuresAt = this.#o.clock();
    await this.#store.saveFigures([...this.#books.values()]);
  }
}

/** What the legs of all hedges that run have cost, USDT. */
const costOf = ({ hedges }: Book): number =>
  [...hedges.values()].reduce((sum, { legs }) => sum + legs.long.cost.abs().plus(legs.short.cost.abs()).toNumber(), 0);

/** Margin that hedges which are being entered will still take, USDT: the next one must not count on it. */
function promisedBy({ hedges }: Book): number {
  let promised = 0;
  for (const { state, settings, ratio, legs } of hedges.values()) {
    if (state !== 'waiting' && state !== 'opening') continue;
    const wished = settings.legNotional * (1 + ratio);
    const taken = legs.long.cost.abs().plus(legs.short.cost.abs()).toNumber();
    promised += Math.max(0, wished - taken) / settings.leverage;
  }
  return promised;
}
