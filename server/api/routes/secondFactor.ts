import type { FastifyInstance, FastifyRequest } from 'fastify';
import { secondFactor as api } from '#contract/secondFactor';
import { route } from '../../base/http/route';
import {
  beginFactor,
  confirmFactor,
  type FactorDeps,
  factorState,
  removeFactor,
  renewRecovery,
} from '../../people/auth/secondFactor';

/** The second step of one's own login. No answer here is kept to be repeated: secrets are shown once. */
export function secondFactorRoutes(app: FastifyInstance, deps: FactorDeps): void {
  route(app, api.state, ({ user }) => factorState(deps, user.id));
  route(app, api.begin, ({ user, body, request }) => beginFactor(deps, user, body.password, tokenHashOf(request)));
  route(app, api.confirm, ({ user, body, request }) => confirmFactor(deps, user, body.code, tokenHashOf(request)));
  route(app, api.renew, ({ user, body, request }) => renewRecovery(deps, user, body, tokenHashOf(request)));
  route(app, api.remove, async ({ user, body, request }) => {
    await removeFactor(deps, user, body, tokenHashOf(request));
    return null;
  });
}

const tokenHashOf = ({ session }: FastifyRequest): string => session?.tokenHash ?? '';
