import { COMPARED_HEDGES, type ComparedHedge, type Comparison, type StatisticQuery } from '#contract/statistic';
import type { Queries } from '../../base/db/client';
import { type ComparableHedge, comparableHedges } from '../../base/db/strategies/statistic';
import { type LegScale, liveGap, totalGap } from '../../base/maths/liveGap';
import type { Markets } from '../../market/exchange';
import { type Compute, type CoveredRun, coveredRuns } from './coveredRuns';
import type { RunSize } from './pairRuns';
import { filterOf } from './period';

/** Notional of each leg of a run, USDT. */
const RUN_NOTIONAL = 1_000;
/** Without costs, and with far more margin than it can lose: a leg's result stays proportional to its notional. */
const SIZE: RunSize = {
  ...{ longNotional: RUN_NOTIONAL, shortNotional: RUN_NOTIONAL, leverage: 2e-6 },
  ...{ fee: 0, slippage: 0 },
};

interface ComparisonDeps {
  db: Queries;
  markets: Markets;
  compute: Compute;
}

/** Everything of GET /api/hedge/statistic/compare. @throws refusals that name the field at fault. */
export async function comparisonOf(
  { db, markets, compute }: ComparisonDeps,
  query: StatisticQuery,
  now: number,
): Promise<Comparison> {
  const { list: hedges, total } = await comparableHedges(db, filterOf(query), COMPARED_HEDGES);
  const runs = await coveredRuns(
    markets,
    compute,
    hedges.map(({ openedAt, ...hedge }) => ({ ...hedge, openedAt: openedAt!, size: SIZE })),
  );
  const list: ComparedHedge[] = [];
  const left: Comparison['left'] = [];
  for (const [i, hedge] of hedges.entries()) {
    const run = runs[i]!;
    if (typeof run === 'string') left.push({ ...nameOf(hedge), closedAt: hedge.endedAt, why: run });
    else list.push(comparedOf(hedge, run));
  }
  return { at: now, list, totals: totalGap(list), left, older: Math.max(0, total - hedges.length) };
}

const nameOf = ({ id, user, long, short }: ComparableHedge) => ({ id, user, long, short });

function comparedOf(hedge: ComparableHedge, { bar, result }: CoveredRun): ComparedHedge {
  const { settings, ratio, longNotional, shortNotional } = hedge;
  const leg = (run: LegScale['run'], filled: number, aimed: number): LegScale => ({
    ...{ run, runNotional: RUN_NOTIONAL, filled, aimed },
  });
  const live = {
    price: hedge.longPrice + hedge.shortPrice,
    funding: hedge.funding,
    fees: hedge.fees,
    slippage: hedge.slippage,
    traded: hedge.traded,
  };
  const gap = liveGap(live, [
    leg(result.long, longNotional, settings.legNotional),
    leg(result.short, shortNotional, settings.legNotional * ratio),
  ]);
  return {
    ...nameOf(hedge),
    openedAt: hedge.openedAt!,
    closedAt: hedge.endedAt,
    closeReason: hedge.reason,
    bar,
    fundingMissing: result.fundingMissing,
    ...gap,
  };
}
