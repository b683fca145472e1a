import { HOUR_MS } from '#contract/duration';
import type { FundingCandidate } from '#contract/kinds/fundingRate/scan';
import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import type { PairFacts } from '#contract/pair';

const AT = Date.UTC(2026, 0, 15);

/** A carry of XLM that is worth it. */
export const XLM: FundingCandidate = {
  ...{ id: 'simulated XLM', source: 'simulated', base: 'XLM', spot: 'XLMUSDT_SPOT', perpetual: 'XLMUSDT' },
  ...{ direction: 'carry', settledRate: 0.0005, predictedRate: 0.0006, hours: 8, nextAt: AT + HOUR_MS, apr: 0.657 },
  ...{ mean7Apr: 0.3, mean30Apr: 0.2, positiveShare: 0.9, streak: 6, basis: 0.0004, quantity: 13_000 },
  ...{ entryCost: 0.0018, exitCost: 0.0018, breakEven: 6, breakEvenHours: 41, borrowApr: null },
  ...{ netApr: 0.42, capitalApr: 0.28 },
  ...{ expectedApr: 0.61, netAprAtRate: 0.93, replay7: 0.004, replay30: 0.018 },
  ...{ openInterest: 1e7, turnover24h: 5e7, depth: 8e5, adl: 2, collateralRatio: 0.8, fundingCap: 0.02, obstacles: [] },
};

/** A coin that is cheaper at OKX than at the first venue, with all that a trade of it needs. */
export const gapOf = (base: string, more: Partial<ArbitrageCandidate> = {}): ArbitrageCandidate => ({
  ...{ id: `${base} simulated simulated-okx`, base, perpetual: `${base}USDT`, buy: 'simulated-okx', ask: 0.2553 },
  ...{ sell: 'simulated', bid: 0.2561, grossBps: 32, feesBps: 20, slippageBps: 1, netBps: 12, profit: 12 },
  ...{ replay7: 0, replay30: 0.0123, quantity: 39_000, fillable: 60_000, heldSeconds: 4 },
  ...{ coinOut: true, coinIn: true, moneyOut: true, moneyIn: true, transferFee: 3, transferMinutes: 8 },
  ...{ transferBps: 3, buyerCash: 52_000, sellerCoin: 11_700, buyLatencyMs: 60, sellLatencyMs: 40, ageMs: 300 },
  obstacles: [],
  ...more,
});

/** What is known of two legs that belong together. */
export const factsOf = (long: string, short: string, more: Partial<PairFacts> = {}): PairFacts => ({
  ...{ source: 'simulated', bar: '1h', commonBars: ['1d', '1h'], long: [long], short: [short], formingAt: null },
  ...{ bars: 240, time: [AT], ratio: [1.125], spread: [0], z: [-2.5], mean: 0, sd: 1, warnings: [] },
  ...{ correlation: 0.91, betaLong: 1, betaShort: 1, hedgeRatio: 1, rSquared: 0.5, halfLife: 18, adfP: 0.01 },
  ...{ currentZ: -1.9, presentZ: -2.5, presentRatio: 0.000031415 },
  ...{ fundingAprDifference: null, return30: null, return90: null, ...more },
});
