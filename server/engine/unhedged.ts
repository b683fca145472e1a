import type Big from 'big.js';
import { LEGS } from '#contract/lifecycle';
import { isLaddered } from '#contract/strategy';
import type { DealBook } from './tradingBook';

/** Legs further apart than this share of the larger one count as one leg without the other while a deal opens or closes. */
const IMBALANCE_SHARE = 0.1;

/** What legs have cost for each unit of weight that the others do not cover, USDT; 0 while they are about even. */
export function unhedgedOf(all: readonly { cost: Big; weight: number }[]): number {
  // One without weight is not meant to hold anything.
  const legs = all.filter(({ weight }) => weight > 0);
  const shares = legs.map(({ cost, weight }) => Math.abs(cost.toNumber()) / weight);
  const most = Math.max(...shares);
  const imbalance = most - Math.min(...shares);
  return imbalance > IMBALANCE_SHARE * most ? imbalance : 0;
}

/** The same of a deal; legs of an open one that drift apart are not naked, nor are those that stand on levels. */
function unhedgedValue(deal: DealBook): number {
  const { legs, state, kind } = deal;
  if (isLaddered(kind)) return 0;
  // First of all: nearly every deal has both legs, at every tick.
  if (state === 'open' && !legs.long.cost.eq(0) && !legs.short.cost.eq(0)) return 0;
  return unhedgedOf(LEGS.map((leg) => ({ cost: legs[leg].cost, weight: legs[leg].weight })));
}

/** Adds the time since it was counted last as the legs stood meanwhile: before each fill, and whenever one looks. */
export function countUnhedged(deal: DealBook, at: number): void {
  const unhedged = unhedgedValue(deal);
  const since = Math.max(deal.unhedgedAt, deal.oneLegSince ?? at);
  if (unhedged > 0 && at > since) {
    deal.unhedged += (unhedged * (at - since)) / 1000;
    deal.dirty = true;
  }
  deal.unhedgedAt = Math.max(deal.unhedgedAt, at);
}

/** Starts or stops the one-leg timer by what the legs hold now: after each fill, and whenever one looks. */
export function timeOneLeg(deal: DealBook, at: number): void {
  const alone = unhedgedValue(deal) > 0;
  if (alone === (deal.oneLegSince !== null)) return;
  deal.oneLegSince = alone ? at : null;
  deal.dirty = true;
}
