import Big from 'big.js';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import type { PaperOrder, StoredAccount } from '../../base/db/accounts/paperAccount';
import { larger, money, smaller, ZERO } from '../../base/maths/decimal';
import { symbolKey } from '../../base/symbolKey';
import { bracketFor } from '../brackets';
import { type Boards, highestMaintenanceRate, type Listed, listedOn } from './marketFeed';

export interface PaperPosition {
  source: string;
  symbol: string;
  /** Signed, never zero. */
  quantity: Big;
  /** Signed notional that it cost, USDT. */
  cost: Big;
  /** The quantity as a binary number, for quick looks. */
  size: number;
  leverage: number;
}

/** An account as it was committed last. Nothing in it is ever changed in place. */
export interface PaperAccount {
  account: string;
  /** Number of the change that led here. */
  revision: number;
  cash: Big;
  /** Of the newest event. */
  sequence: number;
  /** Settlements up to here are charged, UTC ms. */
  fundedUntil: number;
  /** A settlement since is not told yet. */
  awaitsFunding: boolean;
  /** When to look for settlements and deliveries again, UTC ms. */
  dueAt: number;
  positions: ReadonlyMap<string, PaperPosition>;
  /** By client id, oldest first. */
  resting: ReadonlyMap<string, PaperOrder>;
}

/** An account as its rows have it. */
export const accountOf = ({ positions, resting, cash, ...row }: StoredAccount): PaperAccount => ({
  ...row,
  cash: new Big(cash),
  // Not known: the first look finds out.
  awaitsFunding: false,
  dueAt: 0,
  positions: new Map(
    positions.map((held) => [
      symbolKey(held),
      { ...held, quantity: new Big(held.quantity), cost: new Big(held.cost), size: Number(held.quantity) },
    ]),
  ),
  resting: new Map(resting.map((stored) => [stored.order.clientId, stored])),
});

/** Everything that the account has to do with lies in these sources. */
export function sourcesOf({ positions, resting }: PaperAccount): Set<string> {
  const sources = new Set<string>();
  for (const { source } of positions.values()) sources.add(source);
  for (const { order } of resting.values()) sources.add(order.source);
  return sources;
}

/** Signed position in the order's symbol. */
export const heldIn = ({ positions }: Pick<PaperAccount, 'positions'>, of: { source: string; symbol: string }): Big =>
  positions.get(symbolKey(of))?.quantity ?? ZERO;

/** Number of the full hour before an instant. */
export const hourOf = (instant: number): number => Math.floor(instant / HOUR_MS);

/** How often what was not told yet is asked for. */
const LATE_MS = 5 * SECOND_MS;

/**
 * When the next settlement or delivery of any position may fall due. A source that does not announce it is asked every
 * full hour: no exchange settles in between.
 */
export function nextDueOf(
  { positions, awaitsFunding }: Pick<PaperAccount, 'positions' | 'awaitsFunding'>,
  boards: Boards,
  now: number,
): number {
  let next = awaitsFunding ? now + LATE_MS : Number.POSITIVE_INFINITY;
  for (const position of positions.values()) {
    const listed = listedOn(boards, position);
    const expiresAt = listed?.terms.expiresAt ?? null;
    // Delivered at a price that is not told yet.
    if (expiresAt !== null && expiresAt <= now) next = Math.min(next, now + LATE_MS);
    const announced = listed?.ticker.nextFundingAt;
    next = Math.min(next, announced ?? (hourOf(now) + 1) * HOUR_MS);
  }
  return next;
}

type Holdings = Pick<PaperAccount, 'cash' | 'positions' | 'resting'>;

/** USDT. */
interface Margin {
  /** What everything is worth. */
  equity: Big;
  /** The same with coins at what they back. */
  marginBalance: Big;
  /** What derivatives and resting orders hold. */
  initial: Big;
  maintenance: Big;
  /** What spot may be bought for: a profit that nobody has realised buys none. */
  spendable: Big;
}

/** What may come of one symbol: the position, and the resting orders that open. */
interface Exposure {
  source: string;
  symbol: string;
  held: Big;
  cost: Big;
  buys: Big;
  /** What the buys would pay, USDT. */
  bid: Big;
  sells: Big;
  leverage: number;
}

/** What of a resting order is still to be filled. */
export const remainingOf = ({ order, report }: PaperOrder): Big => new Big(order.quantity).minus(report.filledQuantity);

/**
 * Cash plus positions at their marks against what they need. Resting orders that open hold margin for the
 * larger of what buying and what selling alone would lead to; those that buy spot hold what they would pay.
 * @throws when a position has no price: then nobody knows.
 */
