import type { QueryOf } from '#contract/endpoint';
import { FundingCandidate, type fundingScan } from '#contract/fundingScan';
import { rowOrder } from '../http/rowOrder';
import { createFundingPast } from './fundingPast';
import { fundingCandidate, fundingPairs } from './fundingScan';
import { inTurns } from './inTurns';
import type { MarketSight } from './sight';

type Query = QueryOf<typeof fundingScan.list>;

const LOW_ADL = 2;
/** Without an order asked for: what makes most comes first. */
const BEST_FIRST = '-netApr';

/** Reads the rows of GET /api/market/fundingRate: all pages, as the filters leave them and in the order asked for. */
export function createFundingRows(
  sight: () => Promise<MarketSight>,
): (query: Query) => Promise<{ rows: FundingCandidate[]; at: number }> {
  const pastOf = createFundingPast();
  return async (query) => {
    const seen = await sight();
    const pairs = fundingPairs(seen).filter(({ source }) => query.source === undefined || source === query.source);
    const pasts = await inTurns(pairs, ({ perpetual }) => pastOf(perpetual, seen.at));
    const rows = await inTurns(pairs, (pair, i) => fundingCandidate(pair, pasts[i]!, query, seen.at));
    const left = rows.filter(passes(query, turnoverOfPlace(rows, query.top)));
    return { rows: left.sort(rowOrder(FundingCandidate, query.sort ?? BEST_FIRST, ({ id }) => id)), at: seen.at };
  };
}

/** What a coin must turn over to be among so many. */
function turnoverOfPlace(rows: readonly FundingCandidate[], top: number | undefined): number {
  if (top === undefined) return 0;
  const turnovers = rows.map(({ turnover24h }) => turnover24h ?? 0).sort((a, b) => b - a);
  return turnovers[top - 1] ?? 0;
}

function passes(query: Query, topTurnover: number): (row: FundingCandidate) => boolean {
  const wanted = query.search?.trim().toLowerCase() ?? '';
  const { direction, minApr = 0, maxBreakEvenHours, minTurnover = 0, minDepth = 0, lowAdl, actionable } = query;
  return (row) =>
    row.base.toLowerCase().includes(wanted) &&
    (direction === undefined || row.direction === direction) &&
    Math.abs(row.apr ?? 0) >= minApr &&
    (maxBreakEvenHours === undefined || (row.breakEvenHours !== null && row.breakEvenHours <= maxBreakEvenHours)) &&
    (row.turnover24h ?? 0) >= Math.max(minTurnover, topTurnover) &&
    (row.depth ?? 0) >= minDepth &&
    (lowAdl !== true || (row.adl !== null && row.adl <= LOW_ADL)) &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}
