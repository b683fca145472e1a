import { HOUR_MS } from '#contract/duration';
import type { CloseReason } from '#contract/lifecycle';
import { entryOf, needsModel, rearmed } from '../entries';
import { netAt } from '../figures';
import { planLegs } from '../legs';
import type { LegsRules } from '../legsNow';
import { zNow } from '../pairModel';
import type { BookOrder, DealBook } from '../tradingBook';
import { legsOfDeal } from './dealLegs';
import type { Runner, Sight, Wish } from './runner';

/** What a hedge needs next: two legs, long and short, that cost the same by the ratio of the hedge. */
export function planHedge(hedge: DealBook<'hedge'>, live: readonly BookOrder[], sight: Sight<'hedge'>): Wish | null {
  const { now, off, headroom } = sight;
  const legs = legsOfDeal(hedge, sight);
  return planLegs({ deal: hedge, legs, rules: rulesOf(hedge, sight), now, off, headroom }, live);
}

const rulesOf = (hedge: DealBook<'hedge'>, sight: Sight<'hedge'>): LegsRules => ({
  bringIn: hedge.params.orderType === 'maker' ? 'makerFirst' : 'takerFirst',
  matchBy: 'cost',
  capBps: hedge.params.slippageCap,
  rebalance: hedge.params.rebalance,
  exitReason: () => exitReason(hedge, sight),
});

function exitReason(hedge: DealBook<'hedge'>, sight: Sight<'hedge'>): CloseReason | null {
  const { params: settings, legs } = hedge;
  const { long, short, signal: z } = sight;
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
export const hedge: Runner<'hedge'> = {
  // Its pairs are added one by one at the desk.
  targets: () => ({ legs: [], missing: [] }),
  costs: () => ({ entryCost: null, exitCost: null, breakEven: null, breakEvenHours: null }),
  look: async (outlook, places, params, purpose) =>
    purpose === 'entry' && !needsModel(params) ? undefined : outlook.modelOf(places, params),
  signal: (model, { long, short }) => zNow(model, long, short),
  rearmed,
  entry: (book, params, target, { seen: model, ...sight }) => {
    const entry = entryOf(book, params, target, { ...sight, model });
    if ('block' in entry) return entry;
    const { ratio, z, needs } = entry;
    return { weights: { long: 1, short: ratio }, signal: z, margin: needs, cash: 0, note: null };
  },
  plan: planHedge,
};
