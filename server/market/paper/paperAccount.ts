import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import type { StoredAccount } from '../../base/db/accounts/paperAccount';
import type { PaperOrder } from '../../base/db/accounts/paperOrder';
import { ZERO } from '../../base/maths/decimal';
import { symbolKey } from '../../base/symbolKey';
import { type Boards, listedOn } from './marketFeed';

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

/**
 * When the next settlement or delivery of any position may fall due. A source that does not announce it is asked every
 * full hour: no exchange settles in between.
 */
export function nextDueOf({ positions }: Pick<PaperAccount, 'positions'>, boards: Boards, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const position of positions.values()) {
    const announced = listedOn(boards, position)?.ticker.nextFundingAt;
    next = Math.min(next, announced ?? (hourOf(now) + 1) * HOUR_MS);
  }
  return next;
}
