import type Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import { hasNoRoom, LEGS, type Leg, ONCE_SECONDS, type PairBlock } from '#contract/lifecycle';
import type { LegsTicket } from '#contract/strategies';
import { keepsStock, type ParamsOf, type StrategyKind } from '#contract/strategy';
import { type Places, placesOf } from '../base/db/hedges/pairLegs';
import type { SingleTerms } from '../base/db/strategies/singleTerms';
import { runningDay } from '../base/maths/dayBoundary';
import { larger, ZERO } from '../base/maths/decimal';
import type { SourceSymbol } from '../base/symbolKey';
import type { Clock } from '../market/exchange';
import { isSpot } from '../market/live/listing';
import type { PaperVenue } from '../market/venue';
import type { Alerting } from './alerting';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import {
  asksAbout,
  type EntryBook,
  guardsOfMode,
  guardsOn,
  heldBlock,
  isBeyond,
  lackingIn,
  singleBlock,
} from './entries';
import { ownCoin, valuedAccount } from './figures';
import { accountAt, silence, spareOf } from './holdings';
import type { MarketSnapshot } from './marketSnapshot';
import { type Blocked, type Entry, type EntryContext, runnerOf, warningsOf } from './runner';
import {
  type AccountBook,
  type DealBook,
  keptShare,
  leverageOf,
  newDeal,
  pendingOf,
  type StrategyBook,
  type TargetBook,
  type UserBook,
} from './tradingBook';
import type { Turn } from './turns';
import { ENGINE } from './words';

/** The writes of an entry. */
export type EntryWriter = Pick<BookWriter, 'saveBlocks' | 'rearm' | 'createDeal' | 'holdBack'>;

/** What is said of a target where its venue answers nobody, which is the reason for it. */
const WITHOUT_MARKET: readonly PairBlock[] = ['notTradable', 'stalePrice', 'priceJump'];

/** A target that is due to be entered, and its entry. */
export interface Due {
  strategy: SetUp;
  target: TargetBook;
  entry: FundedEntry;
}

interface EntryRunnerOptions {
  writer: EntryWriter;
  snapshot: MarketSnapshot;
  venue: Pick<PaperVenue, 'margin'>;
  clock: Clock;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  keepLeases: () => Promise<boolean>;
  /** What a strategy has bought since an instant (UTC ms), without restocking its inventory; USDT. */
  tradedSince: (strategyId: string, at: number) => Promise<number>;
  alerting: Pick<Alerting, 'note'>;
  /** Of a dry run: whether a due target is taken as entered; the engine enters all of them. */
  takes?: (due: Due) => boolean;
}

/** The targets of a book in one pass. */
interface EntryRound {
  targets: (Turn & { act: () => Promise<boolean> })[];
  end: () => Promise<void>;
}

/** A strategy whose settings were saved. */
export type SetUp = StrategyBook & { params: ParamsOf<StrategyKind> };

type Accounts = Record<Leg, AccountBook>;

/** Entries of a target that were begun one after the other, of which none stood on both legs but perhaps the last. */
interface Tries {
  /** Rounds of the target before the first of them. */
  rounds: number;
  count: number;
  /** When the last one was begun, UTC ms. */
  lastAt: number;
}

/**
 * From the beginning of the second entry that failed on a target waits so long, twice as long after each further one, at
 * most for five minutes: a price that was missed is soon tried again, what is refused is not sent each second.
 */
const RETRY_MS = 10 * SECOND_MS;
const RETRY_MAX_MS = 5 * MINUTE_MS;
/** Of a target that is gone nobody asks any more. */
const TRIES_KEPT = 10_000;

/** An entry and the accounts that fund it. */
type FundedEntry = Entry & { accountIds: Record<Leg, string> };

/** Enters targets: asks the kind, checks guards, limits and margin, and creates the deal. */
export class EntryRunner {
  readonly #o: EntryRunnerOptions;
  readonly #allowance = new EntryAllowance();
  /** By target, the latest; of this process: another one that takes the book over begins anew. */
  readonly #tries = new LRUCache<string, Tries>({ max: TRIES_KEPT });

  constructor(options: EntryRunnerOptions) {
    this.#o = options;
  }

  /** Renews the number of entries that one tick may begin. */
  allowAnew(): void {
    this.#allowance.renew();
  }

  /** Users by their last entry, the oldest first. */
  inOrder(users: readonly string[]): string[] {
    return this.#allowance.inOrder(users);
  }

