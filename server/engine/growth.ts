import type { Leg } from '#contract/lifecycle';
import type { GridNote } from '../maths/gridLadder';
import { grownBy } from '../maths/gridTrades';
import type { DealBook } from './tradingBook';

/** What was worked out of a deal's fills when there were so many of them. */
const known = new WeakMap<DealBook, { fills: number; growth: number }>();

/** The part by which a deal that puts in again what it makes has grown; 0 for every other one. */
export function growthOf(deal: DealBook): number {
  const { params, opening, slotFills } = deal;
  if (!('compound' in params) || !params.compound) return 0;
  const last = known.get(deal);
  if (last?.fills === slotFills.length) return last.growth;
  const growth = grownBy(opening as GridNote, slotFills, params.legNotional / params.leverage);
  known.set(deal, { fills: slotFills.length, growth });
  return growth;
}

/** What a leg aims at beside the other; of a range that a person moved, since then. */
export function weightOf({ opening, legs }: DealBook, leg: Leg): number {
  const shifts = opening !== null && 'shifts' in opening ? opening.shifts : undefined;
  return shifts?.at(-1)?.weights[leg] ?? legs[leg].weight;
}
