import type { FastifyInstance } from 'fastify';
import { cexRateDesk as api } from '#contract/cexRateDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { rateDeals } from '../strategy/cexRateDeals';
import { marginsOf } from '../strategy/cexRateDesk';

/** /api/strategy/cexRate: both venues of a strategy, its running deals. */
export function cexRateDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.margins, ({ user, query }) => marginsOf(deps, user.id, query.id));
  route(app, api.deals, async ({ user, query }) => ({ list: await rateDeals(deps, user.id, query.id, deps.clock()) }));
}
