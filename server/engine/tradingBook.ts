import type Big from 'big.js';
import {
  type CloseReason,
  type HedgeEventKind,
  type HedgeState,
  LEGS,
  type Leg,
  ORDER_LIVE,
  type OrderPurpose,
  type OrderState,
  type PairBlock,
  type RebalanceWay,
  type TargetHold,
} from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { isLaddered, type ParamsOf, type StrategyKind, type StrategyState } from '#contract/strategy';
import type { TransferState } from '#contract/venueAccount';
import { accountFor } from '../base/db/accounts/venueAccount';
import { placesOf, type TargetLeg } from '../base/db/hedges/pairLegs';
import { ZERO } from '../base/maths/decimal';
import type { SlotFill } from '../base/maths/slotFill';
import { freeCoin, pendingQuantity, spareCoin } from '../base/maths/spareCoin';
import { type SourceSymbol, symbolKey } from '../base/symbolKey';
import type { Side, VenueOrderState } from '../market/venue';
import type { EntryNote } from './kindTypes';

/** One leg of a deal; signed quantity and signed cost, see server/base/db/schema.ts. Money in USDT. */
export interface LegBook {
  accountId: string;
  source: string;
  symbol: string;
  /** What it aims at for each unit of the others' weights. */
  weight: number;
  quantity: Big;
  cost: Big;
  /** Largest absolute quantity ever held. */
  opened: Big;
  /** Notional paid for entries. */
  notional: Big;
  realised: Big;
  funding: Big;
  fees: Big;
  slippage: Big;
  /** Mid at the decision to open. */
  midOpen: number | null;
}

/** What stands at a level of a deal that has some. */
interface SlotBook {
  /** Signed, base currency: what its orders have filled. */
  quantity: Big;
  /** When a person took its order back, UTC ms: nothing is sent for it until it is repaired. */
  withdrawnAt: number | null;
}

export interface DealBook<K extends StrategyKind = StrategyKind> {
  id: string;
  strategyId: string;
  kind: K;
  targetId: string;
  state: HedgeState;
  stateAt: number;
  createdAt: number;
  openedAt: number | null;
  closedAt: number | null;
  closeReason: CloseReason | null;
  closeAskedAt: number | null;
  flattenAskedAt: number | null;
  /** A person took its entry back: it is not entered any further. */
  entryCancelledAt: number | null;
  frozen: string | null;
  /** Those of its strategy when it was begun. */
  params: ParamsOf<K>;
  /** What the kind noted of the market when it was opened. */
  entryNote: EntryNote[K];
  /** What the kind goes by, when it was opened and closed. */
  signalOpen: number | null;
  signalClose: number | null;
  legs: Record<Leg, LegBook>;
  /** Of a kind with levels: all that anything was ever sent for. */
  slots: Map<string, SlotBook>;
  /** Of one with levels that puts in again what it makes: all its fills by slot, ascending in time. */
  slotFills: SlotFill[];
  /** A person asked for what was taken back to be placed again. */
  repairAskedAt: number | null;
  /** How a person wants legs that are apart to be brought together, and since when. */
  rebalanceWay: RebalanceWay | null;
  rebalanceAskedAt: number | null;
  /** A person asked for its expiring leg to go on in the next expiry; when that was last begun. */
  rollAskedAt: number | null;
  rollTriedAt: number | null;
  /** A person wants it to go on although it is frozen: since when, who, and why; when that was last looked into. */
  unfreezeAskedAt: number | null;
  unfreezeAskedBy: string | null;
  unfreezeReason: string | null;
  unfreezeTriedAt: number | null;
  /** The deal of the expiry before, whose other leg it takes over. */
  rolledFrom: string | null;
  mae: number | null;
  mfe: number | null;
  /** USDT x seconds. */
  unhedged: number;
  oneLegSince: number | null;
  /** Orders sent since the state was reached that did not do all they were to. */
  attempts: number;
  /** When the last order went out; of this process only. */
  lastSentAt: number;
  /** Orders of the last minute, whoever sent them. */
  sends: { leg: Leg; at: number; slot?: string }[];
  /** Up to when `unhedged` is counted. */
  unhedgedAt: number;
  /** Figures changed that nobody has stored yet. */
  dirty: boolean;
}

