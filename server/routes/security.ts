import type { FastifyInstance } from 'fastify';
import { security as api } from '#contract/security';
import { proveFresh } from '../auth/fresh';
import { hasSecondFactor } from '../auth/secondFactor';
import type { Queries } from '../db/client';
import { changeSecurity, mastersWithoutFactor, securityOf } from '../db/users/security';
import type { Deps } from '../deps';
import { noteChange } from '../http/auditTrail';
import { refused } from '../http/refusal';
import { route } from '../http/route';

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