export function marginOf({ cash, positions, resting }: Holdings, boards: Boards): Margin {
  const sum = { equity: cash, marginBalance: cash, initial: ZERO, maintenance: ZERO };
  // USDT in the account, without what resting orders are to pay.
  let balance = cash;
  for (const exposure of exposures(positions, resting)) {
    const { source, symbol, held, cost } = exposure;
    const listed = listedOn(boards, { source, symbol });
    if (!listed) throw new Error(`no price for ${source} ${symbol}`);
    const value = held.times(listed.mark);
    sum.equity = sum.equity.plus(value);
    if (listed.terms.kind === 'spot') {
      sum.marginBalance = sum.marginBalance.plus(value.times(listed.terms.collateralRatio));
      sum.initial = sum.initial.plus(exposure.bid);
      balance = balance.minus(exposure.bid);
      continue;
    }
    sum.marginBalance = sum.marginBalance.plus(value);
    balance = balance.plus(cost);
    sum.initial = sum.initial.plus(initialOf(exposure, listed));
    const notional = value.abs();
    const { maintenanceRate } = bracketFor(listed.terms, notional.toNumber());
    sum.maintenance = sum.maintenance.plus(notional.times(maintenanceRate));
  }
  const [initial, maintenance] = [money(sum.initial), money(sum.maintenance)];
  const spendable = larger(ZERO, smaller(balance, sum.marginBalance.minus(initial)));
  return { ...sum, initial, maintenance, spendable };
}

function initialOf({ held, buys, sells, leverage }: Exposure, { mark }: Listed): Big {
  const worst = larger(held.plus(buys).abs(), larger(held.minus(sells).abs(), held.abs()));
  return worst.times(mark).div(leverage);
}

/** What of a coin no resting order is about to sell. */
export function sellableOf({ positions, resting }: Holdings, of: { source: string; symbol: string }): Big {
  const key = symbolKey(of);
  let left = positions.get(key)?.quantity ?? ZERO;
  for (const stored of resting.values()) {
    if (stored.order.side === 'sell' && symbolKey(stored.order) === key) left = left.minus(remainingOf(stored));
  }
  return larger(left, ZERO);
}

function exposures(
  positions: ReadonlyMap<string, PaperPosition>,
  resting: ReadonlyMap<string, PaperOrder>,
): Iterable<Exposure> {
  const bySymbol = new Map<string, Exposure>();
  const nothing = { held: ZERO, cost: ZERO, buys: ZERO, bid: ZERO, sells: ZERO };
  for (const [key, { source, symbol, quantity, cost, leverage }] of positions) {
    bySymbol.set(key, { ...nothing, source, symbol, held: quantity, cost, leverage });
  }
  for (const stored of resting.values()) {
    const { order } = stored;
    if (order.reduceOnly) continue;
    const key = symbolKey(order);
    const { source, symbol, leverage } = order;
    const known = bySymbol.get(key) ?? { ...nothing, source, symbol, leverage };
    const remaining = remainingOf(stored);
    if (order.side === 'buy') {
      known.buys = known.buys.plus(remaining);
      known.bid = known.bid.plus(remaining.times(order.limitPrice));
    } else known.sells = known.sells.plus(remaining);
    known.leverage = Math.min(known.leverage, leverage);
    bySymbol.set(key, known);
  }
  return bySymbol.values();
}

/** Room for the rounding of binary numbers, so that the quick look never misses what the exact one would find. */
const CAUTION = 1 + 1e-6;

/**
 * A quick look at whether the account may have to be liquidated: with the highest rate that any coin has,
 * because most accounts are far from it. False where a price is missing.
 */
export function mayBeLiquidated({ cash, positions }: PaperAccount, boards: Boards): boolean {
  if (positions.size === 0) return false;
  let equity = cash.toNumber();
  let [gross, most] = [0, 0];
  for (const position of positions.values()) {
    const listed = listedOn(boards, position);
    if (!listed || listed.terms.brackets === null) return false;
    const value = position.size * listed.mark;
    const isSpot = listed.terms.kind === 'spot';
    equity += isSpot ? value * listed.terms.collateralRatio : value;
    if (isSpot) continue;
    gross += Math.abs(value);
    most += Math.abs(value) * highestMaintenanceRate(listed.terms);
  }
  // Coins alone are nobody's debt.
  if (gross === 0) return false;
  return equity <= most * CAUTION && equity <= maintenanceOf(positions, boards) * CAUTION;
}

function maintenanceOf(positions: PaperAccount['positions'], boards: Boards): number {
  let maintenance = 0;
  for (const position of positions.values()) {
    const listed = listedOn(boards, position);
    if (!listed) continue;
    const notional = Math.abs(position.size) * listed.mark;
    maintenance += notional * bracketFor(listed.terms, notional).maintenanceRate;
  }
  return maintenance;
}