  /** The targets of a book, each with its turn; `end` saves the blocks that changed. */
  begin(book: UserBook): EntryRound {
    const changed: TargetBook[] = [];
    const targets: EntryRound['targets'] = [];
    for (const { params, ...rest } of book.strategies.values()) {
      // What takes over positions enters nothing.
      if (params === null || rest.single?.takes !== undefined) continue;
      const strategy: SetUp = { ...rest, params };
      for (const target of strategy.targets) {
        // The demo trades past instants: intents of the present do not apply to them.
        if (target.armedAt > this.#o.clock()) continue;
        const act = () => this.#enterOn(book, strategy, target, changed);
        targets.push({ id: target.id, group: strategy.id, act });
      }
    }
    const end = async () => {
      if (changed.length > 0) await this.#o.writer.saveBlocks(book, changed);
    };
    return { targets, end };
  }

  /** All blocks of a target that can be told apart, the strongest first. */
  async blocksOf(book: UserBook, strategy: SetUp, target: TargetBook): Promise<PairBlock[]> {
    const by = guardedBy(book, strategy);
    const guards = guardsOn({ ...by, state: strategy.state }, by);
    const blocks = new Set(guards);
    // Evaluated without guards, then without deals: each finds the block behind the one before.
    for (const deals of [dealsOf(book, strategy), []]) {
      const entry = await this.#entryOf(book, { ...strategy, state: 'running' }, target, { ...UNGUARDED, deals });
      if (!('block' in entry)) break;
      blocks.add(entry.block);
      if (entry.block !== 'slots') break;
    }
    return [...blocks];
  }

  /** @returns whether a deal was begun. */
  async #enterOn(book: UserBook, strategy: SetUp, target: TargetBook, changed: TargetBook[]): Promise<boolean> {
    // The rest waits for the next tick.
    if (this.#allowance.isDenied(book.userId)) return false;
    await this.#o.keepLeases();
    const counted = target.seen;
    const entry = await this.#entryOf(book, strategy, target);
    if ('block' in entry) {
      if (waitsForRoom(strategy, entry.block)) {
        await this.#holdBack(book, target);
        return false;
      }
      if (target.block !== entry.block || target.seen !== counted) changed.push(target);
      target.block = entry.block;
      return false;
    }
    const { takes } = this.#o;
    if (takes?.({ strategy, target, entry }) === false) return false;
    if (takes === undefined && (await this.#isDoubtful(strategy, target))) {
      await this.#holdBack(book, target);
      return false;
    }
    if (!this.#allowance.take(book.userId)) return false;
    await this.#create(book, strategy, target, entry);
    return true;
  }

  /** Whether a target has warnings now that nobody has accepted. */
  async #isDoubtful({ kind, params }: SetUp, target: TargetBook): Promise<boolean> {
    return asksAbout(await warningsOf(runnerOf(kind), this.#o.snapshot, placesOf(target), params), target);
  }

  /** Holds a target until a person confirms it: one that found no room, or that has warnings. */
  async #holdBack(book: UserBook, target: TargetBook): Promise<void> {
    const { writer, clock } = this.#o;
    await writer.holdBack(book, target, { hold: 'confirm', at: clock(), by: ENGINE });
    Object.assign(target, { hold: 'confirm', block: 'unconfirmed' });
  }

  async #entryOf(book: UserBook, strategy: SetUp, target: TargetBook, by = guardedBy(book, strategy)) {
    const { writer, snapshot, clock } = this.#o;
    const { id, kind, state, params } = strategy;
    const { deals } = by;
    const runner = runnerOf(kind);
    const places = placesOf(target);
    const views = snapshot.of(places);
    // First: where a book is looked at for the first time, it is waited for.
    const terms = await snapshot.termsOf(places);
    const observed = await runner.observe(snapshot, places, params, 'entry');
    const single = strategy.single;
    if (single === null && target.hold === null && runner.rearmed(target, params, runner.signal(observed, views))) {
      target.usedArmAt = null;
      await writer.rearm(book, target);
    }
    countOpportunity(target, runner.isOpportunity?.(params, observed) ?? false, state);
    const known = { now: clock(), ...views, terms, observed, lossLimitHit: by.lossLimitHit };
    const context: EntryContext = new TargetContext(known, {
      book,
      strategyId: id,
      mode: strategy.mode,
      places,
      deals,
      snapshot,
    });
    const once = isAskedOnce(strategy, clock());
    const over = singleBlock(strategy, clock());
    const held = heldBlock(target, { deals }) ?? (over === 'used' && deals.length > 0 ? 'open' : over);
    const trouble = troubleOf(book, places, strategy.mode);
    if (state !== 'running') this.#tries.delete(target.id);
    const asked = () => runner.entry({ ...by, state, once, trouble }, params, target, context);
    const allowed = () => (once ? asked() : this.#unlessFailing(target, asked()));
    const wanted = held === null ? allowed() : { block: held };
    const down = snapshot.venueDownOf(places);
    const isOut = (down.long || down.short) && (!('block' in wanted) || WITHOUT_MARKET.includes(wanted.block));
    const found = await this.#funded(book, strategy, places, isOut ? { block: 'out' } : wanted);
    const ticket = () => runner.ticket?.(snapshot, places, params, terms, observed) ?? null;
    const entry = single === null || 'block' in found ? found : (ticketBlock(ticket(), single) ?? found);
    const alerts =
      state === 'running' ? runner.targetAlerts?.(params, target, context, 'block' in entry ? entry.block : null) : [];
    this.#o.alerting.note(book, { strategyId: id, subject: target.id }, alerts ?? []);
    return entry;
  }

  /** Whether the last entries of a target all failed, how often, and when the last one was begun. */
  #failing({ id, rounds, armedAt }: TargetBook): Tries | null {
    const tries = this.#tries.get(id);
    return tries !== undefined && tries.rounds === rounds && tries.lastAt >= armedAt ? tries : null;
  }

  /** What is refused again and again is not sent each second: an exchange shuts out who does. Arming or starting anew ends the wait. */
  #unlessFailing(target: TargetBook, wanted: Entry | Blocked): Entry | Blocked {
    const failing = this.#failing(target);
    if (failing === null || failing.count < 2 || 'block' in wanted) return wanted;
    const wait = Math.min(RETRY_MS * 2 ** (failing.count - 2), RETRY_MAX_MS);
    return this.#o.clock() < failing.lastAt + wait ? { block: 'retryLater' } : wanted;
  }

  /** The entry with its accounts, where daily limit and margin allow it, or the block. */
  async #funded(
    book: UserBook,
    strategy: SetUp,
    places: Places,
    entry: Entry | Blocked,
  ): Promise<FundedEntry | Blocked> {
    if ('block' in entry) return entry;
    if (await this.#isOverDay(book, strategy, entry)) return { block: 'dayLimit' };
    const [long, short] = LEGS.map((leg) => accountAt(book, places[leg].source, strategy.mode));
    if (long === undefined || short === undefined) return { block: 'noAccount' };
    const lacking = await this.#lacking(book, { long, short }, entry, strategy.params.legNotional);
    return lacking === null ? { ...entry, accountIds: { long: long.id, short: short.id } } : { block: lacking };
  }

  /** Whether a deal would exceed the daily notional of the strategy; restocking inventory does not count. */
  async #isOverDay(book: UserBook, { id, params }: SetUp, { weights, note }: Entry): Promise<boolean> {
    if (!('dailyNotional' in params) || params.dailyNotional === null) return false;
    if (note !== null && 'isStock' in note && note.isStock) return false;
    const { tradedSince, clock } = this.#o;
    const since = runningDay(book, clock()).start;
    const traded = (await tradedSince(id, since)) + toBuy(book, id, since);
    return traded + params.legNotional * weights.long > params.dailyNotional;
  }

