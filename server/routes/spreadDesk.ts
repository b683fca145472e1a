import type { FastifyInstance } from 'fastify';
import { spreadDesk as api } from '#contract/spreadDesk';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { spreadDates } from '../strategy/spreadDates';
import { spreadFigures } from '../strategy/spreadDesk';

/** GET /api/strategy/spread and below. */
export function spreadDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.figures, ({ user, query }) => spreadFigures(deps, user.id, query.id, deps.clock()));
  route(app, api.dates, ({ user, query }) => spreadDates(deps, user.id, query, deps.clock()));
}
