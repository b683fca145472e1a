import { DAY_MS } from '#contract/duration';
import { REPLAY_DAYS, type ReplaySpan } from '#contract/scan';
import { firstAtOrAfter } from '../../base/maths/closes';
import { type FundingTrend, fundingTrend, NO_TREND } from '../../base/maths/expectedFunding';
import { fundingApr } from '../../base/maths/funding';
import { mean } from '../../base/maths/statistics';
import type { FundingHistory } from '../exchange';
import { onceAnHour } from './onceAnHour';
import { type BySpan, bySpan } from './replay';

/** Settlements of a perpetual that is held; a long leg pays what a short one receives. */
export interface HeldRates {
  side: 1 | -1;
  history: FundingHistory;
}

/**
 * What held perpetuals brought, settlement by settlement (F2 of one unit of notional, F7): at each instant at which one
 * of them settled, the rates last settled as a rate of the year, and everything since the beginning. Instants at which
 * one of them has not settled yet are left out. Pure.
 * @returns fractions; empty where a leg has no settlements.
 */
export function heldRates(legs: readonly HeldRates[]): { time: number[]; apr: number[]; sum: number[] } {
  const instants = [...new Set(legs.flatMap(({ history }) => [...history.time]))].sort((a, b) => a - b);
  const begun = Math.max(...legs.map(({ history }) => history.time[0] ?? Number.POSITIVE_INFINITY));
  const next = legs.map(() => 0);
  const yearly = legs.map(() => 0);
  const out = { time: [] as number[], apr: [] as number[], sum: [] as number[] };
  let sum = 0;
  for (const at of instants) {
    for (const [i, { side, history }] of legs.entries()) {
      if (history.time[next[i]!] !== at) continue;
      const [rate, hours] = [history.rate[next[i]!]!, history.hours[next[i]!]!];
      next[i]! += 1;
      yearly[i] = -side * (fundingApr(rate, hours) ?? 0);
      if (at >= begun) sum -= side * rate;
    }
    if (at < begun) continue;
    out.time.push(at);
    out.apr.push(yearly.reduce((total, one) => total + one, 0));
    out.sum.push(sum);
  }
  return out;
}

/** What was settled of one perpetual lately. */
export interface FundingPast {
  shown: { mean7Apr: number | null; mean30Apr: number | null; positiveShare: number | null; streak: number };
  /** Sums of the rates of the last days; `null` where one of them is missing. */
  settled: BySpan<number | null>;
  trend: FundingTrend;
}

/** Of a coin whose settlements nobody knows. */
export const NOTHING_SETTLED: FundingPast = {
  shown: { mean7Apr: null, mean30Apr: null, positiveShare: null, streak: 0 },
  settled: { week: null, month: null },
  trend: NO_TREND,
};

/** Read once an hour and perpetual, for everybody. */
export const fundingPastOf = onceAnHour(REPLAY_DAYS.month, (history, { instrument }, now) =>
  readPast(history, instrument.fundingHours, now),
);

/** @param history of the 30 days before `now`, UTC ms. @param hours interval now */
export function readPast(history: FundingHistory | null, hours: number | null, now: number): FundingPast {
  if (history === null || history.rate.length === 0) return NOTHING_SETTLED;
  const { time, rate } = history;
  const firstOf = (span: ReplaySpan) => firstAtOrAfter(time, now - REPLAY_DAYS[span] * DAY_MS, 'after');
  const week = rate.subarray(firstOf('week'));
  return {
    shown: {
      mean7Apr: fundingApr(mean(week), hours),
      mean30Apr: fundingApr(mean(rate), hours),
      positiveShare: rate.filter((one) => one > 0).length / rate.length,
      streak: streakOf(rate),
    },
    settled: bySpan((span) => {
      const first = firstOf(span);
      return settledSum(rate.subarray(first), history.hours.subarray(first), REPLAY_DAYS[span]);
    }),
    trend: hours === null ? NO_TREND : fundingTrend(history, hours, now),
  };
}

function settledSum(rate: Float64Array, hours: Float64Array, days: number): number | null {
  const covered = hours.reduce((sum, one) => sum + one, 0);
  // The stretches between settlements cover the days up to what is left of one: more missing is a gap.
  if (rate.length === 0 || Math.abs(days * 24 - covered) >= Math.max(...hours)) return null;
  return rate.reduce((sum, one) => sum + one, 0);
}

function streakOf(rate: Float64Array): number {
  const sign = Math.sign(rate.at(-1) ?? 0);
  let count = 0;
  while (count < rate.length && Math.sign(rate[rate.length - 1 - count]!) === sign) count += 1;
  return sign * count;
}