export interface BookOrder {
  id: string;
  accountId: string;
  dealId: string | null;
  source: string;
  symbol: string;
  leg: Leg;
  /** What of its deal it is for: at most one that lives is; null where that is not asked. */
  slot: string | null;
  side: Side;
  type: 'market' | 'maker';
  purpose: OrderPurpose;
  reduceOnly: boolean;
  quantity: Big;
  limitPrice: Big;
  decisionMid: number;
  state: OrderState;
  filledQuantity: Big;
  filledNotional: Big;
  fee: Big;
  /** What the venue has said is filled. */
  reportedQuantity: Big;
  /** How the venue has said it ended; null while it has not. */
  reportedState: Exclude<VenueOrderState, 'open'> | null;
  createdAt: number;
  cancelAskedAt: number | null;
  endedAt: number | null;
}

export interface TargetBook {
  id: string;
  legs: readonly TargetLeg[];
  armedAt: number;
  usedArmAt: number | null;
  /** How often it was opened. */
  rounds: number;
  /** How often there was something to open it for, and whether there is now. */
  seen: number;
  isOpportunity: boolean;
  /** When it was opened last, UTC ms. */
  triggeredAt: number | null;
  block: PairBlock | null;
  /** Why nobody but a person opens it again; null while the engine may. */
  hold: TargetHold | null;
  /** What speaks against it and a person has accepted; anything else is asked about before it is opened. */
  accepted: readonly PairWarning[];
}

export interface PauseBook {
  at: number;
  by: string;
  reason: string;
}

/** Running sums since an account was opened, USDT. */
interface AccountSums {
  /** From outside. */
  transfers: Big;
  /** From the user's other accounts less what went there: over all of them minus what is on its way. */
  moved: Big;
  funding: Big;
  /** Paid is positive. */
  fees: Big;
  slippage: Big;
  traded: Big;
  /** Price PnL that the short legs of deals which ended have realised; the rest of it is what the long ones did. */
  endedShort: Big;
}

/** What a user runs: its switch, its settings and what it may open. */
export interface StrategyBook<K extends StrategyKind = StrategyKind> {
  id: string;
  kind: K;
  state: StrategyState;
  /** `null` before they were saved for the first time. */
  params: ParamsOf<K> | null;
  /** When a person asked for one more deal, UTC ms. */
  onceAskedAt: number | null;
  targets: TargetBook[];
  guard: GuardBook;
  /** What of it has no value where a limit of it is to be judged; null while its limits can be. */
  unvalued: string | null;
}

/** What limits a strategy beside its params, and from where its losses count. */
export interface GuardBook {
  /** Beside that of its params, USDT; the lower one counts. */
  dailyLoss: number | null;
  /** It is limited in what it holds, or in how far it may fall. */
  isWatched: boolean;
  /** When a person resumed it after it had tripped, UTC ms. */
  resumedAt: number | null;
  /** From when on the loss of the day is counted, UTC ms, and its net PnL then, USDT. */
  lossFrom: number | null;
  lossBase: number | null;
}

/** A user's money at one venue. */
export interface AccountBook {
  id: string;
  userId: string;
  /** Source whose instruments are traded in it. */
  venue: string;
  /** By asset. */
  cash: Map<string, Big>;
  /** Signed quantity by `symbolKey`, of every fill that was booked. */
  positions: Map<string, Big>;
  sums: AccountSums;
  /** The newest event of the venue that is booked. */
  sequence: number;
  lastPointAt: number;
  /** The newest 00:00 UTC that this process has put into the record, UTC ms. */
  midnightAt: number;
}

