import type { QueryOf } from '#contract/endpoint';
import { ArbitrageCandidate, type arbitrageScan } from '#contract/kinds/okx/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { createRanking, type ReadRows, type ScanDeps } from '../../market/scan/ranking';
import { areAmong, atLeast } from '../../market/scan/rowFilters';
import { createHeld } from './held';
import { arbitrageCandidate, arbitragePairs } from './scan';

type Query = QueryOf<typeof arbitrageScan.list>;

/** Reads the rows of GET /api/market/arbitrage. */
export function createArbitrageRows(deps: ScanDeps): ReadRows<Query, ArbitrageCandidate> {
  const held = createHeld();
  const read = createRanking<Query, { size: number }, ArbitrageCandidate>(deps, {
    row: ArbitrageCandidate,
    bestFirst: '-netBps',
    planOf: ({ size }) => ({ size }),
    rowsOf: (seen, { size }) => {
      const plan = { size, at: seen.at, now: seen.at, held };
      return mapYielding(arbitragePairs(seen), (pair) => arbitrageCandidate(pair, plan));
    },
    passes,
  });
  return async (query) => {
    const { rows, at } = await read(query);
    // Quotes grow older while their rows are kept.
    const since = deps.clock() - at;
    return { rows: rows.map((row) => ({ ...row, ageMs: row.ageMs + since })), at };
  };
}

function passes(query: Query): (row: ArbitrageCandidate) => boolean {
  const { buy, sell, minNetBps, minProfit, minHeldSeconds, transferable } = query;
  const isWanted = areAmong(query.sources);
  return (row) =>
    isWanted(row.buy, row.sell) &&
    (buy === undefined || row.buy === buy) &&
    (sell === undefined || row.sell === sell) &&
    atLeast(row.netBps, minNetBps) &&
    atLeast(row.profit, minProfit) &&
    atLeast(row.heldSeconds, minHeldSeconds) &&
    (transferable !== true || isTransferable(row));
}

const isTransferable = ({ coinOut, coinIn, moneyOut, moneyIn }: ArbitrageCandidate): boolean =>
  [coinOut, coinIn, moneyOut, moneyIn].every((can) => can === true);
