import { DAY_MS } from '#contract/duration';
import type { FundingHistory } from '../exchange/exchange';
import { fundingApr } from '../maths/funding';
import { mean } from '../maths/statistics';
import { onceAnHour } from './onceAnHour';

/** What was settled of one perpetual lately. */
export interface FundingPast {
  /** F1 of the mean rate; `null` where nothing was settled. */
  mean7Apr: number | null;
  mean30Apr: number | null;
  /** Of the last 30 days. */
  positiveShare: number | null;
  /** Settlements of one sign in a row up to the last one; negative where the rates are. */
  streak: number;
}

/** Of a coin whose settlements nobody knows, or nobody asks for. */
export const NOTHING_SETTLED: FundingPast = { mean7Apr: null, mean30Apr: null, positiveShare: null, streak: 0 };

/** Read once an hour and perpetual. */
export const createFundingPast = () =>
  onceAnHour(30, (history, { instrument }, now) => pastOf(history, instrument.fundingHours, now));

function pastOf(history: FundingHistory | null, hours: number | null, now: number): FundingPast {
  if (history === null) return NOTHING_SETTLED;
  const { time, rate } = history;
  const week = rate.filter((_, i) => time[i]! > now - 7 * DAY_MS);
  return {
    mean7Apr: fundingApr(mean(week), hours),
    mean30Apr: fundingApr(mean(rate), hours),
    positiveShare: rate.length === 0 ? null : rate.filter((one) => one > 0).length / rate.length,
    streak: streakOf(rate),
  };
}

function streakOf(rate: Float64Array): number {
  const sign = Math.sign(rate.at(-1) ?? 0);
  let count = 0;
  while (count < rate.length && Math.sign(rate[rate.length - 1 - count]!) === sign) count += 1;
  return sign * count;
}
