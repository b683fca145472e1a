import { ArbitrageCandidate, type arbitrageScan } from '#contract/arbitrageScan';
import type { QueryOf } from '#contract/endpoint';
import type { Clock } from '../exchange/exchange';
import { rowOrder } from '../http/rowOrder';
import { createHeld } from './arbitrageHeld';
import { arbitrageCandidate, arbitragePairs } from './arbitrageScan';
import { inTurns } from './inTurns';
import type { MarketSight } from './sight';

type Query = QueryOf<typeof arbitrageScan.list>;

/** Without an order asked for: what makes most comes first. */
const BEST_FIRST = '-netBps';

/** Reads the rows of GET /api/market/arbitrage: all pages, as the filters leave them and in the order asked for. */
export function createArbitrageRows(
  sight: () => Promise<MarketSight>,
  clock: Clock,
): (query: Query) => Promise<{ rows: ArbitrageCandidate[]; at: number }> {
  const held = createHeld();
  return async (query) => {
    const seen = await sight();
    const plan = { size: query.size, at: seen.at, now: clock(), held };
    const wanted = query.search?.trim().toLowerCase() ?? '';
    const venues = query.sources?.split(',');
    const pairs = arbitragePairs(seen).filter(
      ([one, other]) =>
        one.spot.instrument.base.toLowerCase().includes(wanted) &&
        (venues === undefined || [one, other].every(({ venue }) => venues.includes(venue.market.source))),
    );
    const rows = await inTurns(pairs, (pair) => arbitrageCandidate(pair, plan));
    const left = rows.filter(passes(query));
    return { rows: left.sort(rowOrder(ArbitrageCandidate, query.sort ?? BEST_FIRST, ({ id }) => id)), at: seen.at };
  };
}

function passes(query: Query): (row: ArbitrageCandidate) => boolean {
  const { buy, sell, minNetBps, minProfit, minHeldSeconds, transferable, actionable } = query;
  return (row) =>
    (buy === undefined || row.buy === buy) &&
    (sell === undefined || row.sell === sell) &&
    atLeast(row.netBps, minNetBps) &&
    atLeast(row.profit, minProfit) &&
    atLeast(row.heldSeconds, minHeldSeconds) &&
    (transferable !== true || isTransferable(row)) &&
    (actionable === undefined || (row.obstacles.length === 0) === actionable);
}

/** What is missing reaches no bound. */
const atLeast = (figure: number | null, least: number | undefined): boolean =>
  least === undefined || (figure !== null && figure >= least);

const isTransferable = ({ coinOut, coinIn, moneyOut, moneyIn }: ArbitrageCandidate): boolean =>
  [coinOut, coinIn, moneyOut, moneyIn].every((can) => can === true);
