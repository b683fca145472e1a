import type { HedgeBook } from './tradingBook';

/** Legs further apart than this share of the larger one count as one leg without the other while a hedge opens or closes. */
const APART = 0.1;

/** USDT of one leg that the other does not cover, by what they cost; legs of an open hedge that drift apart are not naked. */
function nakedValue({ legs, ratio, state }: HedgeBook): number {
  // First of all: nearly every hedge has both legs, at every tick.
  if (state === 'open' && !legs.long.cost.eq(0) && !legs.short.cost.eq(0)) return 0;
  const own = Math.abs(legs.long.cost.toNumber());
  const against = Math.abs(legs.short.cost.toNumber()) / ratio;
  const apart = Math.abs(own - against);
  return apart > APART * Math.max(own, against) ? apart : 0;
}

/** Adds the time since it was counted last as the legs stood meanwhile: before each fill, and whenever one looks. */
export function countNaked(hedge: HedgeBook, at: number): void {
  const naked = nakedValue(hedge);
  const since = Math.max(hedge.nakedAt, hedge.oneLegSince ?? at);
  if (naked > 0 && at > since) {
    hedge.naked += (naked * (at - since)) / 1000;
    hedge.dirty = true;
  }
  hedge.nakedAt = Math.max(hedge.nakedAt, at);
}

/** Starts or stops the one-leg timer by what the legs hold now: after each fill, and whenever one looks. */
export function timeOneLeg(hedge: HedgeBook, at: number): void {
  const alone = nakedValue(hedge) > 0;
  if (alone === (hedge.oneLegSince !== null)) return;
  hedge.oneLegSince = alone ? at : null;
  hedge.dirty = true;
}
