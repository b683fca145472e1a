import { setImmediate as nextTurn } from 'node:timers/promises';
import Big from 'big.js';
import { HOLD_BACKS, LEGS, type Leg, type PairBlock } from '#contract/lifecycle';
import type { Gauge, OutsideMet } from '#contract/opening';
import type { PairWarning } from '#contract/pair';
import { isLaddered, type StrategyKind } from '#contract/strategy';
import type { Queries } from '../base/db/client';
import { type Places, placesOf } from '../base/db/hedges/pairLegs';
import { isReducing } from '../base/db/strategies/reduction';
import { floorTo, plain, ZERO } from '../base/maths/decimal';
import { worstOf } from '../base/maths/worstCase';
import type { Clock, Markets } from '../market/exchange';
import type { PaperVenue } from '../market/venue';
import { BookReader } from './bookReader';
import { asksAbout } from './entries';
import { type Due, EntryRunner, type EntryWriter, type SetUp } from './entryRunner';
import { sourcesOfBook } from './heldBooks';
import { accountAt, outsideIn, outsideMet, SETTLE_ASSET } from './holdings';
import { rebalanceWayOf } from './legs';
import { Limits, type LimitsWriter } from './limits';
import { MarketSnapshot } from './marketSnapshot';
import type { PairModels } from './pairModel';
import { type Entry, runnerOf } from './runner';
import { type DealBook, isEntryAskedBack, keptShare, leverageOf, type UserBook } from './tradingBook';
import { RoundRobin } from './turns';

interface Needs {
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
  pairModels: PairModels;
  db: Queries;
}

/** Notional, capital and costs of an entry, USDT; null where the order book is too thin. */
interface Taken {
  notional: number;
  capital: number;
  fees: number | null;
  slippage: number | null;
  worst: number | null;
  isStock: boolean;
}

/** A target of a strategy that may open, as the market has it now. */
interface TargetNow {
  userId: string;
  strategyId: string;
  kind: StrategyKind;
  targetId: string;
  places: Places;
  warnings: PairWarning[];
  /** It has warnings that nobody has accepted: a person confirms it first. */
  asks: boolean;
  gauge: Gauge | null;
}

interface DueTarget extends TargetNow, Taken {
  /** Whether the dry run takes it as entered. */
  isTaken: boolean;
  outside?: OutsideMet;
}

interface WaitingTarget extends TargetNow {
  block: PairBlock | null;
  /** All its blocks, the strongest first. */
  blocks: PairBlock[];
}

/** What the engine would enter of a book in its next passes. */
export interface DryRun {
  /** In the engine's own order. */
  due: DueTarget[];
  waiting: WaitingTarget[];
}

/** Money that is on its way into the books of an account, USDT. */
export interface Brought {
  accountId: string;
  amount: number;
  /** The venue has it already. */
  isAtVenue: boolean;
}

/** What may be taken as opened. */
type Takes = (target: Pick<TargetNow, 'targetId' | 'warnings' | 'asks'>) => boolean;

/** Blocks that may hide others. */
const HIDING: readonly (PairBlock | null)[] = [...HOLD_BACKS, 'tripped', 'slots', 'unconfirmed'];
/** Others are not kept waiting longer than this, ms. */
const SLICE_MS = 10;
/** More passes over a book than it takes to enter all that it may hold. */
const MOST_ROUNDS = 100;
const NOTHING_WRITTEN: EntryWriter & LimitsWriter = {
  saveBlocks: async () => {},
  rearm: async () => {},
  createDeal: async () => {},
  pause: async () => {},
  holdBack: async () => {},
  saveUnvalued: async () => {},
  saveLossBase: async () => {},
  trip: async (_book, strategy) => {
    strategy.state = 'tripped';
  },
};

/** Whole books as a transaction sees them, of those users who have one. */
export const readBooks = (tx: Queries, userIds: readonly string[], now: number): Promise<UserBook[]> =>
  new BookReader(tx).load(new Map(userIds.map((userId) => [userId, 0])), now);

