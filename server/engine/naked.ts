import type Big from 'big.js';
import { LEGS } from '#contract/lifecycle';
import { isLaddered } from '#contract/strategy';
import type { DealBook } from './tradingBook';

/** Legs further apart than this share of the larger one count as one leg without the other while a deal opens or closes. */
const APART = 0.1;

/** What legs have cost for each unit of weight that the others do not cover, USDT; 0 while they are about even. */
export function nakedOf(all: readonly { cost: Big; weight: number }[]): number {
  // One without weight is not meant to hold anything.
  const legs = all.filter(({ weight }) => weight > 0);
  const shares = legs.map(({ cost, weight }) => Math.abs(cost.toNumber()) / weight);
  const most = Math.max(...shares);
  const apart = most - Math.min(...shares);
  return apart > APART * most ? apart : 0;
}

/** The same of a deal; legs of an open one that drift apart are not naked, nor are those that stand on levels. */
function nakedValue(deal: DealBook): number {
  const { legs, state, kind } = deal;
  if (isLaddered(kind)) return 0;
  // First of all: nearly every deal has both legs, at every tick.
  if (state === 'open' && !legs.long.cost.eq(0) && !legs.short.cost.eq(0)) return 0;
  return nakedOf(LEGS.map((leg) => ({ cost: legs[leg].cost, weight: legs[leg].weight })));
}

/** Adds the time since it was counted last as the legs stood meanwhile: before each fill, and whenever one looks. */
export function countNaked(deal: DealBook, at: number): void {
  const naked = nakedValue(deal);
  const since = Math.max(deal.nakedAt, deal.oneLegSince ?? at);
  if (naked > 0 && at > since) {
    deal.naked += (naked * (at - since)) / 1000;
    deal.dirty = true;
  }
  deal.nakedAt = Math.max(deal.nakedAt, at);
}

/** Starts or stops the one-leg timer by what the legs hold now: after each fill, and whenever one looks. */
export function timeOneLeg(deal: DealBook, at: number): void {
  const alone = nakedValue(deal) > 0;
  if (alone === (deal.oneLegSince !== null)) return;
  deal.oneLegSince = alone ? at : null;
  deal.dirty = true;
}
