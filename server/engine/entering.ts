import { DAY_MS, SECOND_MS } from '#contract/duration';
import { LEGS, type Leg, ONCE_SECONDS, type PairBlock } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import { type Places, placesOf } from '../db/pairLegs';
import type { Clock } from '../exchange/exchange';
import type { SourceSymbol } from '../exchange/symbolKey';
import type { PaperVenue } from '../exchange/venue';
import { dayResult, isLossLimitReached } from '../maths/dayResult';
import { ZERO } from '../maths/decimal';
import type { Alerting } from './alerting';
import type { BookWriter } from './bookWriter';
import { valued, valuedAccount } from './figures';
import { runnerOf } from './kinds';
import type { Blocked, EntrySight, Opening } from './kinds/runner';
import type { EngineNotice } from './notice';
import type { Outlook } from './outlook';
import {
  type AccountBook,
  accountAt,
  leverageOf,
  newDeal,
  type StrategyBook,
  spareOf,
  type TargetBook,
  type UserBook,
} from './tradingBook';
import { RISK_GUARD } from './words';

interface EnteringOptions {
  writer: BookWriter;
  outlook: Outlook;
  venue: PaperVenue;
  clock: Clock;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  keepLeases: () => Promise<boolean>;
  /** What a strategy has bought since an instant (UTC ms), without what only stocked it up; USDT. */
  tradedSince: (strategyId: string, at: number) => Promise<number>;
  alerting: Alerting;
}

/** Hedges begun in one tick, of all users: more of them would keep those that run from being looked at. */
const ENTRIES = 20;

/** A strategy whose settings were saved. */
type SetUp = StrategyBook & { params: ParamsOf<StrategyKind> };

type Accounts = Record<Leg, AccountBook>;

/** An opening and the accounts that bear it. */
type Placed = Opening & { accountIds: Record<Leg, string> };

/** Begins deals of the pairs that may be entered on. */
export class Entering {
  readonly #o: EnteringOptions;
  #left = ENTRIES;

  constructor(options: EnteringOptions) {
    this.#o = options;
  }

  /** As many may be begun in the tick that starts now. */
  allowAnew(): void {
    this.#left = ENTRIES;
  }

  /** @returns whether a deal was begun. */
  async enter(book: UserBook): Promise<boolean> {
    let entered = false;
    for (const strategy of book.strategies.values()) {
      const { params } = strategy;
      if (params !== null) entered = (await this.#enterOne(book, { ...strategy, params })) || entered;
    }
    return entered;
  }

  async #enterOne(book: UserBook, strategy: SetUp): Promise<boolean> {
    const lossLimitHit = await this.#pausesAtLimit(book, strategy.params);
    const changed: TargetBook[] = [];
    let entered = false;
    for (const target of strategy.targets) {
      // The rest has its turn with the next tick.
      if (this.#left <= 0) break;
      // Whoever trades the past takes up nothing of the present.
      if (target.armedAt > this.#o.clock()) continue;
      await this.#o.keepLeases();
      const counted = target.seen;
      const entry = await this.#entryOf(book, strategy, target, lossLimitHit);
      if ('block' in entry) {
        if (target.block !== entry.block || target.seen !== counted) changed.push(target);
        target.block = entry.block;
        continue;
      }
      this.#left -= 1;
      await this.#create(book, strategy, target, entry);
      entered = true;
    }
    if (changed.length > 0) await this.#o.writer.saveBlocks(book, changed);
    return entered;
  }

  async #entryOf(book: UserBook, strategy: SetUp, target: TargetBook, lossLimitHit: boolean) {
    const { writer, outlook, clock } = this.#o;
    const { id, kind, state, params } = strategy;
    const runner = runnerOf(kind);
    const places = placesOf(target);
    const views = outlook.of(places);
    const seen = await runner.look(outlook, places, params, 'entry');
    if (runner.rearmed(target, params, runner.signal(seen, views))) {
      target.usedArmAt = null;
      await writer.rearm(book, target);
    }
    countSeen(target, runner.sees?.(params, seen) ?? false, state);
    const terms = await outlook.termsOf(places);
    const { blocked, paused, pausedForAll } = book;
    const deals = [...book.deals.values()].filter(({ strategyId }) => strategyId === id);
    const sight: EntrySight = {
      ...{ now: clock(), ...views, terms, seen, lossLimitHit },
      // All deals are gone through for each of these: only for a kind that asks.
      get free() {
        return { long: sparedOf(book, places.long), short: sparedOf(book, places.short) };
      },
      get arriving() {
        return { long: arrivingOf(book, places.long), short: arrivingOf(book, places.short) };
      },
      get isBusy() {
        return deals.some(({ legs }) => LEGS.some((leg) => LEGS.some((own) => isSame(legs[leg], places[own]))));
      },
      get coinHeld() {
        return coinHeldBy(book, places.long);
      },
    };
    const once = isAskedOnce(strategy, clock());
    const entry = await this.#placed(
      book,
      strategy,
      places,
      runner.entry({ blocked, paused, pausedForAll, state, deals, once }, params, target, sight),
    );
    const found =
      state === 'running' ? runner.targetAlerts?.(params, target, sight, 'block' in entry ? entry.block : null) : [];
    this.#o.alerting.note(book, { strategyId: id, subject: target.id }, found ?? []);
    return entry;
  }

