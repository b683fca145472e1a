import type Big from 'big.js';
import { ALONE_MS, type CloseReason, ONE_LEG_MS, PEG_MS } from '#contract/lifecycle';
import { isReducing } from '../base/db/strategies/reduction';
import { ceilTo, floorTo, plain, roundTo, smaller, ZERO } from '../base/maths/decimal';
import { hedgeQuantity } from '../base/maths/spotPurchase';
import { AT_ONCE, dueShare, spanOf } from '../base/maths/twap';
import type { TradingTerms } from '../market/venue';
import {
  askedReason,
  goneOf,
  isFlat,
  isUnfreezeDue,
  type LegNow,
  type Legs,
  type LegsRules,
  type Live,
  mayRetry,
  maySend,
  payUpOf,
  planRebalanceLegs,
  planRebalanceWeights,
  rebalanceWayOf,
  sendOf,
  unhedgedMs,
  WIDEST_CAP_BPS,
  wouldLeaveUnhedged,
} from './legs';
import type { SymbolView } from './marketSnapshot';
import { planExit, planReduction } from './planExit';
import type { LegOrder, NextAction } from './runner';
import { isSettling, isWrongSide } from './tradingBook';
import { ORDER_IN_DOUBT, SHRUNK, UNFOLLOWED, wrongSide } from './words';

/**
 * What a deal over legs needs next, from nothing but its books, its live orders and the market: all legs or none, exits
 * before entries, one change on the wire at a time.
 * @returns null when there is nothing to do now.
 */
export const planLegs = <L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null =>
  planStages(of, live, { entry: planEntry, hold: planHold, exit: planExit });

/** The plans of entry, holding and exit. */
interface Stages<L extends string> {
  entry: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
  hold: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
  exit: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
}

/** What is common to all deals over legs: lookups, freezes, requests to unfreeze, and the state machine. */
export function planStages<L extends string>(of: Legs<L>, live: Live<L>, stages: Stages<L>): NextAction<L> | null {
  const { deal, entriesDisabled } = of;
  const doubtful = live.find(({ state }) => state !== 'open');
  if (doubtful) return { do: 'lookup', order: doubtful };
  // A report is not a booking: the plan waits until its fills are booked.
  if (live.some(isSettling)) return null;
  const asked = askedReason(of) !== null;
  if (of.legs.some(({ isUnfollowed }) => isUnfollowed)) return planUnfollowed(of);
  if (isToRecheck(of, asked)) return mayRetry(of) ? { do: 'recheck' } : null;
  const wrong = wrongOf(of);
  // Exits are allowed in spite of a freeze: begun ones, those a person asked for, and unhedged legs.
  const isUnhedgedTooLong = deal.state === 'opening' && wrong === null && unhedgedMs(of) > ALONE_MS;
  const isEnding = asked || deal.state === 'closing' || isUnhedgedTooLong;
  const unfreeze = isEnding ? null : planUnfreeze(of, wrong);
  if (unfreeze !== null) return unfreeze;
  const mayEnd = isEnding && mayRetry(of);
  if (deal.frozen !== null && !mayEnd) return null;
  if (wrong !== null && !asked) return { do: 'freeze', reason: wrong };
  switch (deal.state) {
    case 'waiting':
      return !asked && !entriesDisabled
        ? { do: 'move', to: 'opening', reason: null }
        : { do: 'move', to: 'failed', reason: 'cancelled' };
    case 'opening':
      return stages.entry(of, live);
    case 'open':
      return stages.hold(of, live);
    case 'closing':
      return stages.exit(of, live);
    default:
      return null;
  }
}

/** An order in doubt is looked up first; a shrunk report does not keep a person from closing. */
const isToRecheck = <L extends string>({ deal: { frozen } }: Legs<L>, asked: boolean): boolean =>
  frozen === ORDER_IN_DOUBT || frozen === UNFOLLOWED || (frozen === SHRUNK && !asked);

/** Nothing goes to an exchange that is followed no more: its deals stand as they are. */
const planUnfollowed = <L extends string>({ deal }: Legs<L>): NextAction<L> | null =>
  deal.frozen === UNFOLLOWED ? null : { do: 'freeze', reason: UNFOLLOWED };

