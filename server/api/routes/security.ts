import type { FastifyInstance } from 'fastify';
import { security as api } from '#contract/security';
import type { Queries } from '../../base/db/client';
import { changeSecurity, mastersWithoutFactor, securityOf } from '../../base/db/users/security';
import { noteChange } from '../../base/http/auditTrail';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { proveFresh } from '../../people/auth/fresh';
import { hasSecondFactor } from '../../people/auth/secondFactor';
import type { Deps } from '../deps';

/** What masters settle for the safety of all accounts, and the proof that a session asks of its own user. */
export function securityRoutes(app: FastifyInstance, deps: Pick<Deps, 'db' | 'clock' | 'vault'>): void {
  const { db } = deps;
  const settings = async (now: Queries) => ({
    ...(await securityOf(now)),
    mastersWithout: await mastersWithoutFactor(now),
  });

  route(app, api.prove, ({ user, body, request }) => proveFresh(deps, user, body, request.session?.tokenHash ?? ''));

  route(app, api.settings, () => settings(db));

  route(app, api.setSettings, async ({ user, body, request }) => {
    // Who demands what he has not would lock himself out first.
    if (body.masterFactor === true && !(await hasSecondFactor(db, user.id)))
      throw refused('ownFactorFirst', '', 'masterFactor');
    const before = await securityOf(db);
    await db.transaction((tx) => changeSecurity(tx, body));
    noteChange(request, before, await securityOf(db));
    return settings(db);
  });
}
