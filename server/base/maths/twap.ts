import type Big from 'big.js';
import { floorTo } from './decimal';

/** A whole that goes in so many parts of one size, one each so many ms (TWAP). */
export interface Twap {
  slices: number;
  everyMs: number;
}

/** What goes in at once. */
export const AT_ONCE: Twap = { slices: 1, everyMs: 0 };

/** From the first part to the last one, ms. */
export const spanOf = ({ slices, everyMs }: Twap): number => (slices - 1) * everyMs;

/** The part of the whole that is due so long (ms) after the beginning; nothing before it. */
export function dueShare({ slices, everyMs }: Twap, sinceMs: number): number {
  if (sinceMs < 0) return 0;
  return slices === 1 ? 1 : Math.min(1, (Math.floor(sinceMs / everyMs) + 1) / slices);
}

/**
 * How long after the beginning the first part falls due that is not in yet, ms; null where the whole is.
 * @param target and held, base currency.
 */
export function missingPartMs({ slices, everyMs }: Twap, target: Big, lotSize: string, held: Big): number | null {
  for (let part = 0; part < slices; part += 1) {
    // As the planner sees it: less than a lot is nothing.
    if (floorTo(target.times((part + 1) / slices).minus(held), lotSize).gt(0)) return part * everyMs;
  }
  return null;
}
