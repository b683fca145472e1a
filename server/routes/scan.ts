import type { FastifyInstance } from 'fastify';
import { arbitrageScan } from '#contract/arbitrageScan';
import { SIMULATED } from '#contract/candle';
import { cexRateScan } from '#contract/cexRateScan';
import { fundingRateDesk } from '#contract/fundingRateDesk';
import { fundingScan } from '#contract/fundingScan';
import { gridScan } from '#contract/gridScan';
import { spreadScan } from '#contract/spreadScan';
import { isStocked, stockOf } from '../account/stockOf';
import { fundedVenues } from '../db/venueAccount';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { createArbitrageRows } from '../scan/arbitrageRows';
import { createCexRateRows } from '../scan/cexRateRows';
import { createFundingHeat } from '../scan/fundingHeat';
import { createFundingRows, hiddenRows } from '../scan/fundingRows';
import { gridRangeOf } from '../scan/gridRange';
import { createGridRows } from '../scan/gridRows';
import { rateMatrix } from '../scan/rateMatrix';
import { createMarketSight } from '../scan/sight';
import { createSpreadRows } from '../scan/spreadRows';

/** GET /api/market/fundingRate, cexRate ...: what strategies could do now, for masters. */
export function scanRoutes(
  app: FastifyInstance,
  { db, markets, clock, venue }: Pick<Deps, 'db' | 'markets' | 'clock' | 'venue'>,
): void {
  const sight = createMarketSight(markets, clock);
  const deps = { sight, clock };
  const fundingRows = createFundingRows(deps);
  const cexRateRows = createCexRateRows(deps);
  const spreadRows = createSpreadRows(deps);
  const arbitrageRows = createArbitrageRows(deps);
  const gridRows = createGridRows(deps);
  const heatOf = createFundingHeat();

  route(app, fundingScan.list, async ({ query }) => {
    const { rows, all, at } = await fundingRows(query);
    return { ...pageOf(rows, query), all: all.length, hidden: rows.length > 0 ? [] : hiddenRows(query, all), at };
  });

  route(app, fundingRateDesk.heat, async ({ query }) => heatOf(await sight(), query.source ?? SIMULATED));

  route(app, cexRateScan.list, async ({ query, user }) => {
    const { rows, at } = await cexRateRows(query);
    const funded = query.funded ? await fundedVenues(db, user.id) : null;
    const left = funded ? rows.filter(({ long, short }) => funded.has(long) && funded.has(short)) : rows;
    return { ...pageOf(left, query), at };
  });

  route(app, cexRateScan.matrix, async ({ query }) => {
    const seen = await sight();
    return { ...pageOf(rateMatrix(seen, query), query), at: seen.at };
  });

  route(app, gridScan.list, async ({ query }) => {
    const { rows, at } = await gridRows(query);
    return { ...pageOf(rows, query), at };
  });

  route(app, gridScan.range, ({ query }) => gridRangeOf({ markets, clock }, query));

  route(app, spreadScan.list, async ({ query }) => {
    const { rows, at } = await spreadRows(query);
    return { ...pageOf(rows, query), at };
  });

  route(app, arbitrageScan.list, async ({ query, user }) => {
    const [{ rows, at }, stock] = await Promise.all([arbitrageRows(query), stockOf({ db, markets, venue }, user.id)]);
    if (query.stocked !== true) {
      const { list, total } = pageOf(rows, query);
      return { list: list.map((row) => ({ ...row, ...stock(row) })), total, at };
    }
    const stocked = rows.map((row) => ({ ...row, ...stock(row) })).filter((row) => isStocked(row, query.size));
    return { ...pageOf(stocked, query), at };
  });
}

function pageOf<R>(rows: readonly R[], { current, pageSize }: { current: number; pageSize: number }) {
  return { list: rows.slice((current - 1) * pageSize, current * pageSize), total: rows.length };
}
