import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#contract/duration';
import {
  findPaperOrder,
  isMoveTold,
  isPaperIdTaken,
  openPaperAccount,
  paperEvents,
  paperFillsSince,
  voidPaperOrder,
} from '../../base/db/accounts/paperAccount';
import type { Queries } from '../../base/db/client';
import { plain, positive, ZERO } from '../../base/maths/decimal';
import { symbolKey } from '../../base/symbolKey';
import type { Clock, Markets } from '../exchange';
import {
  type Gone,
  type MoveOrder,
  type PaperVenue,
  type Quote,
  type Side,
  type VenueEvent,
  type VenueFunds,
  type VenueLookup,
  type VenueMargin,
  type VenueOrder,
  type VenuePosition,
  VenueRefused,
  type VenueReport,
} from '../venue';
import { AccountBooks } from './accountBooks';
import type { AccountChange } from './accountChange';
import { advanceAccount, isDue, type Past, settleFunding } from './advanceAccount';
import { marginOf, type PaperAccount, sellableOf, sourcesOf } from './margin';
import { listedOn, MarketFeed } from './marketFeed';
import { average, bestPrice, takeFromBook } from './orderBook';
import { placeOrder } from './placeOrder';
import { TakenDepth } from './takenDepth';

/** What can be made to go wrong, in tests alone. Each is asked at the moment it would strike. */
export interface PaperFaults {
  /** The order is refused. */
  reject?(order: VenueOrder): boolean;
  /** The order never arrives; the sender is left in doubt. */
  loseBeforeAccept?(order: VenueOrder): boolean;
  /** The order is done; the sender is left in doubt. */
  timeOutAfterAccept?(order: VenueOrder): boolean;
  /** Each fill is told twice. */
  repeatFills?(): boolean;
  /** How long after it happened an event is told, ms. */
  eventsLateMs?(): number;
  /** The market stands still at this instant, UTC ms, for everybody who trades. */
  frozenAt?(): number | undefined;
  failPositions?(): boolean;
  failLookup?(): boolean;
}

/** An answer that did not come: what was asked may or may not have happened. */
class VenueTimeout extends Error {
  constructor() {
    super('the venue did not answer');
    this.name = 'VenueTimeout';
  }
}

export interface PaperVenueOptions {
  db: Queries;
  clock: Clock;
  markets: Markets;
  /** Whether somebody else runs a venue on the same database now. */
  shared?: () => boolean;
  faults?: PaperFaults;
  /**
   * Milliseconds that an order or a cancel is under way to the venue of a source, where that venue does not say so
   * itself; together with `sleep`.
   */
  latency?: () => number;
  /** Whether the venues' own latencies count before that one. */
  ownLatency?: boolean;
  /** After so long half of what was taken from a book is there again, ms; a book is whole at once when it is not given. */
  halfLifeMs?: number;
  sleep?: (ms: number) => Promise<void>;
}

/** After so long half of what was taken from a book of the simulated market is there again. */
export const DEPTH_HALF_LIFE_MS = 20_000;

/** A level of a real book that was taken of longer ago is taken for another one, where nobody has watched it since. */
const LEVEL_STANDS_MS = MINUTE_MS;

const UNANSWERED_KEPT = 10_000;

class Paper implements PaperVenue {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #feed: MarketFeed;
  readonly #past: Past;
  readonly #books: AccountBooks;
  readonly #faults: PaperFaults;
  readonly #shared: () => boolean;
  readonly #travel: (source: string | undefined) => Promise<void>;
  readonly #taken: TakenDepth | null;
  /** Up to when the path of prices was followed for an account, UTC ms; after a restart it is followed again from the orders on. */
  readonly #lookedAt = new Map<string, number>();
  /** Sources of the orders that met a venue that was out, by client id: until it is back nobody can say what became of them. */
  readonly #unanswered = new LRUCache<string, string>({ max: UNANSWERED_KEPT });

