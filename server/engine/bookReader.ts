import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import type {
  AccountTrouble,
  CloseReason,
  HedgeEventKind,
  HedgeState,
  Leg,
  OrderPurpose,
  OrderState,
  PairBlock,
  RebalanceWay,
  TargetHold,
} from '#contract/lifecycle';
import { isLaddered, type ParamsOf, type StrategyKind, type StrategyState } from '#contract/strategy';
import type { TransferState } from '#contract/venueAccount';
import { type DayLedger, dayLedger, newestPoints } from '../base/db/accounts/dayLedger';
import { bookedFills, bookedSettlements, filledSince, ledgerPositions, ledgerSums } from '../base/db/accounts/ledger';
import { troublesOf } from '../base/db/accounts/liveTrouble';
import { liveTransfersOf, type TransferRow } from '../base/db/accounts/transfer';
import { type AccountRow, accountsOf } from '../base/db/accounts/venueAccount';
import { type BookRow, killSwitchOf } from '../base/db/books/book';
import { bookPulse, ownedBooks } from '../base/db/books/bookProgress';
import type { Queries } from '../base/db/client';
import { slotFillsOf } from '../base/db/orders/orderFill';
import {
  askedOfOrders,
  liveOrdersOf,
  type OrderColumns,
  orderColumnsOf,
  sendsSince,
  slotsOfDeals,
} from '../base/db/orders/orderProgress';
import {
  askedOfDeals,
  type DealColumns,
  dealSums,
  endedOf,
  eventsOfDeal,
  type LegRow,
  runningOf,
  tradedSince,
} from '../base/db/strategies/deal';
import { type StrategyRow, strategiesOf } from '../base/db/strategies/strategy';
import { alertsOfUsers } from '../base/db/strategies/strategyAlert';
import { stocksOfUsers } from '../base/db/strategies/strategyFigures';
import { type GuardRow, guardsOf, strategyLedgerSince } from '../base/db/strategies/strategyGuard';
import { standingTargetsOf, type TargetRow } from '../base/db/strategies/target';
import { ZERO } from '../base/maths/decimal';
import { slotFill } from '../base/maths/slotFill';
import { symbolKey } from '../base/symbolKey';
import type { VenueEvent } from '../market/venue';
import { QUIET_MS } from './alerting';
import { type FilledSince, settlementKey } from './booking';
import { addStock, cashOf, SETTLE_ASSET } from './holdings';
import {
  type AccountBook,
  alertKey,
  type BookOrder,
  type DealBook,
  type GuardBook,
  type LegBook,
  type PauseBook,
  type StrategyBook,
  type TargetBook,
  type TransferBook,
  type UserBook,
} from './tradingBook';

const pauseOf = (row: { pausedAt: number | null; pausedBy: string | null } | null, reason: string | null) =>
  row?.pausedAt == null ? null : { at: row.pausedAt, by: row.pausedBy ?? '', reason: reason ?? '' };

const isOpportunity = (target: TargetBook): boolean => target.isOpportunity;
const idOf = ({ id }: { id: string }): string => id;

/** The intents of a book, which calls write and the engine only reads. */
function takeIntents(
  book: UserBook,
  row: BookRow,
  { blocked, pausedForAll }: Pick<UserBook, 'blocked' | 'pausedForAll'>,
  strategies: readonly StrategyRow[],
  targets: readonly TargetRow[],
  guards: readonly GuardRow[],
): void {
  book.revision = row.revision;
  book.blocked = blocked;
  book.pausedForAll = pausedForAll;
  book.paused = pauseOf(row, row.pauseReason);
  book.dailyLossLimit = row.dailyLossLimit;
  book.lossLiftedDay = row.lossLiftedDay;
  book.dayBoundary = row.dayBoundary;
  const seen = new Set(
    [...book.strategies.values()].flatMap((strategy) => strategy.targets.filter(isOpportunity)).map(idOf),
  );
  book.strategies = new Map(strategies.map((strategy) => [strategy.id, strategyBook(strategy, targets, guards)]));
  // An opportunity that lasts is counted once, whatever was saved meanwhile.
  for (const { targets: own } of book.strategies.values())
    for (const target of own) target.isOpportunity = seen.has(target.id);
}

