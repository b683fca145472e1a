import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { session } from '#contract/session';
import { openAccount } from '../account/openAccount';
import { visitOf } from '../auth/loginRecord';
import { closeSession, horizonOf, openSession } from '../auth/session';
import { signIn, signUp } from '../auth/signIn';
import { bookOf } from '../db/books/book';
import { listSessions, revokeOtherSessions, revokeSession } from '../db/users/session';
import type { Deps } from '../deps';
import { noteActor } from '../http/auditTrail';
import { wake } from '../http/intentRoute';
import { notFound } from '../http/refusal';
import { route } from '../http/route';
import { sessionRow } from '../user/sessionRow';

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
