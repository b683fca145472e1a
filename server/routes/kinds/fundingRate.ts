import type { FastifyInstance } from 'fastify';
import { SIMULATED } from '#contract/candle';
import { fundingRateDesk } from '#contract/fundingRateDesk';
import { fundingScan } from '#contract/fundingScan';
import { route } from '../../http/route';
import { createFundingHeat } from '../../scan/fundingRateHeat';
import { createFundingRows, hiddenRows } from '../../scan/fundingRows';
import { scanPage } from '../../scan/scanPage';
import { fundingDesk } from '../../strategy/fundingRateDesk';
import type { KindDeps } from './kindDeps';

/** GET /api/market/fundingRate, /api/strategy/fundingRate and below. */
export function fundingRateRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { sight, clock } = deps;
  const rowsOf = createFundingRows(deps);
  const heatOf = createFundingHeat();

  route(app, fundingScan.list, async ({ query }) => {
    const { rows, all, at } = await rowsOf(query);
    return { ...scanPage(rows, query), all: all.length, hidden: rows.length > 0 ? [] : hiddenRows(query, all), at };
  });
  route(app, fundingRateDesk.heat, async ({ query }) => heatOf(await sight(), query.source ?? SIMULATED));
  route(app, fundingRateDesk.figures, ({ user }) => fundingDesk(deps, user.id, clock()));
}
