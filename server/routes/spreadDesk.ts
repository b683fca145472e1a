import type { FastifyInstance } from 'fastify';
import { spreadDesk as api } from '#contract/spreadDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { spreadFigures } from '../strategy/spreadDesk';

/** GET /api/strategy/spread. */
export function spreadDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.figures, ({ user, query }) => spreadFigures(deps, user.id, query.id, deps.clock()));
}