/** USDT or a coin on its way from one account to another, or about to leave. */
export interface TransferBook {
  id: string;
  /** `USDT`, or a coin with its spot at both ends and its price when it left, USDT. */
  asset: string;
  fromSymbol: string | null;
  toSymbol: string | null;
  price: Big | null;
  fromId: string;
  toId: string;
  /** In the asset. */
  amount: Big;
  /** Paid by the first account beside it, USDT. */
  fee: Big;
  travelMs: number;
  state: TransferState;
  askedAt: number;
  leftAt: number | null;
  arrivedAt: number | null;
  reason: string | null;
}

/** Something that a user was told of a deal or a target and that is not over. */
interface AlertBook {
  /** A deal's or a target's id. */
  subject: string;
  word: string;
  /** Since when, UTC ms. */
  at: number;
}

export const alertKey = ({ subject, word }: Pick<AlertBook, 'subject' | 'word'>): string => `${subject} ${word}`;

/** All that the engine knows of one user: the only thing that plans are made from. */
export interface UserBook {
  userId: string;
  /** Of the lease under which it was read: what was read under another one may be old. */
  token: number;
  /** The owner's name. */
  user: string;
  /** The owner may not trade: nothing is entered, what is held stays guarded. */
  blocked: boolean;
  revision: number;
  paused: PauseBook | null;
  /** The switch for everybody, as it was when the book was looked at last. */
  pausedForAll: PauseBook | null;
  /** What the whole account may lose on a day, USDT; null for no limit. */
  dailyLossLimit: number | null;
  /** Start of the day whose limit a person has lifted, UTC ms. */
  lossLiftedDay: number | null;
  /** The day has lost as much as it may. */
  lossLimitHit: boolean;
  /** What of the accounts has no price, so that nothing may be opened; null where all has one. */
  unvalued: string | null;
  /** The oldest first. */
  strategies: Map<string, StrategyBook>;
  /** The user's first one before the others. */
  accounts: Map<string, AccountBook>;
  /** Those that have not ended. */
  deals: Map<string, DealBook>;
  /** Those that may still change a position. */
  orders: Map<string, BookOrder>;
  /** Those that have not come to their end. */
  transfers: Map<string, TransferBook>;
  /** What the deals that ended have brought each strategy, after fees, USDT. */
  ended: Map<string, Big>;
  /** By `alertKey`. */
  alerts: Map<string, AlertBook>;
  /** Minutes after 00:00 UTC at which the next days begin. */
  dayBoundary: number;
  /** Start of the running day (UTC ms) and the equity then. */
  day: number | null;
  dayEquity: number | null;
  /** People were told that looks at it fail, and not yet that they do no more. */
  isFailing: boolean;
}

/** What is written beside a change: the line of the deal's timeline. */
export interface Line {
  dealId: string;
  kind: HedgeEventKind;
  detail: string;
}

/** A person wants an entry back. */
export const isEntryAskedBack = ({ purpose, cancelAskedAt }: BookOrder): boolean =>
  (purpose === 'entry' || purpose === 'complete') && cancelAskedAt !== null;

/** A person took back an entry that was not filled whole. */
const isTakenBack = (order: BookOrder): boolean =>
  isEntryAskedBack(order) && order.reportedState !== null && order.reportedQuantity.lt(order.quantity);

/** What an order that a person took back means for its deal; nothing for any other one. @param at UTC ms */
export function takeBack(deal: DealBook, order: BookOrder, at: number): void {
  if (isTakenBack(order)) deal.entryCancelledAt ??= at;
  const { cancelAskedAt, reportedState, reportedQuantity, quantity, slot } = order;
  const isEnded = cancelAskedAt !== null && reportedState !== null && reportedQuantity.lt(quantity);
  if (isEnded && slot !== null && isLaddered(deal.kind)) slotOf(deal, slot).withdrawnAt = at;
}

/** A level of a deal, from the first order that was sent for it on. */
export function slotOf({ slots }: Pick<DealBook, 'slots'>, slot: string): SlotBook {
  const found = slots.get(slot) ?? { quantity: ZERO, withdrawnAt: null };
  slots.set(slot, found);
  return found;
}

