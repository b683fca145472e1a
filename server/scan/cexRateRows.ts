import { CexRateCandidate, type cexRateScan, type RateSign } from '#contract/cexRateScan';
import type { QueryOf } from '#contract/endpoint';
import { rowOrder } from '../http/rowOrder';
import { cexRateCandidate } from './cexRateScan';
import { namedCoins, ratePairs } from './coinLegs';
import { inTurns } from './inTurns';
import { createSettledWeek } from './settledWeek';
import type { MarketSight } from './sight';

type Query = QueryOf<typeof cexRateScan.list>;

/** Without an order asked for: what makes most comes first. */
const BEST_FIRST = '-netApr';

/** Reads the rows of GET /api/market/cexRate: all pages, as the filters leave them and in the order asked for. */
export function createCexRateRows(
  sight: () => Promise<MarketSight>,
): (query: Query) => Promise<{ rows: CexRateCandidate[]; at: number }> {
  const weekOf = createSettledWeek();
  return async (query) => {
    const seen = await sight();
    const plan = { size: query.size, hours: query.hours, leastApr: query.minNetApr ?? 0 };
    const venues = query.sources?.split(',');
    const pairs = ratePairs(namedCoins(seen, query.search)).filter(
      ({ legs }) => venues === undefined || legs.every(({ source }) => venues.includes(source)),
    );
    const rows = await inTurns(pairs, async (pair) => {
      const weeks = await Promise.all(pair.legs.map(({ quoted }) => weekOf(quoted, seen.at)));
      return cexRateCandidate(pair, weeks, plan, seen.at);
    });
    const order = rowOrder<CexRateCandidate>(CexRateCandidate, query.sort ?? BEST_FIRST, ({ id }) => id);
    return { rows: rows.filter(passes(query)).sort(order), at: seen.at };
  };
}

const HAS_SIGN: Record<RateSign, (long: number, short: number) => boolean> = {
  positive: (long, short) => long > 0 && short > 0,
  negative: (long, short) => long < 0 && short < 0,
  opposite: (long, short) => long < 0 && short > 0,
};

function passes({ sign, minNetApr, minOpenInterest = 0, actionable }: Query): (row: CexRateCandidate) => boolean {
  return ({ longRate, shortRate, netApr, openInterest, obstacles }) =>
    (sign === undefined || HAS_SIGN[sign](longRate ?? 0, shortRate ?? 0)) &&
    (minNetApr === undefined || (netApr !== null && netApr >= minNetApr)) &&
    (openInterest ?? 0) >= minOpenInterest &&
    (actionable === undefined || (obstacles.length === 0) === actionable);
}
