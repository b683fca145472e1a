import type { Leg } from '#contract/lifecycle';
import { grownBy, madeBy } from '../../base/maths/gridTrades';
import type { DealBook } from '../../engine/tradingBook';

type Deal = DealBook<'grid'>;

/** Realised profit of a deal, USDT, cached by its fills and range. */
const known = new WeakMap<Deal, { fills: number; entryNote: Deal['entryNote']; made: number }>();

/** Growth of a compounding deal, a fraction; 0 for every other one. */
export function growthOf(deal: Deal): number {
  const { params, entryNote, slotFills } = deal;
  if (!params.compound) return 0;
  let last = known.get(deal);
  if (last?.fills !== slotFills.length || last.entryNote !== entryNote) {
    last = { fills: slotFills.length, entryNote, made: madeBy(entryNote, slotFills) };
    known.set(deal, last);
  }
  // Computed each time, as a person may add capital at any time.
  return grownBy(last.made, params.legNotional / params.leverage);
}

/** What a side of the ladder is to be worth at most, USDT; of a range that a person moved, since then. */
export function targetNotionalOf(deal: Deal, leg: Leg): number {
  const { params, entryNote, legs } = deal;
  const weight = entryNote.shifts?.at(-1)?.weights[leg] ?? legs[leg].weight;
  return params.legNotional * weight * (1 + growthOf(deal));
}
