import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { SpreadParams } from '#contract/kinds/spread/params';
import type { SpreadCandidate } from '#contract/kinds/spread/scan';
import type { Leg } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';
import { isReducing } from '../../base/db/strategies/reduction';
import type { NextAction, PlanContext } from '../../engine/runner';
import { type DealBook, keptShare } from '../../engine/tradingBook';
import type { Listing, Market } from '../../market/exchange';

/**
 * The scanner row of the pair. `next`, the row with the far leg of the next expiry, is computed on access; null where
 * there is none.
 */
export type ObservedSpread = SpreadCandidate & { readonly next: SpreadCandidate | null };

type Deal = DealBook<'spread'>;
type DealContext = PlanContext<'spread'>;

/** Pause after a roll that failed. */
const RETRY_MS = HOUR_MS;
/** Price rise that the target notional of the new leg allows for. */
const ROOM = 0.02;
/** Obstacles that block a roll, whoever asked for it. */
const HARD: readonly Obstacle[] = ['out', 'depth', 'minimum', 'incomplete'];

/** Which leg is which: the far one is bought or sold by the direction. */
export const legsBy = ({ direction }: Pick<SpreadParams, 'direction'>): { near: Leg; far: Leg } =>
  direction === 'sellFar' ? { near: 'long', far: 'short' } : { near: 'short', far: 'long' };

/** Whether a person asked for a roll that has not begun. */
const isAsked = ({ rollAskedAt, rollTriedAt }: Deal): boolean =>
  rollAskedAt !== null && (rollTriedAt === null || rollTriedAt < rollAskedAt);

/** Whether the strategy rolls automatically now: within its days before expiry and above its entry APR. */
function isDue({ params, entryNote, rollTriedAt }: Deal, now: number, next: ObservedSpread['next']): boolean {
  const { rollDays = null, entryApr } = params;
  if (rollDays === null || entryNote.expiresAt === null || now < entryNote.expiresAt - rollDays * DAY_MS) return false;
  if (rollTriedAt !== null && now - rollTriedAt < RETRY_MS) return false;
  return next?.obstacles.length === 0 && next.netFundingApr !== null && next.netFundingApr >= entryApr;
}

/** Whether a deal may roll at all now, whoever asks for it. */
const mayRoll = (deal: Deal, { entriesDisabled, isFollowed, long, short }: DealContext): boolean =>
  deal.state === 'open' &&
  deal.frozen === null &&
  !isReducing(deal) &&
  !entriesDisabled &&
  !isFollowed &&
  long?.fresh === true &&
  short?.fresh === true;

/** A leg of the next expiry that has a price and can be brought in. */
type Next = NonNullable<ObservedSpread['next']> & { openEdge: number; farAsk: number };

const canEnter = (next: ObservedSpread['next']): next is Next =>
  next !== null && next.openEdge !== null && next.farAsk !== null && !next.obstacles.some((one) => HARD.includes(one));

/** Begins the roll of an open deal: a new deal enters the new far leg and then takes the near leg over. */
export function rollOf(deal: Deal, context: DealContext): NextAction | null {
  const { now, observed } = context;
  if (observed === null || !mayRoll(deal, context)) return null;
  const asked = isAsked(deal);
  // The next expiry is computed only for a deal that may roll.
  if (!asked && deal.params.rollDays == null) return null;
  const { next } = observed;
  if (!canEnter(next)) return null;
  if (!asked && !isDue(deal, now, next)) return null;
  const { near, far } = legsBy(deal.params);
  const { source } = next;
  const legs = { [near]: deal.legs[near], [far]: { source, symbol: next.far } } as Record<Leg, Deal['legs'][Leg]>;
  const quantity = deal.legs[near].quantity.abs();
  const worth = quantity
    .times(next.farAsk)
    .times(1 + ROOM)
    .round(2)
    .toNumber();
  const place = (leg: Leg) => ({ source: legs[leg].source, symbol: legs[leg].symbol });
  return {
    do: 'roll',
    next: {
      legs: { long: place('long'), short: place('short') },
      signal: next.netFundingApr,
      notional: Math.max(deal.params.legNotional * keptShare(deal, near), worth),
      note: { openEdge: next.openEdge, expiresAt: next.expiresAt, quantity: quantity.toFixed() },
    },
  };
}

/** Target quantities of a rolled deal: as much of the far leg as is held of the near one. */
export function targetQuantityOf({ params, entryNote, rolledFrom }: Deal): Partial<Record<Leg, Big>> | undefined {
  if (rolledFrom === null || entryNote.quantity === undefined) return undefined;
  return { [legsBy(params).far]: new Big(entryNote.quantity) };
}

/** Replaces an order for the near leg by taking it over from the earlier deal, while that one holds it. */
export function takingOver(deal: Deal, action: NextAction, { earlier, ...context }: DealContext): NextAction {
  const { near, far } = legsBy(deal.params);
  const isAdding = action.do === 'send' && action.adds;
  // The earlier deal has ended: there is no near leg to take over, and none is bought anew.
  if (earlier === null && isAdding && deal.legs[near].quantity.eq(0)) {
    return { do: 'move', to: 'closing', reason: 'oneLeg' };
  }
  if (earlier === null || action.do !== 'send' || !action.adds || action.leg !== near) return action;
  const held = earlier.legs[near].quantity.abs();
  const price = context[near]?.mark;
  if (held.eq(0) || price === undefined || earlier.legs[near].accountId !== deal.legs[near].accountId) return action;
  // With the far leg complete, the remainder below a lot is taken over too.
  const isWhole = action.quantity.gte(held) || isIn(deal, far, context);
  return { do: 'takeOver', from: earlier.id, leg: near, quantity: isWhole ? held : action.quantity, price };
}

/** The far leg holds its target quantity, in whole lots. */
function isIn({ legs, entryNote }: Deal, far: Leg, { terms }: Pick<DealContext, 'terms'>): boolean {
  const lot = terms[far]?.lotSize;
  if (lot === undefined || entryNote.quantity === undefined) return false;
  return new Big(entryNote.quantity).minus(legs[far].quantity.abs()).lt(lot);
}

/**
 * The future of the coin that expires next after the far leg of two. Only a far leg can go on by itself: of two
 * futures the near one is delivered first.
 * @returns `null` where the far leg is no future, the near one expires too, or nothing later is listed.
 */
export async function nextExpiryOf(market: Market, near: Listing, far: Listing): Promise<Listing | null> {
  const { expiresAt, base } = far.instrument;
  if (expiresAt === null || near.instrument.expiresAt !== null) return null;
  const later = (await market.instruments(['future']))
    .filter((one) => one.base === base && one.expiresAt !== null && one.expiresAt > expiresAt)
    .sort((a, b) => a.expiresAt! - b.expiresAt!);
  return later[0] === undefined ? null : (market.listed?.(later[0].symbol) ?? null);
}