/** The leg that is on the wrong side, in words. */
function wrongOf<L extends string>({ legs }: Legs<L>): string | null {
  const wrong = legs.find(({ side, book }) => isWrongSide(side, book));
  return wrong === undefined ? null : wrongSide(wrong.book.symbol, plain(wrong.book.quantity));
}

const planUnfreeze = <L extends string>(of: Legs<L>, wrong: string | null): NextAction<L> | null =>
  of.deal.frozen !== null && isUnfreezeDue(of) ? { do: 'unfreeze', wrong } : null;

function planHold<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  const reason = exitReason(of);
  const resting = live[0];
  if (reason !== null && wouldLeaveUnhedged(of)) return null;
  if (reason !== null) return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
  if (isReducing(of.deal)) return planReduction(of, live);
  return resting ? null : (planRebalanceLegs(of) ?? planRebalanceWeights(of));
}

function exitReason<L extends string>(of: Legs<L>): CloseReason | null {
  const asked = askedReason(of);
  if (asked !== null) return asked;
  const gone = goneOf(of);
  if (gone !== null) return gone;
  return of.legs.some(isFlat) ? 'liquidation' : of.rules.exitReason();
}

const TAKER_PATIENCE_MS = 15_000;
const MAKER_PATIENCE_MS = 120_000;
/** A missing rest up to this share of the target is tolerated. */
const DUST = 0.02;
/** Sends per minute that entries leave to exits. */
const SENDS_KEPT = 10;

/** A leg whose price and steps are known. */
type Priced<L extends string> = LegNow<L> & { view: SymbolView; terms: TradingTerms };

const isPriced = <L extends string>(leg: LegNow<L>): leg is Priced<L> =>
  leg.view !== undefined && leg.terms !== undefined;

/** As much of a quantity as the leg has room for, on the grid. */
const withinRoom = <L extends string>(quantity: Big, { room, view, terms }: Priced<L>): Big =>
  smaller(quantity, floorTo(ZERO.plus(room).div(view.price), terms.lotSize));

const worthSending = <L extends string>(left: Big, { view, terms }: Priced<L>): boolean =>
  left.gte(terms.lotSize) && left.times(view.price).gte(terms.minNotional);

/** What a leg holds of that by which the legs match. */
const heldBy = <L extends string>({ matchBy }: LegsRules, { book }: LegNow<L>): Big =>
  (matchBy === 'cost' ? book.cost : book.quantity).abs();

/** Spot never rests: no exchange cancels what rests there when whoever trades it is gone. */
const isSpot = <L extends string>({ terms }: LegNow<L>): boolean => terms?.kind === 'spot';

/** The leg that goes first: the less liquid one, as the others are easier to fill; of what rests one that may. */
function firstOf<L extends string>({ rules }: Legs<L>, legs: readonly Priced<L>[], live: Live<L>): Priced<L> {
  // A leg with a resting order stays the first one, even if turnovers changed since.
  const resting = live.find(({ type }) => type === 'maker');
  const begun = legs.filter((leg) => !isFlat(leg));
  const candidates = begun.length === 0 ? legs : begun;
  const named = legs.find(({ leg }) => leg === rules.first);
  if (named !== undefined) return named;
  if (rules.bringIn === 'atOnce') {
    // The others match the leg with the largest fill.
    const shareOf = (leg: Priced<L>) => heldBy(rules, leg).div(leg.weight);
    return candidates.reduce((most, leg) => (shareOf(leg).gt(shareOf(most)) ? leg : most));
  }
  const able = rules.bringIn === 'makerFirst' ? candidates.filter((leg) => !isSpot(leg)) : candidates;
  const harder = (able.length === 0 ? candidates : able).reduce((hardest, leg) =>
    (leg.view.turnover24h ?? 0) < (hardest.view.turnover24h ?? 0) ? leg : hardest,
  );
  return legs.find(({ leg }) => leg === resting?.leg) ?? harder;
}

/** Quantity aimed at for a leg that does not follow another one, from the mid of the decision. */
function ownTarget<L extends string>({ book: { midOpen }, targetNotional, targetQuantity, terms }: Priced<L>): Big {
  if (targetQuantity !== undefined) return floorTo(targetQuantity, terms.lotSize);
  return midOpen === null ? ZERO : floorTo(ZERO.plus(targetNotional).div(midOpen), terms.lotSize);
}