/** Coin that its strategies own between their deals. */
function takeStocks(book: UserBook, stocks: Awaited<ReturnType<typeof stocksOfUsers>>): void {
  for (const { strategyId, source, symbol, quantity, cost } of stocks) {
    if (source !== null && symbol !== null)
      addStock(book, strategyId, { source, symbol, quantity: big(quantity), cost: big(cost) });
  }
}

/** What the ledger and the deals say of accounts. */
interface AccountSources {
  sums: Awaited<ReturnType<typeof ledgerSums>>;
  positions: Awaited<ReturnType<typeof ledgerPositions>>;
  ended: Awaited<ReturnType<typeof dealSums>>;
  points: ReadonlyMap<string, number>;
  /** What is wrong with real ones. */
  troubles: ReadonlyMap<string, AccountTrouble>;
}

const transferBooks = (rows: readonly TransferRow[]) => new Map(rows.map((row) => [row.id, transferBook(row)]));

const NOTHING_BOOKED: AccountSources = { sums: [], positions: [], ended: [], points: new Map(), troubles: new Map() };

function accountBook(
  { id, userId, venue, mode, sequence }: AccountRow,
  { points, troubles, ...sources }: AccountSources,
): AccountBook {
  const of = <T extends { accountId: string }>(list: readonly T[]) => list.filter(({ accountId }) => accountId === id);
  const cash = new Map<string, Big>();
  for (const { asset, amount } of of(sources.sums)) cash.set(asset, (cash.get(asset) ?? ZERO).plus(amount));
  const settled = of(sources.sums).filter(({ asset }) => asset === SETTLE_ASSET);
  const sumOf = (kind: string) => settled.find((sum) => sum.kind === kind);
  const ended = of(sources.ended);
  return {
    id,
    userId,
    venue,
    mode,
    cash,
    positions: new Map(
      of(sources.positions).map(({ source, symbol, quantity }) => [symbolKey({ source, symbol }), big(quantity)]),
    ),
    sums: {
      transfers: big(sumOf('transfer')?.amount),
      moved: big(sumOf('move')?.amount),
      funding: big(sumOf('funding')?.amount),
      fees: big(sumOf('fee')?.amount).neg(),
      slippage: ended.reduce((total, { slippage }) => total.plus(slippage), ZERO),
      traded: big(sumOf('fill')?.traded),
      endedShort: big(ended.find(({ side }) => side === 'short')?.ended),
    },
    sequence,
    trouble: troubles.get(id) ?? null,
    lastPointAt: points.get(id) ?? 0,
    midnightAt: 0,
  };
}

