import type { QueryOf } from '#contract/endpoint';
import { GridCandidate, type gridScan } from '#contract/kinds/grid/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { createRanking, type ReadRows, type ScanDeps } from '../../market/scan/ranking';
import { atLeast } from '../../market/scan/rowFilters';
import { createGridPast } from './past';
import { gridCandidate, gridPlaces } from './scan';

type Query = QueryOf<typeof gridScan.list>;

/** Reads the rows of GET /api/market/grid. */
export function createGridRows(deps: ScanDeps): ReadRows<Query, GridCandidate> {
  const pastOf = createGridPast();
  return createRanking(deps, {
    row: GridCandidate,
    bestFirst: '-gridApr',
    planOf: ({ size, days, cells, range }) => ({ size, days, cells, range }),
    rowsOf: (seen, plan) =>
      mapYielding(gridPlaces(seen), (place) =>
        gridCandidate(place, pastOf(place.quoted, plan, seen.at), plan, seen.at),
      ),
    passes,
  });
}

function passes(query: Query): (row: GridCandidate) => boolean {
  const { source, market, minProfit, minPairs, minInRange, minTurnover, minDepth } = query;
  return (row) =>
    (source === undefined || row.source === source) &&
    (market === undefined || row.market === market) &&
    atLeast(row.profit, minProfit) &&
    atLeast(row.dailyPairs, minPairs) &&
    atLeast(row.inRange, minInRange) &&
    atLeast(row.turnover24h, minTurnover) &&
    atLeast(row.depth, minDepth);
}