  /** An opening that its accounts bear and its strategy may have today, or why it is none. */
  async #placed(book: UserBook, strategy: SetUp, places: Places, entry: Opening | Blocked): Promise<Placed | Blocked> {
    if ('block' in entry) return entry;
    if (await this.#isOverDay(strategy, entry)) return { block: 'dayLimit' };
    const [long, short] = [accountAt(book, places.long.source), accountAt(book, places.short.source)];
    if (long === undefined || short === undefined) return { block: 'noAccount' };
    const lacking = await this.#lacking(book, { long, short }, entry);
    return lacking === null ? { ...entry, accountIds: { long: long.id, short: short.id } } : { block: lacking };
  }

  /** Whether a deal would take the strategy beyond what it may trade on one day; what only stocks up is not counted. */
  async #isOverDay({ id, params }: SetUp, { weights, note }: Opening): Promise<boolean> {
    if (!('dailyNotional' in params) || params.dailyNotional === null) return false;
    if (note !== null && 'isStock' in note && note.isStock) return false;
    const { tradedSince, clock } = this.#o;
    const traded = await tradedSince(id, Math.floor(clock() / DAY_MS) * DAY_MS);
    return traded + params.legNotional * weights.long > params.dailyNotional;
  }

  /** What the accounts cannot bear of an opening; null when they can. */
  async #lacking(book: UserBook, { long, short }: Accounts, { needs }: Opening): Promise<PairBlock | null> {
    const { venue, outlook } = this.#o;
    for (const account of new Set([long, short])) {
      const own = LEGS.flatMap((leg) => (account === { long, short }[leg] ? [needs[leg]] : []));
      const margin = own.reduce((sum, need) => sum + need.margin, 0);
      const cash = own.reduce((sum, need) => sum + need.cash, 0);
      const { marginBalance, initialMargin, spendable } = await venue.margin(account.id);
      // Money counts when the venue has it and it is booked: the governor goes by the books.
      const capital = Math.min(Number(marginBalance), valuedAccount(account, outlook.views)?.equity ?? 0);
      const promised = promisedBy(book, account);
      if (cash > 0 && Number(spendable) - promised < cash) return 'balance';
      if (capital - Number(initialMargin) - promised < margin + cash) return 'margin';
    }
    return null;
  }

  async #create(book: UserBook, strategy: SetUp, target: TargetBook, opening: Placed): Promise<void> {
    const { writer, outlook, clock, newId, notify } = this.#o;
    const { id: strategyId, kind, params } = strategy;
    const { weights, signal, note, accountIds } = opening;
    const now = clock();
    const id = newId();
    const places = placesOf(target);
    const runner = runnerOf(kind);
    // Of interest also where the rules do not ask for it.
    const signalOpen = signal ?? runner.signal(await runner.look(outlook, places, params, 'deal'), outlook.of(places));
    const start = { id, strategyId, kind, params, opening: note, signalOpen, accountIds, weights };
    const deal = newDeal(target, start, now);
    target.usedArmAt = target.armedAt;
    target.triggeredAt = now;
    target.rounds += 1;
    target.block = 'open';
    const line = { dealId: id, kind: 'created', detail: `${places.long.symbol} / ${places.short.symbol}` } as const;
    await writer.createDeal(book, deal, target, now, line);
    book.deals.set(id, deal);
    notify({ kind: 'deal', userId: book.userId, deal, event: 'created' });
  }

  async #pausesAtLimit(book: UserBook, { dailyLossLimit }: SetUp['params']): Promise<boolean> {
    const { writer, outlook, clock } = this.#o;
    const { dayEquity, day } = book;
    if (dailyLossLimit === null || dayEquity === null || book.lossLiftedDay === day) return false;
    const present = valued(book, outlook.views);
    if (present === null || !isLossLimitReached(dayResult(present.equity, dayEquity), dailyLossLimit)) return false;
    if (book.paused === null) {
      const pause = { at: clock(), by: RISK_GUARD, reason: `单日亏损达到上限 ${dailyLossLimit} USDT` };
      await writer.pause(book, pause);
      book.paused = pause;
    }
    return true;
  }
}