/** Reads books, and what calls wrote into them since. */
export class BookReader {
  readonly #db: Queries;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Whole books of these users. */
  async load(tokens: ReadonlyMap<string, number>, now: number): Promise<UserBook[]> {
    if (tokens.size === 0) return [];
    const users = [...tokens.keys()];
    const db = this.#db;
    // The revision is read first: what is written in between is read again, not missed.
    const pausedForAll = await this.#pausedForAll();
    const rows = await ownedBooks(db, users);
    const [strategies, targets, guards, made, accounts, transfers, deals, orders, sends, ...figures] =
      await Promise.all([
        strategiesOf(db, users),
        standingTargetsOf(db, users),
        guardsOf(db, users),
        endedOf(db, users),
        accountsOf(db, users),
        liveTransfersOf(db, users),
        runningOf(db, users),
        liveOrdersOf(db, users),
        sendsSince(db, users, now - MINUTE_MS),
        ledgerSums(db, users),
        ledgerPositions(db, users),
        dealSums(db, users),
        newestPoints(db, users),
        alertsOfUsers(db, users, now - QUIET_MS),
        stocksOfUsers(db, users, now),
      ]);
    const [sums, positions, ended, points, alerts, stocks] = figures;
    const laddered = deals.filter(({ kind }) => isLaddered(kind as StrategyKind)).map(({ id }) => id);
    const growing = deals.filter(({ params }) => (params as { compound?: boolean }).compound === true).map(idOf);
    const [slots, slotFills] = await Promise.all([slotsOfDeals(db, laddered), slotFillsOf(db, growing)]);
    const isAnyReal = accounts.some(({ mode }) => mode !== 'paper');
    const troubles = new Map(isAnyReal ? (await troublesOf(db, users)).map(({ id, what }) => [id, what]) : []);
    const sources = { sums, positions, ended, points, troubles };
    return rows.map(({ row, user, blocked }) => {
      const of = <T extends { userId: string }>(list: readonly T[]) =>
        list.filter(({ userId }) => userId === row.userId);
      const result: UserBook = {
        userId: row.userId,
        token: tokens.get(row.userId) ?? 0,
        user,
        blocked,
        revision: row.revision,
        paused: null,
        pausedForAll,
        dailyLossLimit: null,
        lossLiftedDay: null,
        lossLimitHit: false,
        unvalued: row.unvalued,
        unvaluedLive: row.unvaluedLive,
        strategies: new Map(),
        accounts: new Map(of(accounts).map((account) => [account.id, accountBook(account, sources)])),
        deals: new Map(of(deals).map((deal) => [deal.id, dealBook(deal)])),
        orders: new Map(of(orders).map((order) => [order.id, bookOrder(order)])),
        transfers: transferBooks(of(transfers)),
        stocks: new Map(),
        ended: new Map(of(made).map(({ strategyId, net }) => [strategyId, big(net)])),
        alerts: new Map(of(alerts).map((alert) => [alertKey(alert), alert])),
        dayBoundary: 0,
        day: row.day,
        dayEquity: row.dayEquity === null ? null : Number(row.dayEquity),
        dayEquityLive: row.dayEquityLive === null ? null : Number(row.dayEquityLive),
        isFailing: row.failingSince !== null && row.failingUntil === null,
      };
      takeIntents(result, row, result, of(strategies), of(targets), guards);
      takeStocks(result, of(stocks));
      for (const { dealId, slot, quantity, withdrawnAt } of slots)
        result.deals.get(dealId)?.slots.set(slot, { quantity: big(quantity), withdrawnAt });
      for (const row of slotFills) result.deals.get(row.dealId ?? '')?.slotFills.push(slotFill(row));
      for (const { dealId, leg, slot, at } of sends) {
        // In kinds without levels the slot is the leg.
        const level = slot === null || slot === leg ? {} : { slot };
        result.deals.get(dealId ?? '')?.sends.push({ leg: leg as Leg, at, ...level });
      }
      return result;
    });
  }

