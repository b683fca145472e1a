import type { Static } from 'typebox';
import { BAR_MS } from '#contract/candle';
import type { FundingSummary } from '#contract/symbol';
import { fundingApr } from '../../base/maths/funding';
import { settlementsOn } from '../../base/maths/settlement';
import { mean } from '../../base/maths/statistics';
import type { FundingHistory, Instrument } from '../../market/exchange';

const WINDOWS = [7, 30, 90];

/**
 * What funding was over the last 7, 30 and 90 days before `now`: mean APR (F1 of the mean rate), share of positive
 * rates, and how many settlements the interval called for that are not stored. Empty where the source has no funding
 * or its interval is unknown: then nothing can be said, not even that something is missing.
 */
export function fundingSummary(
  funding: FundingHistory | null,
  { fundingHours, listedAt }: Instrument,
  now: number,
): Static<typeof FundingSummary>[] {
  if (funding === null || fundingHours === null) return [];
  return WINDOWS.map((days) => {
    // Before its listing a coin owed nothing.
    const from = Math.max(listedAt, now - days * BAR_MS['1d']);
    const { rate, missing } = settlementsOn(Float64Array.of(from, Math.max(from, now)), funding, fundingHours);
    const positive = rate.filter((value) => value > 0).length;
    return {
      days,
      settlements: rate.length,
      missing,
      meanApr: fundingApr(mean(rate), fundingHours),
      positiveShare: rate.length === 0 ? null : positive / rate.length,
    };
  });
}
