import type { FastifyInstance } from 'fastify';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { openedVenues } from '../../base/db/accounts/venueAccount';
import { route } from '../../base/http/route';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { fundingDesk } from './desk';
import { createFundingHeat, createFundingRows } from './scan';

/** GET /api/market/fundingRate, /api/strategy/fundingRate and below. */
export function fundingRateRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { sight, clock, db } = deps;
  const rowsOf = createFundingRows(deps);
  const heatOf = createFundingHeat();

  route(app, fundingScan.list, async ({ query, user }) => {
    const { rows, ...told } = await rowsOf(query, await openedVenues(db, user.id));
    return { ...scanPage(rows, query), ...told };
  });
  route(app, fundingRateDesk.heat, async ({ query }) => heatOf(await sight(), query.source ?? deps.markets.home));
  route(app, fundingRateDesk.figures, ({ user, query }) =>
    fundingDesk(deps, { userId: user.id, real: query.real }, clock()),
  );
}