/**
 * Runs the engine's own entry runner over a copy of a book: deals, slots and margin are used up one after the other,
 * and deals that are about to end have ended. Nothing is written; the copy is changed.
 * @param brought money that counts as arrived
 */
export async function dryRun(needs: Needs, book: UserBook, takes: Takes, brought?: Brought): Promise<DryRun> {
  if (brought) bookMoney(book, brought);
  const snapshot = new MarketSnapshot(needs);
  await snapshot.refresh(sourcesOfBook(book));
  const before = { deals: new Map(book.deals) };
  const ended = [...book.deals.values()].filter((deal) => isToEnd(book, deal, needs.clock()));
  for (const { id } of ended) book.deals.delete(id);
  const shrinking = [...book.deals.values()].filter(isReducing);
  const venue = await withoutDeals(needs.venue, snapshot, { ended, shrinking }, brought);
  const targetsNow = await readTargets(snapshot, book);
  const due = new Map<string, { entry: Entry; strategy: SetUp; isTaken: boolean }>();
  const decide = ({ strategy, target, entry }: Due): boolean => {
    const row = targetsNow.get(target.id);
    const isTaken = row !== undefined && takes(row);
    due.set(target.id, { entry, strategy, isTaken });
    return isTaken;
  };
  let count = 0;
  const reader = new BookReader(needs.db);
  const entryRunner = new EntryRunner({
    ...{ ...needs, venue, snapshot, writer: NOTHING_WRITTEN, takes: decide, keepLeases: inSlices() },
    tradedSince: reader.tradedSince.bind(reader),
    newId: () => `dry ${++count}`,
    notify: () => {},
    alerting: { note: () => {} },
  });
  await new Limits({ reader, writer: NOTHING_WRITTEN, snapshot, clock: needs.clock }).judge(book);
  const roundRobin = new RoundRobin();
  for (let round = 0, isBegun = true; isBegun && round < MOST_ROUNDS; round += 1) {
    entryRunner.allowAnew();
    isBegun = false;
    for (const turn of roundRobin.order(entryRunner.begin(book).targets)) {
      roundRobin.serve(turn);
      isBegun = (await turn.act()) || isBegun;
    }
  }
  const held = new Set([...book.deals.values()].map(({ targetId }) => targetId));
  const rows = [...due].flatMap(([id, found]) => {
    const row = targetsNow.get(id);
    return row === undefined ? [] : [{ row, ...found }];
  });
  return {
    due: await Promise.all(
      rows.map(async ({ row, isTaken, strategy, entry }) => ({
        ...{ ...row, isTaken },
        ...outsideMet(row.places, await snapshot.termsOf(row.places), (place) => {
          const account = accountAt(book, place.source, strategy.mode);
          return account === undefined || strategy.mode === 'paper' ? ZERO : outsideIn(before, place, account);
        }),
        ...(await takenBy(needs, snapshot, strategy, row.places, entry)),
      })),
    ),
    waiting: await stillWaiting(entryRunner, book, (id) =>
      due.has(id) || held.has(id) ? undefined : targetsNow.get(id),
    ),
  };
}

/** Books a deposit or transfer into the copy. */
function bookMoney({ accounts }: UserBook, { accountId, amount }: Brought): void {
  const account = accounts.get(accountId);
  if (account === undefined) return;
  account.cash.set(SETTLE_ASSET, (account.cash.get(SETTLE_ASSET) ?? ZERO).plus(amount));
  account.sums.transfers = account.sums.transfers.plus(amount);
}

