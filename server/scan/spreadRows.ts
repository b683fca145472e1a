import type { QueryOf } from '#contract/endpoint';
import { SpreadCandidate, type spreadScan } from '#contract/spreadScan';
import { createBasisPast } from './basisPast';
import { inTurns } from './inTurns';
import { createRanking, type ReadRows, type ScanDeps } from './ranking';
import { spreadCandidate, spreadPairs } from './spreadScan';

type Query = QueryOf<typeof spreadScan.list>;

/** Reads the rows of GET /api/market/spread. */
export function createSpreadRows(deps: ScanDeps): ReadRows<Query, SpreadCandidate> {
  const pastOf = createBasisPast();
  return createRanking(deps, {
    row: SpreadCandidate,
    bestFirst: '-netApr',
    planOf: ({ size, days }) => ({ size, days }),
    rowsOf: (seen, plan) =>
      inTurns(spreadPairs(seen), (pair) => spreadCandidate(pair, pastOf(pair.near, pair.far, seen.at), plan, seen.at)),
    passes,
  });
}

function passes(query: Query): (row: SpreadCandidate) => boolean {
  const { source, type, search, minNetApr, minDepth = 0, minTurnover = 0, maxDays, actionable } = query;
  const wanted = search?.trim().toLowerCase() ?? '';
  return (row) =>
    (source === undefined || row.source === source) &&
    (type === undefined || row.type === type) &&
    row.base.toLowerCase().includes(wanted) &&
    (minNetApr === undefined || (row.netApr !== null && row.netApr >= minNetApr)) &&
    (row.depth ?? 0) >= minDepth &&
    (row.turnover24h ?? 0) >= minTurnover &&
    (maxDays === undefined || (row.days !== null && row.days <= maxDays)) &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}
