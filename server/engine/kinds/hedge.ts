import { HOUR_MS } from '#contract/duration';
import { type CloseReason, LEGS, type Leg } from '#contract/lifecycle';
import { entryOf, needsModel, rearmed } from '../entries';
import { netAt } from '../figures';
import { wishedNotional } from '../governor';
import { planLegs } from '../legs';
import type { LegNow, LegsRules } from '../legsNow';
import type { BookOrder, DealBook } from '../tradingBook';
import type { Runner, Sight, Wish } from './runner';

/** What a hedge needs next: two legs, long and short, that cost the same by the ratio of the hedge. */
export function planHedge(hedge: DealBook<'hedge'>, live: readonly BookOrder[], sight: Sight): Wish | null {
  const { now, off, headroom } = sight;
  const legs = LEGS.map((leg) => legOf(hedge, leg, sight));
  return planLegs({ deal: hedge, legs, rules: rulesOf(hedge, sight), now, off, headroom }, live);
}

const legOf = (hedge: DealBook<'hedge'>, leg: Leg, sight: Sight): LegNow<Leg> => ({
  leg,
  side: leg,
  weight: hedge.legs[leg].weight,
  wished: wishedNotional(hedge, leg),
  book: hedge.legs[leg],
  view: sight[leg],
  terms: sight.terms[leg],
  gone: sight.gone[leg],
  room: sight.room[leg],
  account: sight.account[leg],
});

const rulesOf = (hedge: DealBook<'hedge'>, sight: Sight): LegsRules => ({
  bringIn: hedge.params.orderType === 'maker' ? 'makerFirst' : 'takerFirst',
  matchBy: 'cost',
  capBps: hedge.params.slippageCap,
  rebalance: hedge.params.rebalance,
  exitReason: () => exitReason(hedge, sight),
});

function exitReason(hedge: DealBook<'hedge'>, sight: Sight): CloseReason | null {
  const { params: settings, legs } = hedge;
  const { long, short, z } = sight;
  const net = netAt(hedge, long, short);
  const notional = legs.long.notional.plus(legs.short.notional).toNumber();
  if (net !== null && settings.stopLoss !== null && net <= -settings.stopLoss * notional) return 'stopLoss';
  if (net !== null && settings.takeProfit !== null && net >= settings.takeProfit * notional) return 'takeProfit';
  const held = sight.now - (hedge.openedAt ?? hedge.createdAt);
  if (settings.maxHoldingHours !== null && held >= settings.maxHoldingHours * HOUR_MS) return 'maxHolding';
  const priced = long?.fresh && short?.fresh;
  if (settings.entry === 'z' && z !== null && priced && z >= -settings.exitZ) return 'exitZ';
  return null;
}

/** Two coins held against each other, long and short. */
export const hedge: Runner<'hedge'> = { needsModel, rearmed, entry: entryOf, plan: planHedge };