/** Whether a person asked to close or unwind it, or cancelled an entry without fills. */
function isToEnd({ orders }: UserBook, deal: DealBook, now: number): boolean {
  if (deal.closeAskedAt !== null || deal.flattenAskedAt !== null) return true;
  if (deal.state !== 'opening' || isLaddered(deal.kind)) return false;
  if (LEGS.some((leg) => !deal.legs[leg].quantity.eq(0))) return rebalanceWayOf({ deal, now }) === 'unwind';
  if (deal.entryCancelledAt !== null) return true;
  return [...orders.values()].some((order) => order.dealId === deal.id && isEntryAskedBack(order));
}

/** What of a leg becomes free, USDT: all of one that is to end, of any other what is being closed of it. */
function freedOf(deal: DealBook, leg: Leg, ends: boolean): number {
  const { cost, quantity, weight } = deal.legs[leg];
  if (ends) return Math.max(cost.abs().toNumber(), deal.params.legNotional * weight * keptShare(deal, leg));
  const kept = quantity.eq(0) ? 1 : Math.min(1, Number(deal.reduction!.keep[leg]) / quantity.abs().toNumber());
  return cost.abs().toNumber() * (1 - kept);
}

/** The margin as if these deals had ended, what is closed of others was out, and the money had arrived. */
async function withoutDeals(
  venue: Pick<PaperVenue, 'margin'>,
  snapshot: MarketSnapshot,
  { ended, shrinking }: Record<'ended' | 'shrinking', readonly DealBook[]>,
  brought: Brought | undefined,
): Promise<Pick<PaperVenue, 'margin'>> {
  // Incoming money counts like the value of freed coin.
  const freed = new Map<string, { margin: number; spot: number; notional: number }>();
  if (brought && !brought.isAtVenue) freed.set(brought.accountId, { margin: 0, spot: brought.amount, notional: 0 });
  for (const deal of [...ended, ...shrinking]) {
    const terms = await snapshot.termsOf(deal.legs);
    for (const leg of LEGS) {
      const { accountId } = deal.legs[leg];
      const worth = freedOf(deal, leg, ended.includes(deal));
      const sum = freed.get(accountId) ?? { margin: 0, spot: 0, notional: 0 };
      sum.notional += worth;
      if (terms[leg]?.kind === 'spot') sum.spot += worth;
      else sum.margin += worth / leverageOf(deal);
      freed.set(accountId, sum);
    }
  }
  return {
    margin: async (account) => {
      const known = await venue.margin(account);
      const { margin, spot, notional } = freed.get(account) ?? { margin: 0, spot: 0, notional: 0 };
      const plus = (own: string, freed: number) => String(Number(own) + freed);
      // Of wallets apart neither is part of the other: what coin brings backs no contracts, and their margin buys none.
      const isApart = known.beside !== undefined;
      return {
        ...known,
        marginBalance: isApart ? known.marginBalance : plus(known.marginBalance, spot),
        spendable: plus(known.spendable, isApart ? spot : margin + spot),
        ...(known.beside !== undefined && { beside: plus(known.beside, spot) }),
        initialMargin: String(Math.max(0, Number(known.initialMargin) - margin)),
        ...(known.room !== undefined && { room: plus(known.room, notional) }),
      };
    },
  };
}

/** Targets that are not entered, with all their blocks. */
async function stillWaiting(entryRunner: EntryRunner, book: UserBook, rowOf: (id: string) => TargetNow | undefined) {
  const slice = inSlices();
  const waiting: WaitingTarget[] = [];
  for (const { params, ...rest } of book.strategies.values()) {
    if (params === null) continue;
    for (const target of rest.targets) {
      const row = rowOf(target.id);
      if (row === undefined) continue;
      const { block } = target;
      await slice();
      // What this run held back for lack of room is judged without that hold.
      const found = HIDING.includes(block)
        ? await entryRunner.blocksOf(book, { ...rest, params }, { ...target, hold: null })
        : [];
      waiting.push({ ...row, block, blocks: [...new Set(block === null ? found : [block, ...found])] });
    }
  }
  return waiting;
}

