import { randomUUID } from 'node:crypto';
import type { HedgeSettings } from '#contract/hedgeConfig';
import { ORDER_LIVE } from '#contract/lifecycle';
import type { Database } from '../db/client';
import type { Clock, Market, Markets } from '../exchange/exchange';
import type { PaperVenue, TradingTerms } from '../exchange/venue';
import { perpetualOf } from '../symbol/perpetualOf';
import { Actor } from './actor';
import type { Book, HedgeBook, PairBook, PauseBook } from './book';
import { bookEvents } from './booking';
import { ZERO } from './decimals';
import type { Desk } from './desk';
import { type Entry, entryOf, needsModel, rearmed, zNow } from './entries';
import { DAY_MS, duePoint, type Views, valued, viewOf, watch } from './figures';
import { type HedgeSight, planHedge } from './kinds/hedge';
import { LeaseLost, Leases } from './lease';
import type { EngineNotice } from './notice';
import type { PairModel, PairModels } from './pairModel';
import { EngineStore } from './store';
import { MarketEye, type SymbolView } from './view';
import { RISK_GUARD } from './words';

export interface EngineOptions {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Names this process among the holders of leases. */
  holder?: string;
  newId?: () => string;
  monotonic?: () => number;
  /** How often MAE, MFE and naked exposure are stored while nothing else happens, ms. */
  figuresEveryMs?: number;
  notify?: (notice: EngineNotice) => void;
  /** Told of what went wrong: a class name and a code, never a message of a library. */
  onTrouble?: (what: string, userId: string | null) => void;
}

const TICK_MS = 1000;
/** One change on the wire a hedge and round; a hedge that stands on both legs needs about five. */
const ROUNDS = 24;
const TERMS_KEPT_MS = 60_000;
const FIGURES_EVERY_MS = 60_000;
/** An account in which nothing but prices moves is told of this often: its margin costs more than the tick. */
const TELL_EVERY_MS = 5_000;

/**
 * Trades the books whose lease this process holds. Clock, ids and market come from outside, so that a seed replays a
 * run.
 */
