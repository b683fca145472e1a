import type { FastifyInstance } from 'fastify';
import { password } from '#contract/password';
import { user as endpoints } from '#contract/user';
import { changePreference, preferenceOf } from '../../base/db/users/preference';
import { setBinanceId } from '../../base/db/users/user';
import { noteActor, noteChange } from '../../base/http/auditTrail';
import { route } from '../../base/http/route';
import { visitOf } from '../../people/auth/loginRecord';
import { changeOwnPassword, redeemCode } from '../../people/auth/ownPassword';
import type { Deps } from '../deps';

/** Who is signed in, and the profile that user keeps. */
export function userRoutes(app: FastifyInstance, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db } = deps;
  route(app, endpoints.current, async ({ user, request }) => ({
    ...user,
    preference: await preferenceOf(db, user.id),
    viewer: request.viewer?.name ?? null,
    factorNeeded: request.factorNeeded,
  }));
  route(app, endpoints.preference, ({ user }) => preferenceOf(db, user.id));
  route(app, endpoints.setPreference, async ({ user, body, request }) => {
    const before = await preferenceOf(db, user.id);
    const after = await changePreference(db, user.id, body);
    noteChange(request, before, after);
    return after;
  });

  route(app, endpoints.binanceId, async ({ user, body: { binanceId }, request }) => {
    await setBinanceId(db, user.id, binanceId);
    noteChange(request, { binanceId: user.binanceId }, { binanceId });
    return { binanceId };
  });

  route(app, password.change, async ({ user, body, request }) => ({
    revoked: await changeOwnPassword(deps, user, body, request.session?.tokenHash ?? ''),
  }));

  route(app, password.redeem, async ({ body, request }) => {
    noteActor(request, await redeemCode(deps, body, visitOf(request)));
    return null;
  });
}
