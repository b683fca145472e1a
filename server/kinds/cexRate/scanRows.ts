import type { QueryOf } from '#contract/endpoint';
import { CexRateCandidate, type cexRateScan, type RateSign } from '#contract/kinds/cexRate/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { fundingPastOf } from '../../market/scan/fundingPast';
import { createRanking, type ReadRows, type ScanDeps } from '../../market/scan/ranking';
import { areAmong, atLeast } from '../../market/scan/rowFilters';
import { namedCoins, ratePairs, type VenueLeg } from './coinLegs';
import { cexRateCandidate } from './scan';

type Query = QueryOf<typeof cexRateScan.list>;

/** Reads the rows of GET /api/market/cexRate. */
export function createCexRateRows(deps: ScanDeps): ReadRows<Query, CexRateCandidate> {
  return createRanking(deps, {
    row: CexRateCandidate,
    bestFirst: '-netApr',
    planOf: ({ size, hours, minNetApr = 0, entry, exit, tier }) => ({
      ...{ size, hours, leastApr: minNetApr },
      terms: { entry, exit, tier },
    }),
    rowsOf: (seen, plan) =>
      mapYielding(ratePairs(namedCoins(seen)), async (pair) => {
        const [one, other] = pair.legs;
        const settled = async (leg: VenueLeg) => ({ ...leg, past: await fundingPastOf(leg.quoted, seen.at) });
        const legs = [await settled(one), await settled(other)] as const;
        return cexRateCandidate({ base: pair.base, legs }, plan, seen.at);
      }),
    passes,
  });
}

const HAS_SIGN: Record<RateSign, (long: number, short: number) => boolean> = {
  positive: (long, short) => long > 0 && short > 0,
  negative: (long, short) => long < 0 && short < 0,
  opposite: (long, short) => long < 0 && short > 0,
};

function passes(query: Query): (row: CexRateCandidate) => boolean {
  const { sign, minNetApr, minOpenInterest } = query;
  const isWanted = areAmong(query.sources);
  return ({ long, short, longRate, shortRate, netApr, openInterest }) =>
    isWanted(long, short) &&
    (sign === undefined || HAS_SIGN[sign](longRate ?? 0, shortRate ?? 0)) &&
    atLeast(netApr, minNetApr) &&
    atLeast(openInterest, minOpenInterest);
}
