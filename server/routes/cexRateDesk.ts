import type { FastifyInstance } from 'fastify';
import { cexRateDesk as api } from '#contract/cexRateDesk';
import type { Deps } from '../deps';
import { intentRoute } from '../http/intentRoute';
import { route } from '../http/route';
import { rateDeals } from '../strategy/cexRateDeals';
import { marginsOf } from '../strategy/cexRateDesk';
import { mendDeal } from '../strategy/cexRateIntents';

/** /api/strategy/cexRate: both venues of a strategy, its running deals, and what a person does to them. */
export function cexRateDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.margins, ({ user, query }) => marginsOf(deps, user.id, query.id));
  route(app, api.deals, async ({ user, query }) => ({ list: await rateDeals(deps, user.id, query.id, deps.clock()) }));
  intentRoute(app, deps, api.mend, {
    keyRequired: true,
    write: (tx, { user, body }) => mendDeal(tx, { user, now: deps.clock() }, body),
  });
}
