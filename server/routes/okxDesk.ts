import type { FastifyInstance } from 'fastify';
import { okxDesk as api } from '#contract/okxDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { okxDeskOf } from '../strategy/okxDesk';

/** GET /api/strategy/okx. */
export function okxDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.read, ({ user, query }) => okxDeskOf(deps, user.id, query.id));
}
