import type { FastifyInstance } from 'fastify';
import { gridDeal as api } from '#contract/gridDeal';
import type { Deps } from '../deps';
import { intentRoute } from '../http/intentRoute';
import { route } from '../http/route';
import { gridLadder } from '../strategy/gridLadder';
import { gridRows } from '../strategy/gridRows';
import { repairDeal } from '../strategy/strategyIntents';

/** GET /api/strategy/grid, its ladder and its repair. */
export function gridDealRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock } = deps;
  route(app, api.list, async ({ user }) => ({ list: await gridRows(deps, user.id, clock()) }));
  route(app, api.ladder, ({ user, query }) => gridLadder(deps, user.id, query.id, clock()));
  intentRoute(app, deps, api.repair, {
    write: (tx, { user, body }) => repairDeal(tx, { user, now: clock() }, body.id),
  });
}
