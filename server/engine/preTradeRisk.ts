import type Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import type { Leg } from '#contract/lifecycle';
import { ceilTo, floorTo, larger, plain, roundTo, smaller, usdt, ZERO } from '../base/maths/decimal';
import type { Quote, Side, TradingTerms } from '../market/venue';
import { type BookOrder, type DealBook, entrySide, exitSide, type LegBook, pendingOf } from './tradingBook';

/** A leg may be worth this much of its target notional. */
const LEG_ROOM = 1.05;
/** Plans stay a little below what the risk check allows. */
export const PLAN_SHARE = 0.99;
/** Orders that one leg may be sent in a minute; each of its levels may be placed once beside them. */
export const SENDS_A_MINUTE = 30;
/** Levels of one leg that may be placed in a minute: as many as a grid has at most. */
const LEVELS_A_MINUTE = 200;
/** Orders that one account may be sent in a second by deals with levels: what the strictest venue takes. */
export const ORDERS_A_SECOND = 10;

/** An order before it is registered, and whether the plan means it to add to its leg. */
export interface ProposedOrder {
  leg: Leg;
  side: Side;
  /** Base currency. */
  quantity: Big;
  adds: boolean;
  /** The level that it is for, of a deal that has some. */
  slot?: string;
}

/** Everything the pre-trade risk check needs to know about an order's deal and account. */
export interface RiskContext {
  deal: DealBook;
  /** Live orders of the whole account, other deals' included. */
  live: readonly BookOrder[];
  /** Signed position of a leg's account in its symbol, base currency. */
  positionOf(leg: LegBook): Big;
  /** Sum of the absolute position values of the account at the marks, USDT. */
  gross: number;
  /** What the account is worth at the marks, USDT. */
  capital: number;
  /** What a leg of the deal is to be worth, USDT. */
  targetNotionalOf(leg: Leg): number;
  /** The largest leverage among the deals that run, this one included. */
  leverage: number;
  /** Of the leg's symbol now, USDT. */
  price: number;
  /** UTC ms. */
  now: number;
}

const sum = (parts: readonly Big[]): Big => parts.reduce((total, part) => total.plus(part), ZERO);

/** Pending quantity of live orders of one side in a leg, base currency. */
const pendingIn = ({ deal, live }: RiskContext, leg: Leg, side: Side): Big =>
  sum(live.filter((order) => order.dealId === deal.id && order.leg === leg && order.side === side).map(pendingOf));

/** What a plan may let a leg grow by, USDT, from its target notional and what it is worth, where nothing else limits it. */
export const roomAt = (targetNotional: number, worth: number): number =>
  Math.max(0, targetNotional * LEG_ROOM * PLAN_SHARE - worth);

/**
 * Notional that a leg may still grow by, USDT; never below 0. The leg counts at what it cost or at what it is worth now,
 * whichever is more, so that neither a strange price of a fill nor one of the market makes room.
 * @param share plans ask for a little less than all of it, so that a price that moves before the order does not stop it.
 */
export function roomOf(risk: RiskContext, leg: Leg, share = 1): number {
  const { deal, price } = risk;
  const { quantity, cost } = deal.legs[leg];
  const side = entrySide(leg);
  const pending = pendingIn(risk, leg, side).toNumber() * price;
  const size = Math.max(quantity.abs().toNumber() * price, cost.abs().toNumber()) + pending;
  const ofLeg = risk.targetNotionalOf(leg) * LEG_ROOM * share - size;
  // An opposite position of the account is reduced first, and may be built up as far on the other side.
  const held = risk.positionOf(deal.legs[leg]).toNumber() * (side === 'buy' ? -1 : 1);
  const ofAccount = headroomOf(risk, share) + 2 * Math.max(0, held) * price;
  return Math.max(0, Math.min(ofLeg, ofAccount));
}

/** Gross that an account may still grow by with what is on the wire, USDT; below 0 where it is too large. */
export function headroomOf({ live, gross, capital, leverage }: RiskContext, share = 1): number {
  const adding = live.filter(({ side, leg }) => side === entrySide(leg));
  const resting = adding.reduce((total, order) => total + pendingOf(order).toNumber() * order.decisionMid, 0);
  return capital * leverage * share - gross - resting;
}

/** Orders that went out, and for which level. */
interface Sends {
  sends: readonly { leg: string; at: number; slot?: string }[];
}

const recentOf = ({ sends }: Sends, leg: string, now: number) =>
  sends.filter((send) => send.leg === leg && now - send.at < MINUTE_MS);

/** Levels of a leg that were placed within the last minute. */
const levelsOf = (of: Sends, leg: string, now: number): ReadonlySet<string> =>
  new Set(recentOf(of, leg, now).flatMap(({ slot }) => slot ?? []));

