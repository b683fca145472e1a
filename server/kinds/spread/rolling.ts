import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { SpreadParams } from '#contract/kinds/spread/params';
import type { SpreadCandidate } from '#contract/kinds/spread/scan';
import type { Leg } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';
import type { NextAction, PlanContext } from '../../engine/runner';
import type { DealBook } from '../../engine/tradingBook';

/** The pair as the scanner has it. What the far leg would be in the next expiry is worked out when somebody asks; null where there is none. */
export type ObservedSpread = SpreadCandidate & { readonly next: SpreadCandidate | null };

type Deal = DealBook<'spread'>;
type DealContext = PlanContext<'spread'>;

/** What did not come to be is not begun again at once. */
const RETRY_MS = HOUR_MS;
/** What prices may rise by while the new leg comes in. */
const ROOM = 0.02;
/** What keeps a leg from being brought in at all, whoever asks for it. */
const HARD: readonly Obstacle[] = ['out', 'depth', 'minimum', 'incomplete'];

/** Which leg is which: the far one is bought or sold by the direction. */
export const legsBy = ({ direction }: Pick<SpreadParams, 'direction'>): { near: Leg; far: Leg } =>
  direction === 'sellFar' ? { near: 'long', far: 'short' } : { near: 'short', far: 'long' };

/** Whether a person asked for it and nothing has been begun since. */
const isAsked = ({ rollAskedAt, rollTriedAt }: Deal): boolean =>
  rollAskedAt !== null && (rollTriedAt === null || rollTriedAt < rollAskedAt);

/** Whether the strategy rolls by itself now: in its days before the expiry, and for what it would open at. */
function isDue({ params, entryNote, rollTriedAt }: Deal, now: number, next: ObservedSpread['next']): boolean {
  const { rollDays = null, entryApr } = params;
  if (rollDays === null || entryNote.expiresAt === null || now < entryNote.expiresAt - rollDays * DAY_MS) return false;
  if (rollTriedAt !== null && now - rollTriedAt < RETRY_MS) return false;
  return next?.obstacles.length === 0 && next.netFundingApr !== null && next.netFundingApr >= entryApr;
}

/** Whether a deal may go on at all now, whoever asks for it. */
const mayRoll = ({ state, frozen }: Deal, { entriesDisabled, isFollowed, long, short }: DealContext): boolean =>
  state === 'open' &&
  frozen === null &&
  !entriesDisabled &&
  !isFollowed &&
  long?.fresh === true &&
  short?.fresh === true;

/** A leg of the next expiry that has a price and can be brought in. */
type Next = NonNullable<ObservedSpread['next']> & { openEdge: number; farAsk: number };

const canEnter = (next: ObservedSpread['next']): next is Next =>
  next !== null && next.openEdge !== null && next.farAsk !== null && !next.obstacles.some((one) => HARD.includes(one));

/**
 * An open deal whose far leg is to go on in the next expiry: the new far leg is brought in by a deal of its own, which
 * takes the near leg over then.
 */
export function rollOf(deal: Deal, context: DealContext): NextAction | null {
  const { now, observed } = context;
  if (observed === null || !mayRoll(deal, context)) return null;
  const asked = isAsked(deal);
  // The next expiry is worked out for a deal alone that is to go on.
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
      notional: Math.max(deal.params.legNotional, worth),
      note: { openEdge: next.openEdge, expiresAt: next.expiresAt, quantity: quantity.toFixed() },
    },
  };
}

/** What a deal that goes on from an earlier one aims at: as much of the far leg as is held of the near one. */
export function targetQuantityOf({ params, entryNote, rolledFrom }: Deal): Partial<Record<Leg, Big>> | undefined {
  if (rolledFrom === null || entryNote.quantity === undefined) return undefined;
  return { [legsBy(params).far]: new Big(entryNote.quantity) };
}

/** What it would send for the near leg it takes over from the earlier deal, as long as that one holds it. */
export function takingOver(deal: Deal, action: NextAction, { earlier, ...context }: DealContext): NextAction {
  const { near, far } = legsBy(deal.params);
  const isAdding = action.do === 'send' && action.adds;
  // The earlier deal has ended before: what it held is nobody's to go on with, and nothing of it is bought anew.
  if (earlier === null && isAdding && deal.legs[near].quantity.eq(0)) {
    return { do: 'move', to: 'closing', reason: 'oneLeg' };
  }
  if (earlier === null || action.do !== 'send' || !action.adds || action.leg !== near) return action;
  const held = earlier.legs[near].quantity.abs();
  const price = context[near]?.mark;
  if (held.eq(0) || price === undefined || earlier.legs[near].accountId !== deal.legs[near].accountId) return action;
  // With the whole of the far leg in, what is below a lot comes along.
  const isWhole = action.quantity.gte(held) || isIn(deal, far, context);
  return { do: 'takeOver', from: earlier.id, leg: near, quantity: isWhole ? held : action.quantity, price };
}

/** The far leg holds what it aimed at, on its grid. */
function isIn({ legs, entryNote }: Deal, far: Leg, { terms }: Pick<DealContext, 'terms'>): boolean {
  const lot = terms[far]?.lotSize;
  if (lot === undefined || entryNote.quantity === undefined) return false;
  return new Big(entryNote.quantity).minus(legs[far].quantity.abs()).lt(lot);
}
