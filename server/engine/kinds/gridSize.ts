import type { Leg } from '#contract/lifecycle';
import { grownBy } from '../../maths/gridTrades';
import type { DealBook } from '../tradingBook';

type Deal = DealBook<'grid'>;

/** What was worked out of a deal's fills when there were so many of them. */
const known = new WeakMap<Deal, { fills: number; growth: number }>();

/** The part by which a deal has grown that puts in again what it makes; 0 for every other one. */
export function growthOf(deal: Deal): number {
  const { params, opening, slotFills } = deal;
  if (!params.compound) return 0;
  const last = known.get(deal);
  if (last?.fills === slotFills.length) return last.growth;
  const growth = grownBy(opening, slotFills, params.legNotional / params.leverage);
  known.set(deal, { fills: slotFills.length, growth });
  return growth;
}

/** What a side of the ladder is to be worth at most, USDT; of a range that a person moved, since then. */
export function wishedOf(deal: Deal, leg: Leg): number {
  const { params, opening, legs } = deal;
  const weight = opening.shifts?.at(-1)?.weights[leg] ?? legs[leg].weight;
  return params.legNotional * weight * (1 + growthOf(deal));
}