const isSame = (one: SourceSymbol, other: SourceSymbol): boolean =>
  one.source === other.source && one.symbol === other.symbol;

/** A person asked for one more deal a moment ago, and none was begun since. */
const isAskedOnce = ({ onceAskedAt, targets }: Pick<StrategyBook, 'onceAskedAt' | 'targets'>, now: number): boolean =>
  onceAskedAt !== null &&
  now - onceAskedAt < ONCE_SECONDS * SECOND_MS &&
  targets.every(({ triggeredAt }) => (triggeredAt ?? 0) < onceAskedAt);

/** Counts each time that there is something to open a target for, once while it lasts. */
function countSeen(target: TargetBook, isSeen: boolean, state: StrategyBook['state']): void {
  if (isSeen && !target.isSeen && state === 'running') target.seen += 1;
  target.isSeen = isSeen;
}

/** What the user's account may part with of a symbol, base currency. */
function sparedOf(book: UserBook, place: SourceSymbol): number {
  const account = accountAt(book, place.source);
  return account === undefined ? 0 : spareOf(book, place, account).toNumber();
}

/** What is on its way to an account of a symbol, or will be. Base currency. */
function arrivingOf(book: UserBook, place: SourceSymbol): number {
  const account = accountAt(book, place.source);
  if (account === undefined) return 0;
  return [...book.transfers.values()]
    .filter(({ toId, toSymbol }) => toId === account.id && toSymbol === place.symbol)
    .reduce((sum, { amount }) => sum.plus(amount), ZERO)
    .toNumber();
}

/** Margin that deals which are being entered will still take, USDT: the next one must not count on it. */
function promisedBy({ deals }: UserBook, { id }: AccountBook): number {
  let promised = 0;
  for (const { state, params, legs } of deals.values()) {
    if (state !== 'waiting' && state !== 'opening') continue;
    const own = Object.values(legs).filter(({ accountId }) => accountId === id);
    const wished = own.reduce((sum, { weight }) => sum + params.legNotional * weight, 0);
    const taken = own.reduce((sum, { cost }) => sum + cost.abs().toNumber(), 0);
    promised += Math.max(0, wished - taken) / leverageOf({ params });
  }
  return promised;
}

/** What deals hold or are about to buy of a symbol, USDT. */
function coinHeldBy({ deals }: UserBook, { symbol, source }: SourceSymbol): number {
  let held = 0;
  for (const { legs, params } of deals.values()) {
    const { long } = legs;
    if (long.source === source && long.symbol === symbol)
      held += Math.max(long.cost.abs().toNumber(), params.legNotional * long.weight);
  }
  return held;
}