  /** What the accounts lack for an entry; null when they lack nothing. */
  async #lacking(
    book: UserBook,
    { long, short }: Accounts,
    { needs, weights }: Entry,
    legNotional: number,
  ): Promise<PairBlock | null> {
    const { venue, snapshot } = this.#o;
    for (const account of new Set([long, short])) {
      const legs = LEGS.filter((leg) => account === { long, short }[leg]);
      const own = legs.map((leg) => needs[leg]);
      const margin = await venue.margin(account.id).catch(silence(account.mode));
      if (margin === null) return 'out';
      const { marginBalance, initialMargin, spendable, beside, room } = margin;
      const isApart = beside !== undefined;
      // The lower of venue and books, since the risk check goes by the books.
      const capital = Math.min(Number(marginBalance), valuedAccount(account, snapshot.views)?.equity ?? 0);
      const { margin: promised, cash, notional: opening } = promisedBy(book, account);
      const notional = legs.reduce((sum, leg) => sum + legNotional * weights[leg], 0);
      if (room !== undefined && Number(room) - opening < notional) return 'overCap';
      const lackingOf = (worth: number) =>
        lackingIn(own, {
          spendable: Number(spendable) - cash - (isApart ? 0 : promised),
          free: worth - Number(initialMargin) - promised - (isApart ? 0 : cash),
          isApart,
        });
      const lacking = lackingOf(capital);
      // Money that the venue has and that is not booked yet is no lack.
      if (lacking !== null) return lackingOf(Number(marginBalance)) === null ? 'unvalued' : lacking;
    }
    return null;
  }

  async #create(book: UserBook, strategy: SetUp, target: TargetBook, entry: FundedEntry): Promise<void> {
    const { writer, snapshot, clock, newId, notify } = this.#o;
    const { id: strategyId, kind, params } = strategy;
    const { weights, signal, note, accountIds } = entry;
    const now = clock();
    const id = newId();
    const places = placesOf(target);
    const runner = runnerOf(kind);
    // Recorded even where the entry rules do not need it.
    const signalOpen =
      signal ?? runner.signal(await runner.observe(snapshot, places, params, 'deal'), snapshot.of(places));
    const start = { id, strategyId, kind, params, entryNote: note, signalOpen, accountIds, weights };
    const deal = newDeal(target, start, now);
    target.usedArmAt = target.armedAt;
    target.triggeredAt = now;
    target.block = 'open';
    const line = { dealId: id, kind: 'created', detail: `${places.long.symbol} / ${places.short.symbol}` } as const;
    await writer.createDeal(book, deal, target, now, line);
    book.deals.set(id, deal);
    const failed = this.#failing(target)?.count ?? 0;
    this.#tries.set(target.id, { rounds: target.rounds, count: failed + 1, lastAt: now });
    notify({ kind: 'deal', userId: book.userId, deal, event: 'created' });
  }
}

