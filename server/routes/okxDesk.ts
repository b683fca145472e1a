import type { FastifyInstance } from 'fastify';
import { okxDesk as api } from '#contract/okxDesk';
import type { Deps } from '../deps';
import { intentRoute } from '../http/intentRoute';
import { route } from '../http/route';
import { okxDeskOf } from '../strategy/okxDesk';
import { banWord, tradeOnce } from '../strategy/okxIntents';

/** /api/strategy/okx: what an arbitrage strategy holds and did, and what a person does to it. */
export function okxDeskRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, api.read, ({ user, query }) => okxDeskOf(deps, user.id, query.id));
  intentRoute(app, deps, api.once, {
    keyRequired: true,
    write: (tx, { user, body }) => tradeOnce(tx, { user, now: deps.clock() }, body.id),
  });
  intentRoute(app, deps, api.ban, {
    write: (tx, { user, body }) => banWord(tx, { user, now: deps.clock() }, body),
  });
}