export const isRunning = ({ state }: DealBook): boolean => state !== 'closed' && state !== 'failed';

/** Of derivatives; a kind that holds none has none. */
export const leverageOf = ({ params }: { params: ParamsOf<StrategyKind> }): number =>
  'leverage' in params ? params.leverage : 1;

/** The side of an order that adds to a leg. */
export const entrySide = (leg: Leg): Side => (leg === 'long' ? 'buy' : 'sell');

/** The side of an order that takes from what is held, whatever the leg is called. @param held signed */
export const exitSide = (held: Big): Side => (held.gt(0) ? 'sell' : 'buy');

/** Whether a leg holds what only the other side should: something went wrong that no plan can put right. */
export const isWrongSide = (leg: Leg, { quantity }: Pick<LegBook, 'quantity'>): boolean =>
  leg === 'long' ? quantity.lt(0) : quantity.gt(0);

/** The venue has said that the order ended, and not all of what it said is booked yet. */
export const isSettling = ({ state, reportedState }: Pick<BookOrder, 'state' | 'reportedState'>): boolean =>
  ORDER_LIVE.includes(state) && reportedState !== null;

/** What an order may still add to the books, base currency. */
export const pendingOf = (order: BookOrder): Big => pendingQuantity(order);

/**
 * Ends an order once all that the venue said of it is booked; until then it stays live. One whose fate is not known is
 * left for the lookup.
 * @returns whether it ended.
 */
export function settleOrder(order: BookOrder, at: number): boolean {
  if (order.state !== 'open') return false;
  const { filledQuantity, quantity, reportedQuantity, reportedState } = order;
  if (filledQuantity.gte(quantity)) order.state = 'filled';
  else if (reportedState !== null && filledQuantity.gte(reportedQuantity)) order.state = reportedState;
  else return false;
  order.endedAt = at;
  return true;
}

/** In which derivatives settle and accounts are counted. */
export const SETTLE_ASSET = 'USDT';

/** What left one of a user's accounts and has not come to another, USDT: it is the user's, and in none of them. */
export const inTransitOf = ({ accounts }: Pick<UserBook, 'accounts'>): Big =>
  [...accounts.values()].reduce((sum, { sums }) => sum.minus(sums.moved), ZERO);

export const cashOf = ({ cash }: Pick<AccountBook, 'cash'>): Big => cash.get(SETTLE_ASSET) ?? ZERO;

/** @throws for one that is not the user's. */
export function accountOf({ accounts, userId }: Pick<UserBook, 'accounts' | 'userId'>, id: string): AccountBook {
  const found = accounts.get(id);
  if (found === undefined) throw new Error(`user ${userId} has no account ${id}`);
  return found;
}

/** The account of a book in which a source is traded. */
export const accountAt = ({ accounts }: Pick<UserBook, 'accounts'>, source: string): AccountBook | undefined =>
  accountFor([...accounts.values()], source);

/** Signed position of a leg's whole account in its symbol, base currency. */
export const positionOf = (
  book: Pick<UserBook, 'accounts' | 'userId'>,
  leg: Pick<LegBook, 'accountId' | 'source' | 'symbol'>,
): Big => accountOf(book, leg.accountId).positions.get(symbolKey(leg)) ?? ZERO;

const isPlace =
  (account: AccountBook, { source, symbol }: SourceSymbol) =>
  (of: SourceSymbol & { accountId: string }) =>
    of.accountId === account.id && of.source === source && of.symbol === symbol;

/** What an account holds of a symbol, and what its running deals hold of that. */
function holdingsOf({ deals }: Pick<UserBook, 'deals'>, place: SourceSymbol, account: AccountBook) {
  const isHere = isPlace(account, place);
  const legs = [...deals.values()].flatMap((deal) => LEGS.map((leg) => deal.legs[leg]).filter(isHere));
  return { position: account.positions.get(symbolKey(place)) ?? ZERO, held: legs.map(({ quantity }) => quantity) };
}

