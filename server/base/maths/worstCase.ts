import { HOUR_MS } from '#contract/duration';

/** Closes of both legs at common times, ascending; USDT. */
export interface LegCloses {
  long: Float64Array;
  short: Float64Array;
  /** Length of a bar, ms. */
  barMs: number;
}

/** What a stop does not bound, fractions of the notional of a leg, 0 or above. */
export interface BeyondStop {
  /** The worst bar of the history, both legs held: prices may jump over a stop by as much. */
  gap: number;
  /** One leg alone until it is unwound: its worst bar, scaled by the root of time. */
  alone: number;
}

/**
 * The worst hour of the stored history (F32), of both legs and of either alone; bars longer than an hour are scaled by the
 * root of time. @param aloneMs for how long a leg stands alone at most. @returns `null` without two closes
 */
export function beyondStop({ long, short, barMs }: LegCloses, aloneMs: number): BeyondStop | null {
  if (long.length < 2) return null;
  let [both, one] = [0, 0];
  for (let i = 1; i < long.length; i += 1) {
    const [up, down] = [long[i]! / long[i - 1]! - 1, short[i]! / short[i - 1]! - 1];
    both = Math.max(both, down - up);
    one = Math.max(one, -up, down);
  }
  return { gap: both * Math.sqrt(HOUR_MS / barMs), alone: one * Math.sqrt(aloneMs / barMs) };
}

/** The most that so many USDT a leg are to lose (F32), 0 or above; `null` where neither a stop nor the history bounds it. */
export const worstOf = (legNotional: number, stop: number | null, beyond: BeyondStop | null): number | null =>
  stop === null ? null : stop + legNotional * ((beyond?.gap ?? 0) + (beyond?.alone ?? 0));