/** An amount of one leg scaled to the weight of another; exact where possible. */
function scaled<L extends string>(amount: Big, from: LegNow<L>, to: LegNow<L>): Big {
  const grown = amount.times(to.weight);
  return from.weight === 1 ? grown : grown.div(from.weight);
}

/** Spot whose fee is taken in the coin. */
const isBought = <L extends string>(leg: Priced<L>): boolean => isSpot(leg) && leg.side === 'long';

/**
 * Quantity of a leg at which it matches the first one, within half a lot. By cost: what was filled at earlier prices
 * counts at those. Spot and its hedge never leave more sold than there is coin (F28): the hedge is rounded down, spot
 * that follows is bought so much more as its fee takes of the coin, rounded up.
 */
function matchingQuantity<L extends string>(of: Legs<L>, first: Priced<L>, leg: Priced<L>): Big {
  const { view, terms } = leg;
  const held = leg.book.quantity.abs();
  const lacking = scaled(heldBy(of.rules, first), first, leg).minus(heldBy(of.rules, leg));
  if (of.rules.matchBy === 'cost') return held.plus(roundTo(lacking.div(view.price), terms.lotSize));
  const { lotSize } = terms;
  if (isBought(leg)) return held.plus(ceilTo(lacking.div(1 - terms.takerFee), lotSize));
  if (isBought(first)) return hedgeQuantity(held.plus(lacking), [lotSize, first.terms.lotSize]);
  return held.plus(roundTo(lacking, lotSize));
}

/**
 * An entry whose legs are even waits while its account is read, for as long as entries are tried: that nothing may be
 * added for a moment is no word of anybody to give up what is still missing.
 */
const isToBeRead = <L extends string>(of: Legs<L>, live: Live<L>): boolean =>
  of.isBehind === true &&
  live.length === 0 &&
  of.deal.oneLegSince === null &&
  of.deal.entryCancelledAt === null &&
  !isExpired(of);

export function planEntry<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  const reason = askedReason(of) ?? goneOf(of);
  if (reason !== null) return endEntry(live, reason);
  if (isToBeRead(of, live)) return null;
  const unhedgeable = unhedgeableOf(of, live);
  if (unhedgeable !== undefined) return { do: 'cancel', order: unhedgeable };
  const priced = of.legs.filter(isPriced);
  // A missing price or terms end an entry only after too long unhedged, or without any fill.
  if (priced.length < of.legs.length) return planWithoutPrices(of, live);
  const first = firstOf(of, priced, live);
  const others = priced.filter((leg) => leg !== first);
  if (of.rules.bringIn === 'atOnce') {
    const begun = planFirstOrders(of, priced, live);
    if (begun !== null) return begun;
  }
  let matchStatus: MatchStatus = 'done';
  for (const leg of others) {
    const matching = planMatching(of, first, leg, live);
    if (typeof matching !== 'string') return matching;
    if (matching !== 'done' && matchStatus !== 'held') matchStatus = matching;
  }
  return planFirstLeg(of, first, others, live, matchStatus);
}

/** A resting order whose hedge venue is down: a fill would be unhedged. */
function unhedgeableOf<L extends string>({ legs }: Legs<L>, live: Live<L>): LegOrder<L> | undefined {
  const isVenueDown = (leg: L) => legs.some((one) => one.leg === leg && one.venueDown);
  return live.find(
    ({ type, leg }) => type === 'maker' && !isVenueDown(leg) && legs.some((other) => isVenueDown(other.leg)),
  );
}

/** Whether the following legs match the first one, have an order out, or lack one that may not go out now. */
type MatchStatus = 'done' | 'wait' | 'held';

/** The plan while a price or the terms of a leg are not known. */
function planWithoutPrices<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  if (unhedgedMs(of) > ALONE_MS) return endEntry(live, 'oneLeg');
  return of.legs.every(isFlat) && isExpired(of) ? endEntry(live, 'refused') : null;
}