export class Engine implements Desk {
  readonly #o: EngineOptions;
  readonly #leases: Leases;
  readonly #store: EngineStore;
  readonly #actor: Actor;
  readonly #books = new Map<string, Book>();
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #eyes = new Map<string, MarketEye>();
  readonly #terms = new Map<string, { at: number; terms: TradingTerms | undefined }>();
  readonly #notify: (notice: EngineNotice) => void;
  readonly #toldAt = new Map<string, number>();
  #views: Views = new Map();
  /** The sources as this tick sees them. */
  #markets = new Map<string, Market>();
  #btc = new Map<string, number>();
  #pausedForAll: PauseBook | null = null;
  #figuresAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#o = options;
    const { db, venue, clock, newId = randomUUID, holder = randomUUID(), notify = () => {} } = options;
    this.#notify = notify;
    this.#leases = new Leases(db, holder, options.monotonic);
    this.#store = new EngineStore(db, this.#leases);
    this.#actor = new Actor({
      store: this.#store,
      venue,
      clock,
      newId,
      notify,
      holds: (userId) => this.#leases.holds(userId),
    });
  }

  /** Ticks once a second from now on; a slow tick delays the next one, none is caught up on. */
  start(): void {
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
    await Promise.all(this.#queues.values());
    await this.#flushFigures();
    this.#books.clear();
    await this.#leases.release();
  }

  /** Whether some hedge is between two states, so that the next second matters. */
  get busy(): boolean {
    return [...this.#books.values()].some(({ hedges }) => [...hedges.values()].some(({ state }) => state !== 'open'));
  }

  async tick(): Promise<void> {
    try {
      await this.#takeBooks();
      await this.#lookAtMarkets();
      // One account that the paper venue cannot move on holds up no other.
      await this.#o.venue.advance().catch((error) => this.#trouble(error, null));
      // One after the other: the database is one writer anyway, and a seed replays the same order.
      for (const userId of [...this.#books.keys()].sort()) await this.#alone(userId, () => this.#step(userId));
      await this.#drawPoints();
      const { clock, figuresEveryMs = FIGURES_EVERY_MS } = this.#o;
      if (clock() - this.#figuresAt >= figuresEveryMs) await this.#flushFigures();
    } catch (error) {
      this.#trouble(error, null);
    }
  }

  async wake(userId: string): Promise<void> {
    if (this.#stopped) return;
    if (!this.#leases.holds(userId)) {
      this.#leases.hurry();
      await this.#takeBooks();
    }
    const book = this.#books.get(userId);
    if (!book) return;
    await this.#alone(userId, async () => {
      await this.#store.refresh(book);
      await this.#lookAtMarkets();
      await this.#step(userId);
    });
  }

  /** Runs `work` when nothing else works on this book. */
  async #alone(userId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#queues.get(userId) ?? Promise.resolve();
    const turn = before
      .then(work)
      .catch((error) => this.#trouble(error, userId))
      .finally(() => {
        if (this.#queues.get(userId) === turn) this.#queues.delete(userId);
      });
    this.#queues.set(userId, turn);
    await turn;
  }

  /** After an error the book in memory may differ from the one in the database: the next tick reads it again. */
  #trouble(error: unknown, userId: string | null): void {
    if (userId !== null) this.#books.delete(userId);
    if (error instanceof LeaseLost) this.#leases.hurry();
    const { name, code } = error as { name?: string; code?: string };
    this.#o.onTrouble?.([name ?? 'Error', code].filter(Boolean).join(' '), userId);
  }

  async #takeBooks(): Promise<void> {
    await this.#leases.keep();
    const users = this.#leases.users;
    for (const userId of this.#books.keys()) if (!this.#leases.holds(userId)) this.#books.delete(userId);
    for (const book of await this.#store.load(users.filter((userId) => !this.#books.has(userId)))) {
      this.#books.set(book.userId, book);
    }
    if (users.length === 0) return;
    const { revisions, pausedForAll } = await this.#store.pulse(users);
    this.#pausedForAll = pausedForAll;
    for (const { userId, revision } of revisions) {
      const book = this.#books.get(userId);
      if (book && book.revision !== revision) await this.#alone(userId, () => this.#store.refresh(book));
    }
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

  async #lookAtMarkets(): Promise<void> {
    const now = this.#o.clock();
    const views = new Map<string, Map<string, SymbolView>>();
    const markets = new Map<string, Market>();
    for (const source of this.#sources()) {
      const market = await this.#o.markets.get(source);
      if (!market) continue;
      markets.set(source, market);
      const tickers = await market.tickers();
      let eye = this.#eyes.get(source);
      if (!eye) {
        eye = new MarketEye(market.kind);
        this.#eyes.set(source, eye);
      }
      const view = eye.look(tickers, now);
      views.set(source, view);
      const bitcoin = perpetualOf(await market.instruments(), 'BTC');
      const price = bitcoin && view.get(bitcoin.symbol)?.price;
      if (price) this.#btc.set(source, price);
    }
    this.#views = views;
    this.#markets = markets;
  }

  async #step(userId: string): Promise<void> {
    const book = this.#books.get(userId);
    if (!book || !this.#leases.holds(userId)) return;
    const changed = await this.#pull(book);
    await this.#openDay(book);
    for (let round = 0; round < ROUNDS; round += 1) {
      const moved = (await this.#actOnHedges(book)) || (await this.#enter(book));
      if (!moved) break;
      await this.#pull(book);
    }
    const due = this.#o.clock() - (this.#toldAt.get(userId) ?? 0) >= TELL_EVERY_MS;
    if (changed || (due && book.hedges.size > 0)) await this.#tellAccount(book);
  }

  async #tellAccount(book: Book): Promise<void> {
    const present = valued(book, this.#views);
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

  /** Books what happened at the venue since. @returns whether something did. */
  async #pull(book: Book): Promise<boolean> {
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
      await this.#store.saveBooked(book, booked, this.#o.clock());
    }
    for (const order of book.orders.values()) if (!ORDER_LIVE.includes(order.state)) book.orders.delete(order.id);
    const now = this.#o.clock();
    for (const hedge of book.hedges.values()) watch(hedge, this.#views, now);
    return events.length > 0;
  }

  async #actOnHedges(book: Book): Promise<boolean> {
    let moved = false;
    for (const order of [...book.orders.values()]) {
      if (order.state === 'open' && order.cancelAskedAt !== null)
        moved = (await this.#actor.cancel(book, order)) || moved;
    }
    for (const hedge of [...book.hedges.values()]) {
      const live = [...book.orders.values()].filter(
        ({ hedgeId, state }) => hedgeId === hedge.id && ORDER_LIVE.includes(state),
      );
      const sight = await this.#sightOf(book, hedge);
      const wish = planHedge(hedge, live, sight);
      if (wish !== null) moved = (await this.#actor.act(book, hedge, wish, sight)) || moved;
    }
    return moved;
  }

  async #sightOf(book: Book, hedge: HedgeBook): Promise<HedgeSight> {
    const { source, settings, legs } = hedge;
    const long = viewOf(this.#views, source, legs.long.symbol);
    const short = viewOf(this.#views, source, legs.short.symbol);
    const model = await this.#modelOf(source, legs.long.symbol, legs.short.symbol, settings.zBar, settings.zWindow);
    return {
      now: this.#o.clock(),
      long,
      short,
      terms: {
        long: await this.#termsOf(source, legs.long.symbol),
        short: await this.#termsOf(source, legs.short.symbol),
      },
      z: zNow(model, long, short),
      flatten: book.flattenAskedAt !== null && hedge.createdAt <= book.flattenAskedAt,
    };
  }

  async #modelOf(source: string, long: string, short: string, bar: PairModel['bar'], window: number) {
    const market = this.#markets.get(source);
    return market ? this.#o.pairModels.of(market, { long, short, bar, window }) : null;
  }

  async #termsOf(source: string, symbol: string): Promise<TradingTerms | undefined> {
    const key = `${source} ${symbol}`;
    const now = this.#o.clock();
    const known = this.#terms.get(key);
    if (known && now - known.at < TERMS_KEPT_MS) return known.terms;
    const terms = await this.#o.venue.terms(source, symbol);
    this.#terms.set(key, { at: now, terms });
    return terms;
  }

  async #enter(book: Book): Promise<boolean> {
    const changed: PairBook[] = [];
    let entered = false;
    for (const pair of book.pairs) {
      const entry = await this.#entryOf(book, pair);
      if ('block' in entry) {
        if (pair.block !== entry.block) {
          pair.block = entry.block;
          changed.push(pair);
        }
        continue;
      }
      await this.#create(book, pair, entry);
      entered = true;
    }
    if (changed.length > 0) await this.#store.saveBlocks(changed);
    return entered;
  }

  async #entryOf(book: Book, pair: PairBook): Promise<ReturnType<typeof entryOf>> {
    const { settings } = book;
    const { source } = pair;
    const long = viewOf(this.#views, source, pair.long);
    const short = viewOf(this.#views, source, pair.short);
    const model =
      settings && needsModel(settings)
        ? await this.#modelOf(source, pair.long, pair.short, settings.zBar, settings.zWindow)
        : undefined;
    if (settings && rearmed(pair, settings, zNow(model, long, short))) {
      pair.usedArmAt = null;
      await this.#store.rearm(pair);
    }
    const entry = entryOf(book, pair, {
      long,
      short,
      longTerms: await this.#termsOf(source, pair.long),
      shortTerms: await this.#termsOf(source, pair.short),
      model,
      pausedForAll: this.#pausedForAll,
      lossLimitHit: await this.#lossLimitHit(book),
    });
    if ('block' in entry) return entry;
    const { equity, initialMargin } = await this.#o.venue.margin(book.userId);
    return Number(equity) - Number(initialMargin) >= entry.needs ? entry : { block: 'margin' };
  }

  async #create(book: Book, pair: PairBook, { ratio, z }: Entry): Promise<void> {
    const { settings } = book;
    if (settings === null) return;
    const now = this.#o.clock();
    const leg = (symbol: string) => ({
      symbol,
      quantity: ZERO,
      cost: ZERO,
      opened: ZERO,
      notional: ZERO,
      realised: ZERO,
      midOpen: null,
    });
    const hedge: HedgeBook = {
      id: (this.#o.newId ?? randomUUID)(),
      pairId: pair.id,
      source: pair.source,
      state: 'waiting',
      stateAt: now,
      createdAt: now,
      openedAt: null,
      closedAt: null,
      closeReason: null,
      closeAskedAt: null,
      frozen: null,
      settings,
      ratio,
      // Of interest also where the rules do not ask for it.
      zOpen: z ?? (await this.#zOf(pair, settings)),
      zClose: null,
      legs: { long: leg(pair.long), short: leg(pair.short) },
      funding: ZERO,
      fees: ZERO,
      slippage: ZERO,
      mae: null,
      mfe: null,
      naked: 0,
      oneLegSince: null,
      attempts: 0,
      lastSentAt: 0,
      nakedAt: now,
      dirty: false,
    };
    pair.usedArmAt = pair.armedAt;
    pair.block = 'open';
    await this.#store.createHedge(book, hedge, pair, now, {
      hedgeId: hedge.id,
      kind: 'created',
      detail: `${pair.long} / ${pair.short}`,
    });
    book.hedges.set(hedge.id, hedge);
    this.#notify({ kind: 'hedge', userId: book.userId, hedge, event: 'created' });
  }

  async #zOf({ source, long, short }: PairBook, { zBar, zWindow }: HedgeSettings): Promise<number | null> {
    const model = await this.#modelOf(source, long, short, zBar, zWindow);
    return zNow(model, viewOf(this.#views, source, long), viewOf(this.#views, source, short));
  }

  /** Remembers what the account was worth when the UTC day began. */
  async #openDay(book: Book): Promise<void> {
    const day = Math.floor(this.#o.clock() / DAY_MS) * DAY_MS;
    if (book.day === day) return;
    const present = valued(book, this.#views);
    if (present === null) return;
    book.day = day;
    book.dayEquity = present.equity;
    await this.#store.saveDay(book);
  }

  async #lossLimitHit(book: Book): Promise<boolean> {
    const { settings, dayEquity, day } = book;
    if (settings?.dailyLossLimit == null || dayEquity === null || book.lossLiftedDay === day) return false;
    const present = valued(book, this.#views);
    if (present === null || present.equity - dayEquity > -settings.dailyLossLimit) return false;
    if (book.paused === null) {
      const pause = { at: this.#o.clock(), by: RISK_GUARD, reason: `单日亏损达到上限 ${settings.dailyLossLimit} USDT` };
      await this.#store.pause(book.userId, pause);
      book.paused = pause;
    }
    return true;
  }

  async #drawPoints(): Promise<void> {
    const now = this.#o.clock();
    const points = [...this.#books.values()].flatMap((book) => {
      const source = book.settings?.source ?? '';
      const point = duePoint(book, this.#views, this.#btc.get(source) ?? null, now);
      return point ? [{ book, point }] : [];
    });
    await this.#store.addPoints(points.map(({ point }) => point));
    for (const { book, point } of points) book.lastPointAt = point.at;
  }

  async #flushFigures(): Promise<void> {
    this.#figuresAt = this.#o.clock();
    const dirty = [...this.#books.values()].flatMap(({ hedges }) =>
      [...hedges.values()].filter((hedge) => hedge.dirty),
    );
    await this.#store.saveFigures(dirty);
  }
}
