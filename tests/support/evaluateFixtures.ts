import { DAY_MS } from '#contract/duration';
import type { EvaluateRow } from '#contract/evaluate';

const AT = Date.UTC(2026, 0, 15);

/** A coin of which little more is known than its price and its rank. */
export const evaluateRow = (symbol: string, rank: number, more: Partial<EvaluateRow> = {}): EvaluateRow => ({
  ...{ symbol, base: symbol.replace('USDT', ''), exchange: 'simulated', sector: null, rank, rankChange: null },
  ...{ listedAt: AT - 100 * DAY_MS, listedDays: 100, score: 1, momentumScore: 0, liquidityScore: 0 },
  ...{ suggestion: 'long', factors: [], price: 100, priceAt: AT, change24h: 0.01, ret7: null, ret30: null },
  ...{ excess30: null, beta30: null, corr30: null, vol30: null, turnover24h: null, openInterest: null },
  ...{ openInterestChange24h: null, longShortRatio: null, fundingRate: null, fundingHours: null, fundingApr: null },
  ...{ nextFundingAt: null, direction: null, note: '', noteBy: null, updatedAt: null, ...more },
});
