import { HOUR_MS } from '#contract/duration';

/** Intervals at which exchanges settle. */
export const FUNDING_HOURS: readonly number[] = [1, 4, 8];

export interface FundingIntervals {
  /** Of each settlement. */
  hours: Float64Array;
  /** Settlements that are absent before each. */
  missing: Int32Array;
}

/**
 * The interval of each settlement: its distance to the one before. A longer step that the next one does not repeat is a
 * gap in the interval that was, not an interval; the first settlement has that of the second.
 * @param time full hours in UTC ms, strictly ascending.
 */
export function fundingIntervals(time: Float64Array): FundingIntervals {
  const hours = new Float64Array(time.length);
  const missing = new Int32Array(time.length);
  const stepAt = (i: number) => Math.round((time[i]! - time[i - 1]!) / HOUR_MS);
  let interval = firstInterval(time, stepAt);
  for (let i = 1; i < time.length; i += 1) {
    const step = stepAt(i);
    const isRepeated = i + 1 < time.length && stepAt(i + 1) === step;
    if (FUNDING_HOURS.includes(step) && (step < interval || isRepeated)) interval = step;
    hours[i] = interval;
    missing[i] = Math.max(0, Math.ceil(step / interval) - 1);
  }
  hours[0] = hours[1] ?? interval;
  return { hours, missing };
}

function firstInterval(time: Float64Array, stepAt: (i: number) => number): number {
  let once: number | undefined;
  for (let i = 1; i < time.length; i += 1) {
    const step = stepAt(i);
    if (!FUNDING_HOURS.includes(step)) continue;
    if (i + 1 < time.length && stepAt(i + 1) === step) return step;
    once ??= step;
  }
  return once ?? Math.max(...FUNDING_HOURS);
}