/** How many orders a leg was sent within the last minute, without the first one of each level. */
export const sendsOf = (of: Sends, leg: string, now: number): number =>
  recentOf(of, leg, now).length - levelsOf(of, leg, now).size;

/** Whether a leg was sent so much within a minute that an order may not follow. @param kept sends that are left to others */
export function isSpent(of: Sends, { leg, slot }: { leg: string; slot?: string }, now: number, kept = 0): boolean {
  const levels = levelsOf(of, leg, now);
  const isFirst = slot !== undefined && !levels.has(slot);
  return isFirst ? levels.size >= LEVELS_A_MINUTE : sendsOf(of, leg, now) >= SENDS_A_MINUTE - kept;
}

/**
 * Whether an order may be registered at all, whatever a plan thinks: it makes no leg larger than the deal's params
 * allow (target notional x 1.05) and no account's gross larger than its capital x leverage, takes no more from a leg than
 * is held, and follows no more than thirty sends for its leg in a minute beside the first one of each level. Taking down is not held against the account's
 * gross: an exit can always go. Pure.
 * @returns the reason for stopping it, in words for people; `null` when it may go.
 */
export function stopOf({ leg, side, quantity, adds, slot }: ProposedOrder, risk: RiskContext): string | null {
  const { deal, price, now } = risk;
  const { quantity: held, symbol } = deal.legs[leg];
  if (!quantity.gt(0) || !(price > 0) || !Number.isFinite(price)) return `${symbol} 委托的数量或价格无效`;
  const order = slot === undefined ? { leg } : { leg, slot };
  if (isSpent(deal, order, now)) return `${symbol} 一分钟内已发出 ${recentOf(deal, leg, now).length} 笔委托`;
  return adds ? stopOfEntry() : stopOfExit();

  function stopOfEntry(): string | null {
    if (side !== entrySide(leg) || (!held.eq(0) && exitSide(held) === side)) return `${symbol} 开仓方向有误`;
    const value = quantity.toNumber() * price;
    if (value <= roomOf(risk, leg)) return null;
    const most = risk.targetNotionalOf(leg) * LEG_ROOM;
    return `${symbol} 再开 ${usdt(value)} 将超出单边上限 ${usdt(most)} 或账户杠杆上限`;
  }

  function stopOfExit(): string | null {
    if (held.eq(0) || side !== exitSide(held)) return `${symbol} 平仓方向有误（持有 ${plain(held)}）`;
    const after = pendingIn(risk, leg, side).plus(quantity);
    return after.lte(held.abs()) ? null : `${symbol} 平仓量 ${plain(after)} 超过持有量 ${plain(held.abs())}`;
  }
}

export const midOf = ({ bid, ask }: Quote): number => (bid + ask) / 2;

/** How far a market order may go: from the mid, and by ticks from the best price of the other side where those bound it too. */
interface Reach {
  capBps: number;
  payUp?: number;
}

/** The worst price a market order may take: on the price grid and never beyond its reach. */
export function capPrice(quote: Quote, side: Side, { capBps, payUp }: Reach, { tickSize }: TradingTerms): Big {
  const mid = ZERO.plus(midOf(quote));
  const cap =
    side === 'buy'
      ? floorTo(mid.times(1 + capBps / 10_000), tickSize)
      : ceilTo(mid.times(1 - capBps / 10_000), tickSize);
  if (payUp === undefined) return cap;
  const ticks = ZERO.plus(tickSize).times(payUp);
  return side === 'buy'
    ? smaller(cap, roundTo(ZERO.plus(quote.ask), tickSize).plus(ticks))
    : larger(cap, roundTo(ZERO.plus(quote.bid), tickSize).minus(ticks));
}

/** A limit price that is no worse than a price (USDT) that somebody confirmed, on the grid. */
export const noWorse = (limit: Big, side: Side, worst: number, { tickSize }: TradingTerms): Big =>
  side === 'buy'
    ? smaller(limit, floorTo(ZERO.plus(worst), tickSize))
    : larger(limit, ceilTo(ZERO.plus(worst), tickSize));

/** Where a maker order rests: at the price that is wanted, where that would cross or none is, at the best one of its own side. */
export function restPrice({ bid, ask }: Quote, side: Side, { tickSize }: TradingTerms, wanted?: number): Big {
  const best = side === 'buy' ? floorTo(ZERO.plus(bid), tickSize) : ceilTo(ZERO.plus(ask), tickSize);
  if (wanted === undefined) return best;
  const level = roundTo(ZERO.plus(wanted), tickSize);
  return side === 'buy' ? smaller(best, level) : larger(best, level);
}
