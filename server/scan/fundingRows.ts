import type { QueryOf } from '#contract/endpoint';
import { FundingCandidate, type fundingScan } from '#contract/fundingScan';
import { createFundingPast } from './fundingPast';
import { fundingCandidate, fundingPairs } from './fundingScan';
import { inTurns } from './inTurns';
import { createRanking, type ReadRows, type ScanDeps } from './ranking';
import { atLeast, atMost } from './rowFilters';

type Query = QueryOf<typeof fundingScan.list>;

const LOW_ADL = 2;

/** Reads the rows of GET /api/market/fundingRate. */
export function createFundingRows(deps: ScanDeps): ReadRows<Query, FundingCandidate> {
  const pastOf = createFundingPast();
  return createRanking(deps, {
    row: FundingCandidate,
    bestFirst: '-netApr',
    planOf: ({ size, hours }) => ({ size, hours }),
    rowsOf: async (seen, plan) => {
      const pairs = fundingPairs(seen);
      const pasts = await inTurns(pairs, ({ perpetual }) => pastOf(perpetual, seen.at));
      return inTurns(pairs, (pair, i) => fundingCandidate(pair, pasts[i]!, plan, seen.at));
    },
    passes,
  });
}

/** What a coin must turn over to be among so many. */
function turnoverOfPlace(rows: readonly FundingCandidate[], top: number | undefined): number {
  if (top === undefined) return 0;
  const turnovers = rows.map(({ turnover24h }) => turnover24h ?? 0).sort((a, b) => b - a);
  return turnovers[top - 1] ?? 0;
}

function passes(query: Query, all: readonly FundingCandidate[]): (row: FundingCandidate) => boolean {
  const { direction, minApr = 0, maxBreakEvenHours, minTurnover = 0, minDepth, lowAdl } = query;
  const isThere = ({ source }: FundingCandidate) => query.source === undefined || source === query.source;
  const topTurnover = turnoverOfPlace(all.filter(isThere), query.top);
  return (row) =>
    isThere(row) &&
    (direction === undefined || row.direction === direction) &&
    Math.abs(row.apr ?? 0) >= minApr &&
    atMost(row.breakEvenHours, maxBreakEvenHours) &&
    (row.turnover24h ?? 0) >= Math.max(minTurnover, topTurnover) &&
    atLeast(row.depth, minDepth) &&
    atMost(row.adl, lowAdl === true ? LOW_ADL : undefined);
}