interface Around {
  book: UserBook;
  strategyId: string;
  mode: string;
  snapshot: MarketSnapshot;
  places: Places;
  /** Of the strategy. */
  deals: readonly DealBook[];
}

/**
 * What a target is looked at with. All deals are gone through for some of it: only for a kind that asks. A class, because
 * V8 keeps the getters of a literal, and with them all that the look saw, until the next collection of the whole heap.
 */
class TargetContext implements EntryContext {
  readonly now: EntryContext['now'];
  readonly long: EntryContext['long'];
  readonly short: EntryContext['short'];
  readonly terms: EntryContext['terms'];
  readonly observed: EntryContext['observed'];
  readonly lossLimitHit: boolean;
  readonly #around: Around;

  constructor(known: Pick<EntryContext, 'now' | Leg | 'terms' | 'observed' | 'lossLimitHit'>, around: Around) {
    this.now = known.now;
    this.long = known.long;
    this.short = known.short;
    this.terms = known.terms;
    this.observed = known.observed;
    this.lossLimitHit = known.lossLimitHit;
    this.#around = around;
  }

  get free() {
    const { book, mode, places } = this.#around;
    return { long: sparedOf(book, places.long, mode), short: sparedOf(book, places.short, mode) };
  }

  get arriving() {
    const { book, mode, places } = this.#around;
    return { long: arrivingOf(book, places.long, mode), short: arrivingOf(book, places.short, mode) };
  }

  get promised() {
    const { book, mode, places } = this.#around;
    return {
      long: toSellAt(book, places.long, mode, this.long?.price),
      short: toSellAt(book, places.short, mode, this.short?.price),
    };
  }

  get stock() {
    const { book, strategyId, places, snapshot } = this.#around;
    return ownCoin(book, strategyId, places.long, snapshot);
  }

  get isBusy() {
    const { deals, places } = this.#around;
    return deals.some(({ legs }) => LEGS.some((leg) => LEGS.some((own) => isSame(legs[leg], places[own]))));
  }

  get coinHeld() {
    const { book, mode, places } = this.#around;
    return coinHeldBy(book, places.long, mode);
  }
}

type GuardedBy = Omit<EntryBook, 'state' | 'once' | 'deals'> & { deals: DealBook[]; lossLimitHit: boolean };

