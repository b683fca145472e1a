import type { FundingHistory } from '../exchange/exchange';
import { onceAnHour } from './onceAnHour';

const DAYS = 7;

/** Sum of the rates that a perpetual settled within the last 7 days; `null` where one of them is missing. */
export const createSettledWeek = () => onceAnHour(DAYS, settledSum);

export function settledSum(history: FundingHistory | null): number | null {
  if (history === null || history.rate.length === 0) return null;
  const covered = history.hours.reduce((sum, hours) => sum + hours, 0);
  // The stretches between settlements cover the week up to what is left of one: more missing is a gap.
  if (Math.abs(DAYS * 24 - covered) >= Math.max(...history.hours)) return null;
  return history.rate.reduce((sum, rate) => sum + rate, 0);
}