  constructor(options: PaperVenueOptions) {
    const { db, clock, markets, shared = () => false, faults = {}, latency, sleep = wait } = options;
    this.#db = db;
    this.#clock = clock;
    this.#taken = options.halfLifeMs === undefined ? null : new TakenDepth(options.halfLifeMs);
    this.#feed = new MarketFeed(markets, clock, () => faults.frozenAt?.(), this.#taken);
    this.#past = { feed: this.#feed, fillsSince: (account, at) => paperFillsSince(db, account, at) };
    this.#books = new AccountBooks({ db, clock, feed: this.#feed, shared });
    this.#faults = faults;
    this.#shared = shared;
    this.#travel = async (source) => {
      if (!latency) return;
      const own = options.ownLatency && source !== undefined ? await this.#feed.latencyMs(source) : null;
      await sleep(own ?? latency());
    };
  }

  async open(account: string, capital: string): Promise<void> {
    const amount = positive(capital);
    if (!amount) throw new RangeError('the capital of an account is above zero');
    await this.#books.inTurn(account, () => openPaperAccount(this.#db, { account, amount, at: this.#clock() }));
  }

  async move(account: string, move: MoveOrder): Promise<void> {
    await this.#books.inTurn(account, () =>
      this.#books
        .change(account, async (change) => {
          // Told already: whether there would be enough for it once more is no question.
          if (await isMoveTold(this.#db, account, move.moveId)) return;
          await settleFunding(change, this.#past);
          if (move.coin) await this.#moveCoin(change, { ...move, coin: move.coin });
          else await this.#moveCash(change, move);
        })
        .catch((error) => {
          // Another process told it first.
          if (!(error instanceof VenueRefused && error.reason === 'duplicateClientId')) throw error;
        }),
    );
  }

  async #moveCash(change: AccountChange, move: MoveOrder): Promise<void> {
    const needed = new Big(move.amount).neg().plus(move.fee ?? 0);
    if (needed.gt(0)) {
      const boards = await this.#feed.boards(sourcesOf(change.before));
      if (needed.gt(marginOf(change, boards).spendable)) throw new VenueRefused('insufficientBalance');
    }
    change.move(move);
  }

  /** What no resting order is about to sell, and what derivatives do not need as their backing. */
  async #moveCoin(change: AccountChange, move: MoveOrder & { coin: NonNullable<MoveOrder['coin']> }): Promise<void> {
    const { coin, amount, fee = '0' } = move;
    const leaving = new Big(amount).neg();
    if (leaving.lt(0)) {
      if (coin.price === undefined) throw new TypeError('a coin comes in at the price that it left at');
      return change.moveCoin(move, coin, new Big(coin.price));
    }
    const boards = await this.#feed.boards(sourcesOf(change.before));
    const listed = listedOn(boards, coin);
    if (listed?.terms.kind !== 'spot') throw new VenueRefused('unknownSymbol');
    const isThere = leaving.lte(sellableOf(change, coin)) && marginOf(change, boards).spendable.gte(fee);
    if (!isThere) throw new VenueRefused('insufficientBalance');
    change.moveCoin(move, coin, new Big(listed.mark));
    const { marginBalance, initial } = marginOf(change, boards);
    if (initial.gt(0) && marginBalance.lt(initial)) throw new VenueRefused('insufficientMargin');
  }

  submit(order: VenueOrder): Promise<VenueReport> {
    return this.#books.inTurn(order.account, async () => {
      await this.#travel(order.source);
      if (this.#faults.loseBeforeAccept?.(order)) throw new VenueTimeout();
      if (await this.#feed.isOut(order.source)) {
        this.#unanswered.set(order.clientId, order.source);
        throw new VenueTimeout();
      }
      // First of all: no other refusal may say of an order that was done that nothing happened.
      if (await isPaperIdTaken(this.#db, order.clientId)) throw new VenueRefused('duplicateClientId');
      if (this.#faults.reject?.(order)) throw new VenueRefused('rejected');
      await this.#feed.prepare(order.source, order.symbol);
      const report = await this.#place(order);
      if (this.#faults.timeOutAfterAccept?.(order)) throw new VenueTimeout();
      return report;
    });
  }

  /** What it takes is missing from the book for everybody from then on, unless nothing comes of it. */
  async #place(order: VenueOrder): Promise<VenueReport> {
    let takeBack = () => {};
    try {
      return await this.#books.change(order.account, async (change) => {
        takeBack();
        await this.#learnTaken(change, [order.source]);
        await settleFunding(change, this.#past);
        const boards = await this.#feed.boards([...sourcesOf(change.before), order.source]);
        const book = listedOn(boards, order)?.book;
        const report = placeOrder(change, order, boards);
        const quantity = new Big(report.filledQuantity);
        if (this.#taken && book && quantity.gt(0)) {
          takeBack = this.#taken.take(order, order.side, quantity, book, this.#clock());
        }
        return report;
      });
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  /**
   * What another process filled of the account of late it took from the same real books: who takes over gets no order of
   * anybody a second time.
   */
  async #learnTaken({ before, now }: AccountChange, sources: Iterable<string>): Promise<void> {
    const after = this.#books.othersSince(before.account);
    if (!this.#taken || after === undefined) return;
    const real = new Set<string>();
    for (const source of sources) if (await this.#feed.tellsLate(source)) real.add(source);
    if (real.size === 0) return;
    for (const fill of await paperFillsSince(this.#db, before.account, now - LEVEL_STANDS_MS)) {
      const isOthers = fill.sequence > after && real.has(fill.source);
      if (isOthers) this.#taken.owe(fill, fill.side, new Big(fill.quantity));
    }
    this.#books.noteOthers(before);
  }

  async cancel(account: string, clientId: string): Promise<VenueReport> {
    // Before its turn: reading takes one itself.
    const { resting: known } = await this.#books.read(account);
    return this.#books.inTurn(account, async () => {
      await this.#travel(known.get(clientId)?.order.source);
      const ended = await this.#books.change(account, async (change) => {
        const resting = change.resting.get(clientId);
        if (resting) await this.#mustAnswer(resting.order.source);
        return resting && change.moveOrder(resting, { state: 'cancelled' }).report;
      });
      const report = ended ?? (await this.#ownOrder(account, clientId));
      if (!report) throw new VenueRefused('rejected');
      return report;
    });
  }

  /** In turn, so that an order on its way has arrived before its absence is vouched for. */
  lookup(account: string, clientId: string, vouch = true): Promise<VenueLookup> {
    return this.#books.inTurn(account, async () => {
      if (this.#faults.failLookup?.()) throw new VenueTimeout();
      const found = await this.#ownOrder(account, clientId);
      const report = found ?? (vouch ? await this.#voided(account, clientId) : undefined);
      // An order of this process is in turn; one of another may still be on its way.
      return report ? { found: true, report } : { found: false, covered: vouch || !this.#shared() };
    });
  }

  async events(account: string, after: number, most?: number): Promise<VenueEvent[]> {
    const { sequence } = await this.#books.read(account);
    if (sequence <= after) return [];
    const late = this.#faults.eventsLateMs?.() ?? 0;
    const told = await paperEvents(this.#db, account, after, most);
    const events = late === 0 ? told : told.filter(({ at }) => at <= this.#clock() - late);
    if (!this.#faults.repeatFills?.()) return events;
    return events.flatMap<VenueEvent>((event) => (event.kind === 'fill' ? [event, event] : [event]));
  }

  async positions(account: string): Promise<VenuePosition[]> {
    if (this.#faults.failPositions?.()) throw new VenueTimeout();
    const known = await this.#books.read(account);
    if (await this.#isOut(known)) throw new VenueTimeout();
    const { positions } = known;
    return [...positions.values()].map(({ source, symbol, quantity, leverage }) => ({
      ...{ source, symbol, leverage },
      quantity: plain(quantity),
    }));
  }

  async settled(account: string, source: string): Promise<number | null> {
    const known = await this.#books.read(account);
    if (!(await this.#feed.tellsLate(source))) return known.sequence;
    if (await this.#feed.isOut(source)) throw new VenueTimeout();
    return this.#books.inTurn(account, () =>
      this.#books.change(account, async (change) => {
        await settleFunding(change, this.#past);
        return change.awaitsFunding ? null : change.sequence;
      }),
    );
  }

  /** Orders of play money rest here, and nothing is ever wrong with it. */
  async tend(): Promise<null> {
    return null;
  }

  async margin(account: string): Promise<VenueMargin> {
    const known = await this.#books.read(account);
    const boards = await this.#feed.boards(sourcesOf(known));
    const { equity, marginBalance, spendable, initial, maintenance } = marginOf(known, boards);
    return {
      equity: plain(equity),
      marginBalance: plain(marginBalance),
      spendable: plain(spendable),
      initialMargin: plain(initial),
      maintenanceMargin: plain(maintenance),
    };
  }

  async funds(account: string): Promise<VenueFunds> {
    if (this.#faults.failPositions?.()) throw new VenueTimeout();
    const known = await this.#books.read(account);
    const boards = await this.#feed.boards(sourcesOf(known));
    const { cash, positions } = known;
    const contracts = [...positions.values()].filter((one) => listedOn(boards, one)?.terms.kind !== 'spot');
    const cost = contracts.reduce((sum, one) => sum.plus(one.cost), ZERO);
    return { wallet: plain(cash.plus(cost)), cost: plain(cost) };
  }

  async terms(source: string, symbol: string) {
    const listed = await this.#listed(source, symbol);
    return listed?.book && listed.terms;
  }

  async goneBy(source: string, symbol: string): Promise<Gone | null> {
    const listed = await this.#listed(source, symbol);
    if (listed !== undefined && listed.deliveredAt !== null) return 'delivery';
    return listed?.isDelisted ? 'delisted' : null;
  }

  async quote(source: string, symbol: string): Promise<Quote | undefined> {
    const listed = await this.#listed(source, symbol);
    if (!listed?.book) return undefined;
    const bid = bestPrice(listed.book, 'sell');
    const ask = bestPrice(listed.book, 'buy');
    return bid && ask && { source, symbol, bid: Number(bid), ask: Number(ask), at: listed.ticker.at };
  }

  async cost(source: string, symbol: string, side: Side, quantity: string) {
    const listed = await this.#listed(source, symbol);
    const asked = positive(quantity);
    if (!listed?.book || !asked) return undefined;
    const taken = takeFromBook(listed.book, side, asked);
    // Nobody may stand on that side.
    if (taken.length === 0) return undefined;
    const { price, quantity: there } = average(taken);
    return { price: Number(price), quantity: plain(there) };
  }

  async advance(accounts?: ReadonlySet<string>): Promise<void> {
    const active = await this.#books.active(accounts);
    if (active.length === 0) return;
    await this.#prepare(active);
    const now = this.#clock();
    const boards = await this.#feed.boards(this.#books.sources);
    const due: PaperAccount[] = [];
    for (const account of active) {
      // What happens while a venue is out is found when it is back.
      if (await this.#isOut(account)) continue;
      if (isDue(account, boards, now, this.#lookedAtOf(account))) due.push(account);
      else this.#lookedAt.set(account.account, now);
    }
    const moved = await Promise.allSettled(due.map((account) => this.#advance(account)));
    const failed = moved.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    // One account's trouble holds up no other.
    if (failed.length > 0) throw new AggregateError(failed, `${failed.length} paper accounts could not be advanced`);
  }

  /** Has the books of what is held there before somebody has to get out; nobody waits for those of others. */
  async #prepare(active: readonly PaperAccount[]): Promise<void> {
    const held = active.flatMap(({ positions, resting }) => [
      ...positions.values(),
      ...[...resting.values()].map(({ order }) => order),
    ]);
    const asked = new Map(held.map((of) => [symbolKey(of), of]));
    await Promise.all(
      [...asked.values()].map(async ({ source, symbol }) => {
        if (await this.#feed.tellsLate(source)) void this.#feed.prepare(source, symbol).catch(() => undefined);
      }),
    );
  }

  #advance({ account }: PaperAccount): Promise<void> {
    return this.#books.inTurn(account, async () => {
      let takeBack = () => {};
      try {
        const now = await this.#books.change(account, async (change) => {
          takeBack();
          await this.#learnTaken(change, sourcesOf(change.before));
          takeBack = await advanceAccount(change, this.#past, this.#lookedAtOf(change.before), this.#taken);
          return change.now;
        });
        this.#lookedAt.set(account, now);
      } catch (error) {
        takeBack();
        throw error;
      }
    });
  }

  #lookedAtOf({ account }: PaperAccount): number {
    return this.#lookedAt.get(account) ?? 0;
  }

  /** Whether a venue that the account has to do with answers nobody. */
  async #isOut(account: PaperAccount): Promise<boolean> {
    for (const source of sourcesOf(account)) if (await this.#feed.isOut(source)) return true;
    return false;
  }

  /** @throws VenueTimeout while the venue of a source is out. */
  async #mustAnswer(source: string | undefined): Promise<void> {
    if (source !== undefined && (await this.#feed.isOut(source))) throw new VenueTimeout();
  }

  async #listed(source: string, symbol: string) {
    await this.#feed.prepare(source, symbol);
    return (await this.#feed.board(source))?.get(symbol);
  }

  /** Takes the id of an order that never came, so that it is refused should it still arrive; the order, if it just did. */
  async #voided(account: string, clientId: string): Promise<VenueReport | undefined> {
    return (await voidPaperOrder(this.#db, account, clientId)) ? undefined : this.#ownOrder(account, clientId);
  }

  async #ownOrder(account: string, clientId: string): Promise<VenueReport | undefined> {
    const stored = await findPaperOrder(this.#db, clientId);
    await this.#mustAnswer(stored?.order.source ?? this.#unanswered.get(clientId));
    return stored?.account === account ? stored.report : undefined;
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A venue that is real in everything but the venue: its books are ours, its prices the market's. */
export function createPaperVenue(options: PaperVenueOptions): PaperVenue {
  return new Paper(options);
}
