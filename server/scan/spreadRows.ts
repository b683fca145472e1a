import type { QueryOf } from '#contract/endpoint';
import { SpreadCandidate, type spreadScan } from '#contract/spreadScan';
import { rowOrder } from '../http/rowOrder';
import { createBasisPast } from './basisPast';
import { inTurns } from './inTurns';
import type { MarketSight } from './sight';
import { spreadCandidate, spreadPairs } from './spreadScan';

type Query = QueryOf<typeof spreadScan.list>;

/** Without an order asked for: what makes most comes first. */
const BEST_FIRST = '-netApr';

/** Reads the rows of GET /api/market/spread: all pages, as the filters leave them and in the order asked for. */
export function createSpreadRows(
  sight: () => Promise<MarketSight>,
): (query: Query) => Promise<{ rows: SpreadCandidate[]; at: number }> {
  const pastOf = createBasisPast();
  return async (query) => {
    const seen = await sight();
    const pairs = spreadPairs(seen).filter(isAsked(query));
    const rows = await inTurns(pairs, (pair) =>
      spreadCandidate(pair, pastOf(pair.near, pair.far, seen.at), query, seen.at),
    );
    const left = rows.filter(passes(query));
    return { rows: left.sort(rowOrder(SpreadCandidate, query.sort ?? BEST_FIRST, ({ id }) => id)), at: seen.at };
  };
}

/** What a pair says before anything is worked out for it. */
function isAsked({ source, type, search }: Query) {
  const wanted = search?.trim().toLowerCase() ?? '';
  return (pair: ReturnType<typeof spreadPairs>[number]) =>
    (source === undefined || pair.source === source) &&
    (type === undefined || pair.type === type) &&
    pair.near.instrument.base.toLowerCase().includes(wanted);
}

function passes({ minNetApr, minDepth = 0, maxDays, actionable }: Query): (row: SpreadCandidate) => boolean {
  return (row) =>
    (minNetApr === undefined || (row.netApr !== null && row.netApr >= minNetApr)) &&
    (row.depth ?? 0) >= minDepth &&
    (maxDays === undefined || (row.days !== null && row.days <= maxDays)) &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}