/** What an account holds of a symbol for no deal, base currency. */
export const freeOf = (book: Pick<UserBook, 'deals'>, place: SourceSymbol, account: AccountBook): Big =>
  freeCoin(holdingsOf(book, place, account));

/** What it may part with of that. */
export function spareOf(
  book: Pick<UserBook, 'deals' | 'transfers' | 'orders'>,
  place: SourceSymbol,
  account: AccountBook,
): Big {
  const isHere = isPlace(account, place);
  const sales = [...book.orders.values()].filter((order) => order.side === 'sell' && isHere(order));
  const leaving = [...book.transfers.values()].filter(
    ({ fromId, fromSymbol, state }) => fromId === account.id && fromSymbol === place.symbol && state === 'asked',
  );
  return spareCoin({
    ...holdingsOf(book, place, account),
    sales: sales.map((order) => ({
      pending: pendingOf(order),
      held: book.deals.get(order.dealId ?? '')?.legs[order.leg].quantity ?? ZERO,
    })),
    leaving: leaving.map(({ amount }) => amount),
  });
}

/** What a deal has been paid less what it has paid so far, USDT: what it has brought once it holds nothing. */
export const cashOfDeal = ({ legs }: Pick<DealBook, 'legs'>): Big =>
  LEGS.map((leg) => legs[leg]).reduce(
    (sum, { realised, funding, fees, cost }) => sum.plus(realised).plus(funding).minus(fees).minus(cost),
    ZERO,
  );

/** A figure of both legs together. */
export const overLegs = ({ legs }: Pick<DealBook, 'legs'>, figure: 'funding' | 'fees'): Big =>
  LEGS.reduce((sum, leg) => sum.plus(legs[leg][figure]), ZERO);

const emptyLeg = (of: Pick<LegBook, 'accountId' | 'source' | 'symbol' | 'weight'>): LegBook => ({
  ...of,
  quantity: ZERO,
  cost: ZERO,
  opened: ZERO,
  notional: ZERO,
  realised: ZERO,
  funding: ZERO,
  fees: ZERO,
  slippage: ZERO,
  midOpen: null,
});

interface Start<K extends StrategyKind>
  extends Pick<DealBook<K>, 'id' | 'strategyId' | 'kind' | 'params' | 'entryNote' | 'signalOpen'> {
  accountIds: Record<Leg, string>;
  weights: Record<Leg, number>;
}

/** A deal of two legs before its first order. */
export function newDeal<K extends StrategyKind>(
  target: Pick<TargetBook, 'id' | 'legs'>,
  { accountIds, weights, ...start }: Start<K>,
  now: number,
): DealBook<K> {
  const places = placesOf(target);
  const leg = (name: Leg): LegBook =>
    emptyLeg({
      accountId: accountIds[name],
      source: places[name].source,
      symbol: places[name].symbol,
      weight: weights[name],
    });
  return {
    ...start,
    targetId: target.id,
    state: 'waiting',
    stateAt: now,
    createdAt: now,
    openedAt: null,
    closedAt: null,
    closeReason: null,
    closeAskedAt: null,
    flattenAskedAt: null,
    entryCancelledAt: null,
    frozen: null,
    signalClose: null,
    legs: { long: leg('long'), short: leg('short') },
    slots: new Map(),
    slotFills: [],
    repairAskedAt: null,
    rebalanceWay: null,
    rebalanceAskedAt: null,
    rollAskedAt: null,
    rollTriedAt: null,
    unfreezeAskedAt: null,
    unfreezeAskedBy: null,
    unfreezeReason: null,
    unfreezeTriedAt: null,
    rolledFrom: null,
    mae: null,
    mfe: null,
    unhedged: 0,
    oneLegSince: null,
    attempts: 0,
    lastSentAt: 0,
    sends: [],
    unhedgedAt: now,
    dirty: false,
  };
}
