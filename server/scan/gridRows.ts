import type { QueryOf } from '#contract/endpoint';
import { GridCandidate, type gridScan } from '#contract/gridScan';
import { createGridPast } from './gridPast';
import { gridCandidate, gridPlaces } from './gridScan';
import { inTurns } from './inTurns';
import { createRanking, type ReadRows, type ScanDeps } from './ranking';

type Query = QueryOf<typeof gridScan.list>;

/** Reads the rows of GET /api/market/grid. */
export function createGridRows(deps: ScanDeps): ReadRows<Query, GridCandidate> {
  const pastOf = createGridPast();
  return createRanking(deps, {
    row: GridCandidate,
    bestFirst: '-gridApr',
    planOf: ({ size, days, cells, range }) => ({ size, days, cells, range }),
    rowsOf: (seen, plan) =>
      inTurns(gridPlaces(seen), (place) => gridCandidate(place, pastOf(place.perpetual, plan, seen.at), plan, seen.at)),
    passes,
  });
}

function passes(query: Query): (row: GridCandidate) => boolean {
  const { source, minProfit, minPairs, minInRange, minTurnover = 0, minDepth = 0, actionable } = query;
  const wanted = query.search?.trim().toLowerCase() ?? '';
  const reaches = (figure: number | null, least: number | undefined) =>
    least === undefined || (figure !== null && figure >= least);
  return (row) =>
    (source === undefined || row.source === source) &&
    row.base.toLowerCase().includes(wanted) &&
    reaches(row.profit, minProfit) &&
    reaches(row.dailyPairs, minPairs) &&
    reaches(row.inRange, minInRange) &&
    (row.turnover24h ?? 0) >= minTurnover &&
    (row.depth ?? 0) >= minDepth &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}