  /** Revisions of books, whether their owners may trade, and the kill switch: read each tick. */
  async pulse(userIds: readonly string[]) {
    const revisions = await bookPulse(this.#db, userIds);
    const [any] = revisions;
    return { revisions, pausedForAll: any ? pauseOf(any, any.reason) : null };
  }

  async #pausedForAll(): Promise<PauseBook | null> {
    const all = await killSwitchOf(this.#db);
    return pauseOf(all, all?.reason ?? null);
  }

  /** Reads the intents that calls wrote since. */
  async refresh(book: UserBook): Promise<void> {
    const { userId } = book;
    // The kill switch is read first: one that is set in between changes the revision.
    const pausedForAll = await this.#pausedForAll();
    // So is the revision.
    const [found] = await ownedBooks(this.#db, [userId]);
    if (!found) return;
    const [strategies, targets, guards, accounts, transfers, asked] = await Promise.all([
      strategiesOf(this.#db, [userId]),
      standingTargetsOf(this.#db, [userId]),
      guardsOf(this.#db, [userId]),
      accountsOf(this.#db, [userId]),
      liveTransfersOf(this.#db, [userId]),
      askedOfDeals(this.#db, userId),
    ]);
    const { row, blocked } = found;
    // Nothing is booked yet for an account that was opened since: its events are read from the beginning.
    for (const account of accounts) {
      if (!book.accounts.has(account.id)) book.accounts.set(account.id, accountBook(account, NOTHING_BOOKED));
    }
    takeIntents(book, row, { blocked, pausedForAll }, strategies, targets, guards);
    book.transfers = transferBooks(transfers);
    for (const { id, opening, ...intents } of asked) {
      const deal = book.deals.get(id);
      // A person may have moved the range of a grid, or added to it.
      if (deal) Object.assign(deal, intents, { entryNote: opening });
    }
    for (const { id, cancelAskedAt } of await askedOfOrders(this.#db, userId)) {
      const order = book.orders.get(id);
      if (order) order.cancelAskedAt = cancelAskedAt;
    }
  }

  /** What a strategy has bought since an instant (UTC ms), USDT. */
  tradedSince(strategyId: string, at: number): Promise<number> {
    return tradedSince(this.#db, strategyId, at);
  }

  /** What the ledger booked for a strategy's deals since an instant (UTC ms). */
  strategySince(strategyId: string, at: number) {
    return strategyLedgerSince(this.#db, strategyId, at);
  }

  /** Which fills (by id) and settlements (by key) of what a venue tells are booked already. */
  async known({ id }: AccountBook, events: readonly VenueEvent[]): Promise<Set<string>> {
    const fills = events.flatMap((event) => (event.kind === 'fill' ? [event.fillId] : []));
    const settled = events.flatMap((event) => (event.kind === 'funding' ? [event.at] : []));
    const settlements = await bookedSettlements(this.#db, id, settled);
    return new Set([...(await bookedFills(this.#db, fills)), ...settlements.map(settlementKey)]);
  }

  /** What deals were filled, took over and handed over after each settlement that a venue tells, by `settlementKey` and deal, signed. */
  async filledSince({ id }: AccountBook, events: readonly VenueEvent[]): Promise<FilledSince> {
    const settlements = events.flatMap((event) => (event.kind === 'funding' ? [event] : []));
    const filled = await filledSince(this.#db, id, settlements);
    const found = new Map<string, Map<string, string>>();
    for (const row of filled) {
      const key = settlementKey(row);
      found.set(key, (found.get(key) ?? new Map()).set(row.dealId, row.quantity));
    }
    return found;
  }

  /** Why the venue took a leg of a deal. */
  async takenFor({ id }: DealBook): Promise<CloseReason> {
    const forced = await eventsOfDeal(this.#db, id, ['liquidated', ...Object.keys(FORCED_BY)] as HedgeEventKind[]);
    const other = [...forced].find((kind) => kind in FORCED_BY);
    return forced.has('liquidated') || other === undefined ? 'liquidation' : FORCED_BY[other as keyof typeof FORCED_BY];
  }

  async orders(ids: readonly string[]): Promise<BookOrder[]> {
    return (await orderColumnsOf(this.#db, ids)).map(bookOrder);
  }

  /** An account as an instant (UTC ms) found it. */
  ledgerAt(account: AccountBook, at: number): Promise<DayLedger> {
    return dayLedger(this.#db, account, at, { cash: cashOf(account), positions: account.positions });
  }
}

/** What a venue does to positions that are sound. */
const FORCED_BY = { deleveraged: 'deleveraged', delivered: 'delivery', delisted: 'delisted' } as const;

const big = (value: string | null | undefined): Big => new Big(value ?? '0');

const legBook = (row: LegRow): LegBook => ({
  accountId: row.accountId,
  source: row.source,
  symbol: row.symbol,
  weight: row.weight,
  quantity: big(row.quantity),
  cost: big(row.cost),
  opened: big(row.opened),
  notional: big(row.notional),
  realised: big(row.realised),
  funding: big(row.funding),
  fees: big(row.fees),
  slippage: big(row.slippage),
  midOpen: row.midOpen,
});

/** @throws where a leg has no row. */
function legNamed({ id, legs }: DealColumns, leg: Leg): LegBook {
  const row = legs.find((each) => each.leg === leg);
  if (row === undefined) throw new Error(`deal ${id} has no ${leg} leg`);
  return legBook(row);
}

/** A deal as the engine holds it, without its orders and levels. */
export function dealBook(row: DealColumns): DealBook {
  return {
    id: row.id,
    strategyId: row.strategyId,
    // Only the engine writes these columns.
    kind: row.kind as StrategyKind,
    targetId: row.targetId,
    state: row.state as HedgeState,
    stateAt: row.stateAt,
    createdAt: row.createdAt,
    openedAt: row.openedAt,
    closedAt: row.closedAt,
    closeReason: row.closeReason as CloseReason | null,
    closeAskedAt: row.closeAskedAt,
    flattenAskedAt: row.flattenAskedAt,
    entryCancelledAt: row.entryCancelledAt,
    frozen: row.frozen,
    params: row.params as ParamsOf<StrategyKind>,
    entryNote: row.opening as DealBook['entryNote'],
    signalOpen: row.signalOpen,
    signalClose: row.signalClose,
    legs: { long: legNamed(row, 'long'), short: legNamed(row, 'short') },
    slots: new Map(),
    slotFills: [],
    repairAskedAt: row.repairAskedAt,
    rebalanceWay: row.rebalanceWay as RebalanceWay | null,
    rebalanceAskedAt: row.rebalanceAskedAt,
    reduction: row.reduction,
    reducedAt: row.reducedAt,
    rollAskedAt: row.rollAskedAt,
    rollTriedAt: row.rollTriedAt,
    unfreezeAskedAt: row.unfreezeAskedAt,
    unfreezeAskedBy: row.unfreezeAskedBy,
    unfreezeReason: row.unfreezeReason,
    unfreezeTriedAt: row.unfreezeTriedAt,
    rolledFrom: row.rolledFrom,
    mae: row.mae,
    mfe: row.mfe,
    unhedged: row.naked,
    oneLegSince: row.oneLegSince,
    attempts: row.attempts,
    isMoving: false,
    lastSentAt: 0,
    sends: [],
    unhedgedAt: row.nakedAt ?? 0,
    dirty: false,
  };
}

function bookOrder(row: OrderColumns): BookOrder {
  return {
    id: row.id,
    accountId: row.accountId,
    dealId: row.dealId,
    source: row.source,
    symbol: row.symbol,
    leg: row.leg as Leg,
    slot: row.slot,
    side: row.side as 'buy' | 'sell',
    type: row.type as 'market' | 'maker',
    purpose: row.purpose as OrderPurpose,
    reduceOnly: row.reduceOnly,
    quantity: big(row.quantity),
    limitPrice: big(row.limitPrice),
    decisionMid: row.decisionMid,
    state: row.state as OrderState,
    filledQuantity: big(row.filledQuantity),
    filledNotional: big(row.filledNotional),
    fee: big(row.fee),
    reportedQuantity: big(row.reportedQuantity),
    reportedState: row.reportedState as BookOrder['reportedState'],
    createdAt: row.createdAt,
    cancelAskedAt: row.cancelAskedAt,
    endedAt: row.endedAt,
  };
}

const guardBook = (row: GuardRow | undefined): GuardBook => ({
  dailyLoss: row?.dailyLoss ?? null,
  isWatched: row !== undefined && (row.maxDrawdown !== null || row.maxNotional !== null),
  resumedAt: row?.resumedAt ?? null,
  lossFrom: row?.lossFrom ?? null,
  lossBase: row?.lossBase ?? null,
});

const strategyBook = (row: StrategyRow, targets: readonly TargetRow[], guards: readonly GuardRow[]): StrategyBook => ({
  id: row.id,
  // Calls write these columns, in words of the contract.
  kind: row.kind as StrategyKind,
  mode: row.mode,
  state: row.state as StrategyState,
  params: row.params as ParamsOf<StrategyKind> | null,
  onceAskedAt: row.onceAskedAt,
  single: row.single,
  targets: targets.filter(({ strategyId }) => strategyId === row.id).map(targetBook),
  guard: guardBook(guards.find(({ strategyId }) => strategyId === row.id)),
  unvalued: null,
});

const targetBook = (row: TargetRow): TargetBook => ({
  id: row.id,
  legs: row.legs,
  armedAt: row.armedAt,
  usedArmAt: row.usedArmAt,
  rounds: row.rounds,
  seen: row.seen,
  isOpportunity: false,
  triggeredAt: row.triggeredAt,
  block: row.block as PairBlock | null,
  hold: row.hold as TargetHold | null,
  accepted: row.accepted,
});

const transferBook = (row: TransferRow): TransferBook => ({
  ...row,
  amount: big(row.amount),
  fee: big(row.fee),
  price: row.price === null ? null : big(row.price),
  // Calls and the engine write it, in words of the contract.
  state: row.state as TransferState,
});