const dealsOf = ({ deals }: UserBook, { id }: Pick<StrategyBook, 'id'>): DealBook[] =>
  [...deals.values()].filter(({ strategyId }) => strategyId === id);

/** The guards and deals of a book that an entry of a strategy depends on. */
const guardedBy = (book: UserBook, strategy: SetUp): GuardedBy => ({
  ...guardsOfMode(book, strategy),
  deals: dealsOf(book, strategy),
});
const UNGUARDED = { blocked: false, paused: null, pausedForAll: null, unvalued: null, lossLimitHit: false };

/** What is wrong with an account that a target would be opened in. */
const troubleOf = (book: UserBook, places: Places, mode: string) =>
  LEGS.map((leg) => accountAt(book, places[leg].source, mode)?.trouble ?? null).find((one) => one !== null) ?? null;

const isSame = (one: SourceSymbol, other: SourceSymbol): boolean =>
  one.source === other.source && one.symbol === other.symbol;

/** Whether a target that enters without a market condition found no room. */
const waitsForRoom = ({ kind, params }: SetUp, block: PairBlock): boolean =>
  hasNoRoom(block) && runnerOf(kind).opensAtOnce?.(params) === true;

/** Whether a person asked for one deal a moment ago that is not entered yet. */
const isAskedOnce = ({ onceAskedAt, targets }: Pick<StrategyBook, 'onceAskedAt' | 'targets'>, now: number): boolean =>
  onceAskedAt !== null &&
  now - onceAskedAt < ONCE_SECONDS * SECOND_MS &&
  targets.every(({ triggeredAt }) => (triggeredAt ?? 0) < onceAskedAt);

/** Why one deal is not entered by its ticket of now: a price that has moved ends it, one that nobody knows is waited for. */
function ticketBlock(ticket: LegsTicket | null, single: SingleTerms): Blocked | null {
  const isMoved = isBeyond(ticket, single);
  return isMoved === false ? null : { block: isMoved === true ? 'ticketMoved' : 'stalePrice' };
}

/** Counts each opportunity of a target, once while it lasts. */
function countOpportunity(target: TargetBook, isOpportunity: boolean, state: StrategyBook['state']): void {
  if (isOpportunity && !target.isOpportunity && state === 'running') target.seen += 1;
  target.isOpportunity = isOpportunity;
}

/** Spare coin of the user's account in a symbol, base currency. */
function sparedOf(book: UserBook, place: SourceSymbol, mode: string): number {
  const account = accountAt(book, place.source, mode);
  return account === undefined ? 0 : spareOf(book, place, account).toNumber();
}

/**
 * Coin of a symbol that entries which have begun are still to sell from the account and have sent no order for: it is there
 * for nobody else, or one of two would stand on what it bought alone. Base currency. @param price USDT
 */
function toSellAt(book: UserBook, place: SourceSymbol, mode: string, price: number | undefined): number {
  const account = accountAt(book, place.source, mode);
  if (account === undefined || !isSpot(place.symbol)) return 0;
  let promised = ZERO;
  for (const { id, state, params, entryNote, legs } of book.deals.values()) {
    const { short } = legs;
    if (!isEntering(state) || short.accountId !== account.id || !isSame(short, place)) continue;
    const whole =
      notedOf(entryNote, 'short') ?? (price === undefined ? 0 : (params.legNotional * short.weight) / price);
    const sent = [...book.orders.values()].filter((order) => order.dealId === id && order.leg === 'short');
    const left = sent.reduce(
      (rest, order) => rest.minus(pendingOf(order)),
      ZERO.plus(whole).minus(short.quantity.abs()),
    );
    promised = promised.plus(larger(left, ZERO));
  }
  return promised.toNumber();
}

/** Coin of a symbol that comes to an account: in transfers, and what deals buy to leave it there. Base currency. */
function arrivingOf(book: UserBook, place: SourceSymbol, mode: string): number {
  const account = accountAt(book, place.source, mode);
  if (account === undefined) return 0;
  const moved = [...book.transfers.values()]
    .filter(({ toId, toSymbol }) => toId === account.id && toSymbol === place.symbol)
    .map(({ amount }) => amount);
  const bought = [...book.deals.values()]
    // What is on its way out is sold, not left.
    .filter(({ kind, state }) => keepsStock(kind) && state !== 'closing')
    .filter(({ legs: { long } }) => long.accountId === account.id && isSame(long, place))
    .map(({ state, entryNote, legs }) => (isEntering(state) ? notedOf(entryNote, 'long') : null) ?? legs.long.quantity);
  return [...moved, ...bought].reduce<Big>((sum, quantity) => sum.plus(quantity), ZERO).toNumber();
}

