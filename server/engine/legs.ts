import { type CloseReason, ONE_LEG_MS } from '#contract/lifecycle';
import { plain } from '../base/maths/decimal';
import { planEntry } from './legsEntry';
import { planExit, planRebalanceWeights } from './legsExit';
import { aloneMs, goneOf, isFlat, isUnfreezeDue, type Legs, type Live, mayRetry, wanted, wouldStrand } from './legsNow';
import { planRebalanceLegs } from './rebalanceLegs';
import type { NextAction } from './runner';
import { isSettling, isWrongSide } from './tradingBook';
import { ORDER_IN_DOUBT, SHRUNK, wrongSide } from './words';

/**
 * What a deal over legs needs next, from nothing but its books, its live orders and the market: all legs or none, exits
 * before entries, one change on the wire at a time.
 * @returns null when there is nothing to do now.
 */
export const planLegs = <L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null =>
  planStages(of, live, { entry: planEntry, hold: planHold, exit: planExit });

/** How a deal is brought in, held and ended. */
interface Stages<L extends string> {
  entry: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
  hold: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
  exit: (of: Legs<L>, live: Live<L>) => NextAction<L> | null;
}

/** What holds for deals over legs however they are brought in and held. */
export function planStages<L extends string>(of: Legs<L>, live: Live<L>, stages: Stages<L>): NextAction<L> | null {
  const { deal, entriesDisabled } = of;
  const doubtful = live.find(({ state }) => state !== 'open');
  if (doubtful) return { do: 'lookup', order: doubtful };
  // A report is not a booking: what it did to the legs is known when its fills are.
  if (live.some(isSettling)) return null;
  const asked = wanted(of) !== null;
  // Doubt is looked up first; what only contradicts itself does not keep a person from closing.
  if (deal.frozen === ORDER_IN_DOUBT || (deal.frozen === SHRUNK && !asked))
    return mayRetry(of) ? { do: 'recheck' } : null;
  const wrong = wrongOf(of);
  // What takes down cannot make it worse: an end that has begun, that a person asks for, or that one leg alone needs.
  const isStranded = deal.state === 'opening' && wrong === null && aloneMs(of) > 2 * ONE_LEG_MS;
  const isEnding = asked || deal.state === 'closing' || isStranded;
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

/** What a leg holds that only the other side should, in words. */
function wrongOf<L extends string>({ legs }: Legs<L>): string | null {
  const wrong = legs.find(({ side, book }) => isWrongSide(side, book));
  return wrong === undefined ? null : wrongSide(wrong.book.symbol, plain(wrong.book.quantity));
}

const planUnfreeze = <L extends string>(of: Legs<L>, wrong: string | null): NextAction<L> | null =>
  of.deal.frozen !== null && isUnfreezeDue(of) ? { do: 'unfreeze', wrong } : null;

function planHold<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  const reason = exitReason(of);
  const resting = live[0];
  if (reason !== null && wouldStrand(of)) return null;
  if (reason !== null) return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
  return resting ? null : (planRebalanceLegs(of) ?? planRebalanceWeights(of));
}

function exitReason<L extends string>(of: Legs<L>): CloseReason | null {
  const asked = wanted(of);
  if (asked !== null) return asked;
  const gone = goneOf(of);
  if (gone !== null) return gone;
  return of.legs.some(isFlat) ? 'liquidation' : of.rules.exitReason();
}
