import type Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import { ZERO } from '../base/maths/decimal';
import { AT_ONCE, dueShare, spanOf } from '../base/maths/twap';
import type { TradingTerms } from '../market/venue';
import { planLegs } from './legs';
import type { LegNow, LegsRules } from './legsNow';
import type { NextAction } from './runner';
import type { SymbolView } from './view';

export type EntrySend = Extract<NextAction, { do: 'send' }>;

/** A leg before anything was sent for it. */
export interface DryLeg {
  symbol: string;
  view: SymbolView;
  terms: TradingTerms;
  /** Middle of the best prices now, USDT. */
  mid: number;
  /** Notional aimed at, USDT. */
  targetNotional: number;
}

/** What was sent for a leg, and what it holds of it: less than it bought where the fee is taken in the coin (F28). */
export interface DryEntry {
  sends: Record<Leg, EntrySend[]>;
  held: Record<Leg, Big>;
}

/** Far more than any entry takes. */
const MOST_STEPS = 400;

/** What arrives of a quantity that is filled whole. */
function received(quantity: Big, { kind, makerFee, takerFee }: TradingTerms, leg: Leg, maker: boolean): Big {
  return kind === 'spot' && leg === 'long' ? quantity.times(1 - (maker ? makerFee : takerFee)) : quantity;
}

/**
 * What the planner itself sends for an entry of two legs whose every order is filled whole as soon as it goes out, as long
 * as prices stand still. @param room of a leg at what it is worth by then, USDT
 */
export function dryEntry(
  dry: Record<Leg, DryLeg>,
  rules: LegsRules,
  room: (targetNotional: number, worth: number) => number,
): DryEntry {
  const twap = rules.twap ?? AT_ONCE;
  const held: Record<Leg, Big> = { long: ZERO, short: ZERO };
  const sends: Record<Leg, EntrySend[]> = { long: [], short: [] };
  let sinceMs = 0;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const legs = LEGS.map((leg) => legNow(leg, dry[leg], held[leg], room));
    const action = planLegs({ deal: OPENING, legs, rules, now: sinceMs, entriesDisabled: false, hasMargin: true }, []);
    if (action?.do === 'send') {
      sends[action.leg].push(action);
      held[action.leg] = held[action.leg].plus(
        received(action.quantity, dry[action.leg].terms, action.leg, action.maker),
      );
    } else if (action === null && dueShare(twap, sinceMs) < 1 && sinceMs < spanOf(twap)) sinceMs += twap.everyMs;
    else break;
  }
  return { sends, held };
}

const OPENING = {
  state: 'opening',
  stateAt: 0,
  openedAt: null,
  closeAskedAt: null,
  flattenAskedAt: null,
  entryCancelledAt: null,
  frozen: null,
  oneLegSince: null,
  attempts: 0,
  lastSentAt: 0,
  rebalanceWay: null,
  rebalanceAskedAt: null,
  unfreezeAskedAt: null,
  unfreezeTriedAt: null,
  sends: [],
} as const;

function legNow(
  leg: Leg,
  dry: DryLeg,
  held: Big,
  room: (targetNotional: number, worth: number) => number,
): LegNow<Leg> {
  const { symbol, view, terms, mid, targetNotional } = dry;
  const signed = leg === 'long' ? held : held.neg();
  return {
    leg,
    side: leg,
    weight: 1,
    targetNotional,
    book: { symbol, quantity: signed, cost: signed.times(mid), midOpen: mid },
    view,
    terms,
    gone: null,
    room: room(targetNotional, held.times(view.price).toNumber()),
    account: signed,
    venueDown: false,
  };
}