/** Every target of strategies that were set up. */
async function readTargets(snapshot: MarketSnapshot, book: UserBook): Promise<Map<string, TargetNow>> {
  const slice = inSlices();
  const targetsNow = new Map<string, TargetNow>();
  for (const { id: strategyId, kind, params, targets } of book.strategies.values()) {
    if (params === null) continue;
    const runner = runnerOf(kind);
    for (const target of targets) {
      await slice();
      const places = placesOf(target);
      const views = snapshot.of(places);
      const observed = await runner.observe(snapshot, places, params, 'deal');
      const signal = runner.signal(observed, views);
      const warnings = runner.warnings?.(observed, signal) ?? [];
      targetsNow.set(target.id, {
        ...{ userId: book.userId, strategyId, kind, targetId: target.id, places },
        ...{ warnings, asks: asksAbout(warnings, target) },
        gauge: runner.gauge(params, target, { observed, signal, ...views }),
      });
    }
  }
  return targetsNow;
}

/** Yields to the event loop once the slice is used up; asked before each target. */
function inSlices(): () => Promise<boolean> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return true;
    await nextTurn();
    begun = performance.now();
    return true;
  };
}

const sum = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0);

async function takenBy(
  { venue, markets, pairModels }: Needs,
  snapshot: MarketSnapshot,
  { kind, params }: SetUp,
  places: Places,
  { weights, needs, note }: Entry,
): Promise<Taken> {
  const { legNotional } = params;
  const capital = LEGS.reduce((total, leg) => total + needs[leg].margin + needs[leg].cash, 0);
  const isStock = note !== null && 'isStock' in note && note.isStock;
  const terms = await snapshot.termsOf(places);
  const outline = await runnerOf(kind).outline?.(snapshot, places, params, terms.long);
  if (outline) {
    const { leg, quantity } = outline.atOnce;
    const { fee, slippage } = await legCost(venue, places[leg], leg, () => quantity);
    return { notional: legNotional, capital, fees: fee, slippage, worst: outline.worst, isStock };
  }
  const legs = await Promise.all(
    LEGS.filter((leg) => weights[leg] > 0).map((leg) =>
      legCost(venue, places[leg], leg, (mid) => (legNotional * weights[leg]) / mid),
    ),
  );
  const notional = LEGS.reduce((total, leg) => total + legNotional * weights[leg], 0);
  const stopLoss = 'stopLoss' in params ? params.stopLoss : null;
  const beyond = stopLoss === null ? null : await pairModels.beyondStop(markets, places);
  const largest = legNotional * Math.max(weights.long, weights.short);
  return {
    ...{ notional, capital, isStock },
    fees: sum(legs.map(({ fee }) => fee)),
    slippage: sum(legs.map(({ slippage }) => slippage)),
    worst: worstOf(largest, stopLoss === null ? null : stopLoss * notional, beyond),
  };
}

/** What taking a leg from the book at once would cost (F9), USDT. @param sizeAt base currency, by the mid */
export async function legCost(
  venue: PaperVenue,
  { source, symbol }: Places[Leg],
  leg: Leg,
  sizeAt: (mid: number) => number,
) {
  const unknown = { fee: null, slippage: null };
  const [quote, terms] = await Promise.all([venue.quote(source, symbol), venue.terms(source, symbol)]);
  if (quote === undefined || terms === undefined) return unknown;
  const mid = (quote.bid + quote.ask) / 2;
  const quantity = floorTo(new Big(sizeAt(mid)), terms.lotSize);
  if (quantity.eq(0)) return { fee: 0, slippage: 0 };
  const taken = await venue.cost(source, symbol, leg === 'long' ? 'buy' : 'sell', plain(quantity));
  if (taken === undefined || new Big(taken.quantity).lt(quantity)) return unknown;
  const size = quantity.toNumber();
  return { fee: size * taken.price * terms.takerFee, slippage: size * Math.abs(taken.price - mid) };
}
