import type { QueryOf } from '#contract/endpoint';
import { SpreadCandidate, type spreadScan } from '#contract/kinds/spread/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { createRanking, type ReadRows, type ScanDeps } from '../../market/scan/ranking';
import { atLeast, atMost } from '../../market/scan/rowFilters';
import { createBasisPast } from './past';
import { settledSpread, spreadCandidate, spreadPairs } from './scan';

type Query = QueryOf<typeof spreadScan.list>;

/** Reads the rows of GET /api/market/spread. */
export function createSpreadRows(deps: ScanDeps): ReadRows<Query, SpreadCandidate> {
  const pastOf = createBasisPast();
  return createRanking(deps, {
    row: SpreadCandidate,
    bestFirst: '-netFundingApr',
    planOf: ({ size, days }) => ({ size, days }),
    rowsOf: (seen, plan) =>
      mapYielding(spreadPairs(seen), async (pair) => {
        const settled = await settledSpread(pair, seen.at);
        return spreadCandidate(settled, pastOf(pair.near, pair.far, seen.at), plan, seen.at);
      }),
    passes,
  });
}

function passes(query: Query): (row: SpreadCandidate) => boolean {
  const { source, type, minNetApr, minDepth, minTurnover, maxDays } = query;
  return (row) =>
    (source === undefined || row.source === source) &&
    (type === undefined || row.type === type) &&
    atLeast(row.netFundingApr, minNetApr) &&
    atLeast(row.depth, minDepth) &&
    atLeast(row.turnover24h, minTurnover) &&
    atMost(row.days, maxDays);
}
