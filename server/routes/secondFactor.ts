import type { FastifyInstance } from 'fastify';
import { secondFactor as api } from '#contract/secondFactor';
import {
  beginFactor,
  confirmFactor,
  type FactorDeps,
  factorState,
  removeFactor,
  renewRecovery,
} from '../auth/secondFactor';
import { route } from '../http/route';

/** The second step of one's own login. No answer here is kept to be repeated: secrets are shown once. */
export function secondFactorRoutes(app: FastifyInstance, deps: FactorDeps): void {
  route(app, api.state, ({ user }) => factorState(deps, user.id));
  route(app, api.begin, ({ user, body }) => beginFactor(deps, user, body.password));
  route(app, api.confirm, ({ user, body, request }) =>
    confirmFactor(deps, user, body.code, request.session?.tokenHash ?? ''),
  );
  route(app, api.renew, ({ user, body }) => renewRecovery(deps, user, body));
  route(app, api.remove, async ({ user, body }) => {
    await removeFactor(deps, user, body);
    return null;
  });
}
