import type { ExitRule } from '#contract/dealOutlook';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { pairWarnings } from '../../base/maths/pair';
import { planDeal } from '../../engine/dealLegs';
import { entryOf, needsModel, rearmed } from '../../engine/entries';
import { firstMet, limitRules, onRise, pricesGate } from '../../engine/exitRules';
import type { LegsRules } from '../../engine/legs';
import { legsTicket } from '../../engine/legsTicket';
import { type PairModel, ratioBy, zNow } from '../../engine/pairModel';
import type { ExitContext, NextAction, PlanContext, Runner } from '../../engine/runner';
import type { BookOrder, DealBook } from '../../engine/tradingBook';

declare module '../../engine/kindTypes' {
  interface Observed {
    /** `undefined` where the rules in force do not need it. */
    hedge: PairModel | null | undefined;
  }

  interface EntryNote {
    hedge: null;
  }
}

/** What a hedge needs next: two legs, long and short, that cost the same by the ratio of the hedge. */
export const planHedge = (
  hedge: DealBook<'hedge'>,
  live: readonly BookOrder[],
  context: PlanContext<'hedge'>,
): NextAction | null => planDeal(hedge, live, context, rulesOf(hedge, context));

const entryRules = ({ orderType, slippageCap, rebalance }: HedgeSettings): LegsRules => ({
  bringIn: orderType === 'maker' ? 'makerFirst' : 'takerFirst',
  matchBy: 'cost',
  capBps: slippageCap,
  rebalance,
  exitReason: () => null,
});

const rulesOf = (hedge: DealBook<'hedge'>, context: PlanContext<'hedge'>): LegsRules => ({
  ...entryRules(hedge.params),
  exitReason: () => firstMet(exitRules(hedge, context)),
});

function exitRules(hedge: DealBook<'hedge'>, context: ExitContext<'hedge'>): ExitRule[] {
  const { params: settings } = hedge;
  const { long, short, signal: z } = context;
  const rules = limitRules(hedge, settings, context);
  if (settings.entry !== 'z') return rules;
  const [at, gate] = [-settings.exitZ, pricesGate(long, short)];
  return [...rules, onRise('exitZ', 'z', { now: z, at, isMet: z !== null && z >= at, gate })];
}

/** Two coins held against each other, long and short. */
export const hedge: Runner<'hedge'> = {
  sources: ({ source }) => [source],
  // Its pairs are added one by one at the desk.
  targets: () => ({ legs: [], missing: [], field: 'kind' }),
  costs: () => ({ cost: null, breakEven: null }),
  observe: async (snapshot, places, params, purpose) =>
    purpose === 'entry' && !needsModel(params) ? undefined : snapshot.modelOf(places, params),
  signalIs: 'z',
  signal: (model, { long, short }) => zNow(model, long, short),
  gauge: ({ entry, entryZ }, _target, { signal }) => (entry === 'z' ? { is: 'z', now: signal, wanted: -entryZ } : null),
  warnings: (model, z) => (model ? pairWarnings(model, z) : []),
  rearmed,
  opensAtOnce: ({ entry }) => entry === 'immediate',
  entry: (book, params, target, { observed: model, long, short, terms, lossLimitHit }) => {
    const entry = entryOf(book, params, target, { long, short, terms, lossLimitHit, model });
    if ('block' in entry) return entry;
    const { ratio, z, needs } = entry;
    return { weights: { long: 1, short: ratio }, signal: z, needs, note: null };
  },
  ticket: (snapshot, places, params, terms, model) =>
    legsTicket(snapshot, places, params, terms, entryRules(params), {
      long: 1,
      short: ratioBy(params.ratio, model ?? null) ?? 1,
    }),
  plan: planHedge,
  exitRules,
};