/** How long an entry is tried after its last slice fell due. */
const patienceOf = ({ bringIn, convertMs }: LegsRules): number => {
  if (bringIn !== 'makerFirst') return TAKER_PATIENCE_MS;
  return convertMs === undefined ? MAKER_PATIENCE_MS : convertMs + TAKER_PATIENCE_MS;
};

const isExpired = <L extends string>({ deal: { stateAt }, rules, now }: Legs<L>): boolean =>
  now - stateAt - spanOf(rules.twap ?? AT_ONCE) > patienceOf(rules);

/** Part of the whole that was to be in so long ago, ms. */
const shareAgo = <L extends string>(
  { deal: { stateAt }, rules: { twap = AT_ONCE }, now }: Legs<L>,
  ms: number,
): number => dueShare(twap, now - stateAt - ms);

/** A person cancelled the entry, or entries are disabled. */
const isTakenBack = <L extends string>({ deal, entriesDisabled }: Legs<L>): boolean =>
  entriesDisabled || deal.entryCancelledAt !== null;

const entryOf = <L extends string>(leg: LegNow<L>, quantity: Big, rules: LegsRules, takes = false) => ({
  ...sendOf(leg, quantity, 'entry', rules.capBps),
  ...payUpOf(rules),
  adds: true,
  maker: rules.bringIn === 'makerFirst' && !takes && !isSpot(leg),
});

/** What a leg still lacks of a share of its target, in whole lots: a fee in coin leaves fractions of one. */
const lackingOf = <L extends string>(leg: Priced<L>, share: number): Big =>
  floorTo(ownTarget(leg).times(share).minus(leg.book.quantity.abs()), leg.terms.lotSize);

/** What has rested past its conversion time and is taken from the book now; null where orders only rest. */
function overdueOf<L extends string>(of: Legs<L>, leg: Priced<L>): Big | null {
  const { bringIn, convertMs } = of.rules;
  if (bringIn !== 'makerFirst' || convertMs === undefined) return null;
  const overdue = lackingOf(leg, shareAgo(of, convertMs));
  return worthSending(overdue, leg) ? overdue : null;
}

/** The first order of each leg, independent of the others. */
function planFirstOrders<L extends string>(
  of: Legs<L>,
  legs: readonly Priced<L>[],
  live: Live<L>,
): NextAction<L> | null {
  const { rules } = of;
  if (isTakenBack(of) || isExpired(of)) return null;
  // Without margin for all legs, none is entered.
  if (live.length === 0 && legs.every(isFlat) && !of.hasMargin) return null;
  const begun = legs.filter((each) => isFlat(each) && !hasBegun(of, each, live));
  const sends = begun.flatMap((leg) => {
    const quantity = withinRoom(ownTarget(leg), leg);
    return maySend(of, leg.leg, SENDS_KEPT) && worthSending(quantity, leg) ? [entryOf(leg, quantity, rules)] : [];
  });
  return sends.length > 1 ? { do: 'sendAll', sends } : (sends[0] ?? null);
}

const hasBegun = <L extends string>({ deal }: Legs<L>, { leg }: LegNow<L>, live: Live<L>): boolean =>
  live.some((order) => order.leg === leg) || deal.sends.some((send) => send.leg === leg && send.at >= deal.stateAt);

/** Fills the first leg to its target until its time is over, then opens, closes or fails the deal. */
function planFirstLeg<L extends string>(
  of: Legs<L>,
  first: Priced<L>,
  others: readonly Priced<L>[],
  live: Live<L>,
  matchStatus: MatchStatus,
): NextAction<L> | null {
  const takenBack = isTakenBack(of);
  const isOver = takenBack || isExpired(of) || isDone(of, first, live);
  const overdue = overdueOf(of, first);
  const resting = live.find(({ leg }) => leg === first.leg);
  // While the others may not follow, a fill would be unhedged.
  if (resting) return cancelIf(resting, isOver || matchStatus === 'held' || isOutdated(of, resting, overdue));
  const held = first.book.quantity.abs();
  const share = shareAgo(of, 0);
  const left = withinRoom(lackingOf(first, share), first);
  if (!isOver && worthSending(left, first)) {
    // The first leg does not grow while a venue is down.
    const mayGo =
      matchStatus !== 'held' &&
      !of.legs.some(({ venueDown }) => venueDown) &&
      maySend(of, first.leg, SENDS_KEPT) &&
      (held.gt(0) || of.hasMargin);
    if (!mayGo) return null;
    return entryOf(first, overdue === null ? left : smaller(overdue, left), of.rules, overdue !== null);
  }
  // Orders of the other legs are cancelled before the deal changes its state.
  if (live[0]) return cancelIf(live[0], isOver);
  if (held.eq(0)) return isOver ? failWithoutFill(takenBack) : null;
  if (matchStatus !== 'done' || (share < 1 && !isOver)) return null;
  // The first leg is in: the deal is open when the others are too.
  return others.some(isFlat)
    ? { do: 'move', to: 'closing', reason: 'oneLeg' }
    : { do: 'move', to: 'open', reason: null };
}

