import type { FastifyInstance } from 'fastify';
import { fundingRateDesk as api } from '#contract/fundingRateDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { fundingDesk } from '../strategy/fundingRateDesk';

/** GET /api/strategy/fundingRate. */
export function fundingRateDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.figures, ({ user }) => fundingDesk(deps, user.id, deps.clock()));
}
