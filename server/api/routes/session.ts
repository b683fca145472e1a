import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { security as api } from '#contract/security';
import { session } from '#contract/session';
import { bookOf } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { changeSecurity, mastersWithoutFactor, securityOf } from '../../base/db/users/security';
import { listSessions, revokeOtherSessions, revokeSession } from '../../base/db/users/session';
import { noteActor, noteChange } from '../../base/http/auditTrail';
import { notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { openAccount } from '../../desk/account/openAccount';
import { wake } from '../../desk/openingActs';
import { proveFresh } from '../../people/auth/fresh';
import { visitOf } from '../../people/auth/loginRecord';
import { hasSecondFactor } from '../../people/auth/secondFactor';
import { closeSession, horizonOf, openSession } from '../../people/auth/session';
import { signIn, signUp } from '../../people/auth/signIn';
import { sessionRow } from '../../people/user/sessionRow';
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

/** Signing in and out, and the sessions a user has. */
export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, preparing } = deps;

  /** Opens the paper account; the engine has booked its money when this is over, so that no screen shows an empty one. */
  async function openFor(userId: string, log: FastifyBaseLogger): Promise<void> {
    await openAccount(deps, userId);
    await wake(deps, userId, log);
  }

  route(app, session.login, async ({ body, request, reply }) => {
    await signIn(deps, body, visitOf(request), async (verified) => {
      const { id } = verified.user;
      // While the demo's past is made, accounts from before are a part of it: it opens them on their first day.
      if (preparing?.() !== true && (await bookOf(db, id)) === null) await openFor(id, request.log);
      return openSession(deps, verified, request, reply);
    });
    return null;
  });

  route(app, session.register, async ({ body, request, reply }) => {
    await signUp(deps, body, visitOf(request), async (verified) => {
      noteActor(request, verified.user);
      await openFor(verified.user.id, request.log);
      return openSession(deps, verified, request, reply);
    });
    return null;
  });

  route(app, session.logout, async ({ request, reply }) => {
    await closeSession(deps, request, reply);
    return null;
  });

  route(app, session.list, async ({ user, request }) => {
    const rows = await listSessions(db, user.id, horizonOf(clock()));
    const list = rows.map((row) => sessionRow(row, request.session?.id));
    return { list, total: list.length };
  });

  route(app, session.revoke, async ({ body, user, request }) => {
    if (body.id === undefined) {
      return { revoked: await revokeOtherSessions(db, user.id, request.session?.tokenHash ?? '') };
    }
    const revoked = await revokeSession(db, user.id, body.id);
    if (revoked === 0) throw notFound('没有找到该会话');
    return { revoked };
  });
}