const failWithoutFill = <L extends string>(takenBack: boolean): NextAction<L> => ({
  do: 'move',
  to: 'failed',
  reason: takenBack ? 'cancelled' : 'refused',
});

/** Whether a resting order is to be re-pegged, or taken from the book. */
const isOutdated = <L extends string>({ now }: Legs<L>, resting: LegOrder<L>, overdue: Big | null): boolean =>
  now - resting.createdAt > PEG_MS || (overdue !== null && resting.type === 'maker');

/** Its one order went out. */
const isDone = <L extends string>(of: Legs<L>, leg: LegNow<L>, live: Live<L>): boolean =>
  of.rules.once === true && hasBegun(of, leg, live);

const cancelIf = <L extends string>(order: LegOrder<L>, isDue: boolean): NextAction<L> | null =>
  isDue ? { do: 'cancel', order } : null;

function endEntry<L extends string>(live: Live<L>, reason: CloseReason): NextAction<L> {
  const resting = live[0];
  return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
}

/** Whether the kind tolerates what a filled leg lacks. */
const isTolerated = <L extends string>({ rules: { tolerance } }: Legs<L>, leg: Priced<L>, left: Big): boolean =>
  tolerance !== undefined && !isFlat(leg) && left.times(leg.view.price).lte(tolerance);

/** Too little for an order of its own; the first leg may still grow. */
function statusOfRest<L extends string>({ terms }: Priced<L>, left: Big, target: Big, live: Live<L>): 'done' | 'wait' {
  if (target.eq(0) || left.lte(terms.lotSize) || left.lte(target.times(DUST))) return 'done';
  return live.length > 0 ? 'wait' : 'done';
}

/** Matches a leg to the first one: at once, later at a wider cap, then ends the entry. */
function planMatching<L extends string>(
  of: Legs<L>,
  first: Priced<L>,
  leg: Priced<L>,
  live: Live<L>,
): NextAction<L> | MatchStatus {
  const { deal, rules } = of;
  const { terms } = leg;
  const target = matchingQuantity(of, first, leg);
  const left = target.minus(leg.book.quantity.abs());
  if (!worthSending(left, leg) || isTolerated(of, leg, left)) return statusOfRest(leg, left, target, live);
  const alone = unhedgedMs(of);
  const asked = rebalanceWayOf(of);
  if (alone > ALONE_MS || (asked === 'unwind' && alone > 0)) return endEntry(live, 'oneLeg');
  if (live.some((order) => order.leg === leg.leg)) return 'wait';
  // An order to a venue that is down would block the exit of the unhedged leg.
  if (leg.venueDown || !maySend(of, leg.leg, 1)) return 'held';
  const quantity = withinRoom(left, leg);
  if (!worthSending(quantity, leg)) {
    // Without room for the rest: one lot is near enough, else the one-leg timer decides.
    return left.lte(terms.lotSize) || (deal.oneLegSince === null && !isFlat(leg)) ? 'done' : 'held';
  }
  const isLate = alone > ONE_LEG_MS || asked === 'complete';
  const capBps = isLate ? Math.min(WIDEST_CAP_BPS, rules.capBps * 3) : rules.capBps;
  return {
    ...sendOf(leg, quantity, isLate ? 'complete' : 'entry', capBps),
    ...(isLate ? {} : payUpOf(rules)),
    adds: true,
  };
}
