import type { FastifyInstance } from 'fastify';
import { session } from '#contract/session';
import { closeSession, expiryOf, horizonOf, openSession } from '../auth/session';
import { signIn, signUp } from '../auth/signIn';
import { listSessions, revokeOtherSessions, revokeSession } from '../db/session';
import type { Deps } from '../deps';
import { notFound } from '../http/refusal';
import { route } from '../http/route';

/** Signing in and out, and the sessions a user has. */
export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;

  route(app, session.login, async ({ body, request, reply }) => {
    const user = await signIn(deps, body, request.ip);
    await openSession(deps, user.id, request, reply);
    return null;
  });

  route(app, session.register, async ({ body, request, reply }) => {
    const user = await signUp(deps, body, request.ip);
    await openSession(deps, user.id, request, reply);
    return null;
  });

  route(app, session.logout, async ({ request, reply }) => {
    await closeSession(deps, request, reply);
    return null;
  });

  route(app, session.list, async ({ user, request }) => {
    const rows = await listSessions(db, user.id, horizonOf(clock()));
    const list = rows.map((row) => ({
      id: row.id,
      current: row.id === request.session?.id,
      address: row.address,
      userAgent: row.userAgent,
      createdAt: row.createdAt,
      seenAt: row.seenAt,
      expiresAt: expiryOf(row),
    }));
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
