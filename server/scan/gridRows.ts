import type { QueryOf } from '#contract/endpoint';
import { GridCandidate, type gridScan } from '#contract/gridScan';
import { rowOrder } from '../http/rowOrder';
import { createGridPast } from './gridPast';
import { gridCandidate, gridPlaces } from './gridScan';
import { inTurns } from './inTurns';
import type { MarketSight } from './sight';

type Query = QueryOf<typeof gridScan.list>;

/** Without an order asked for: what makes most comes first. */
const BEST_FIRST = '-gridApr';

/** Reads the rows of GET /api/market/grid: all pages, as the filters leave them and in the order asked for. */
export function createGridRows(
  sight: () => Promise<MarketSight>,
): (query: Query) => Promise<{ rows: GridCandidate[]; at: number }> {
  const pastOf = createGridPast();
  return async (query) => {
    const seen = await sight();
    const { size, days, cells, range } = query;
    const wanted = query.search?.trim().toLowerCase() ?? '';
    const places = gridPlaces(seen).filter(
      ({ source, perpetual }) =>
        (query.source === undefined || source === query.source) &&
        perpetual.instrument.base.toLowerCase().includes(wanted),
    );
    const rows = await inTurns(places, (place) => {
      const past = pastOf(place.perpetual, { days, cells, range }, seen.at);
      return gridCandidate(place, past, { size, days, cells, range }, seen.at);
    });
    const left = rows.filter(passes(query));
    return { rows: left.sort(rowOrder(GridCandidate, query.sort ?? BEST_FIRST, ({ id }) => id)), at: seen.at };
  };
}

function passes(query: Query): (row: GridCandidate) => boolean {
  const { minProfit, minPairs, minInRange, minTurnover = 0, minDepth = 0, actionable } = query;
  const reaches = (figure: number | null, least: number | undefined) =>
    least === undefined || (figure !== null && figure >= least);
  return (row) =>
    reaches(row.profit, minProfit) &&
    reaches(row.dailyPairs, minPairs) &&
    reaches(row.inRange, minInRange) &&
    (row.turnover24h ?? 0) >= minTurnover &&
    (row.depth ?? 0) >= minDepth &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}