const isEntering = (state: DealBook['state']): boolean => state === 'waiting' || state === 'opening';

/** What a leg aims at where its entry says so, base currency. */
function notedOf(entryNote: object | null, leg: Leg): string | undefined {
  const noted = (entryNote as { quantity?: unknown } | null)?.quantity;
  return typeof noted === 'object' && noted !== null ? (noted as Record<Leg, string>)[leg] : undefined;
}

/** What running entries of an account will still take, USDT: coin is paid for whole, contracts hold their margin. */
function promisedBy({ deals }: UserBook, { id }: AccountBook): Record<'margin' | 'cash' | 'notional', number> {
  const promised = { margin: 0, cash: 0, notional: 0 };
  for (const { state, params, legs } of deals.values()) {
    if (!isEntering(state)) continue;
    for (const name of LEGS) {
      const { accountId, symbol, weight, cost } = legs[name];
      if (accountId !== id) continue;
      const missing = Math.max(0, params.legNotional * weight - cost.abs().toNumber());
      promised.notional += missing;
      if (!isSpot(symbol)) promised.margin += missing / leverageOf({ params });
      // What is sold of coin is held already.
      else if (name === 'long') promised.cash += missing;
    }
  }
  return promised;
}

/** What deals of a strategy that were begun since an instant (UTC ms) are still to buy, USDT. */
function toBuy({ deals }: UserBook, strategyId: string, since: number): number {
  let missing = 0;
  for (const { strategyId: own, state, createdAt, entryNote, params, legs } of deals.values()) {
    if (own !== strategyId || createdAt < since || !isEntering(state)) continue;
    if (entryNote !== null && 'isStock' in entryNote && entryNote.isStock) continue;
    missing += Math.max(0, params.legNotional * legs.long.weight - legs.long.notional.toNumber());
  }
  return missing;
}

/** What deals hold or are about to buy of a symbol in an account of that mode, USDT. */
function coinHeldBy(book: UserBook, place: SourceSymbol, mode: string): number {
  const account = accountAt(book, place.source, mode);
  let held = 0;
  for (const deal of book.deals.values()) {
    const { long } = deal.legs;
    if (long.accountId === account?.id && isSame(long, place))
      held += Math.max(long.cost.abs().toNumber(), deal.params.legNotional * long.weight * keptShare(deal, 'long'));
  }
  return held;
}

/** Entries per tick over all users: more would delay running deals. */
const ENTRIES = 20;

/** Shares the entries of a tick among the users who have some due. */
class EntryAllowance {
  #left = ENTRIES;
  #taken = new Map<string, number>();
  /** Users with due entries in this tick, and in the one before. */
  #wanting = new Set<string>();
  #denied = new Set<string>();
  #wanted = new Set<string>();
  /** Users by their last entry, the oldest first. */
  readonly #served = new Set<string>();

  /** For the tick that starts now. */
  renew(): void {
    this.#wanted = this.#wanting;
    this.#wanting = new Set();
    this.#denied = new Set();
    this.#taken = new Map();
    this.#left = ENTRIES;
  }

  /** Whether a user has used up the share of this tick. */
  isDenied(userId: string): boolean {
    return this.#denied.has(userId);
  }

  /**
   * Takes one entry of the share of a user.
   * @returns whether there was one left; else the user is counted for the next tick.
   */
  take(userId: string): boolean {
    this.#wanting.add(userId);
    const others = this.#wanted.size - (this.#wanted.has(userId) ? 1 : 0);
    const taken = this.#taken.get(userId) ?? 0;
    if (this.#left <= 0 || taken >= Math.ceil(ENTRIES / (others + 1))) {
      this.#denied.add(userId);
      return false;
    }
    this.#left -= 1;
    this.#taken.set(userId, taken + 1);
    this.#served.delete(userId);
    this.#served.add(userId);
    return true;
  }

  /** Users by their last entry, the oldest first. */
  inOrder(users: readonly string[]): string[] {
    const those = new Set(users);
    for (const userId of this.#served) if (!those.has(userId)) this.#served.delete(userId);
    return [...users.filter((userId) => !this.#served.has(userId)), ...this.#served];
  }
}
