import type { FastifyInstance } from 'fastify';
import { cexRateDesk as api } from '#contract/cexRateDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { marginsOf } from '../strategy/cexRateDesk';

/** GET /api/strategy/cexRate. */
export function cexRateDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.margins, ({ user, query }) => marginsOf(deps, user.id, query.id));
}
