import type { FastifyInstance } from 'fastify';
import { cexRateDesk } from '#contract/kinds/cexRate/desk';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { openedVenues } from '../../base/db/accounts/venueAccount';
import { route } from '../../base/http/route';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { rateDeals, rateMatrix } from './deals';
import { marginsOf } from './desk';
import { createCexRateRows } from './scan';

/** GET /api/market/cexRate; /api/strategy/cexRate: both venues of a strategy, its running deals. */
export function cexRateRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { db, sight, clock } = deps;
  const rowsOf = createCexRateRows(deps);

  route(app, cexRateScan.list, async ({ query, user }) => {
    const { rows, ...told } = await rowsOf(query, await openedVenues(db, user.id));
    return { ...scanPage(rows, query), ...told };
  });
  route(app, cexRateScan.matrix, async ({ query }) => {
    const seen = await sight();
    return { ...scanPage(rateMatrix(seen, query), query), at: seen.at };
  });
  route(app, cexRateDesk.margins, ({ user, query }) => marginsOf(deps, user.id, query.id));
  route(app, cexRateDesk.deals, async ({ user, query }) => ({
    list: await rateDeals(deps, user.id, query.id, clock()),
  }));
}
