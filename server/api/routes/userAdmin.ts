import type { FastifyInstance } from 'fastify';
import { audit } from '#contract/audit';
import { endpoints } from '#contract/index';
import type { User } from '#contract/user';
import { userAdmin as api } from '#contract/userAdmin';
import type { Queries } from '../../base/db/client';
import {
  countSessions,
  findAllSessions,
  isSessionSort,
  revokeOtherSessions,
  revokeSession,
  sessionById,
  setViewed,
} from '../../base/db/users/session';
import { noteChange } from '../../base/http/auditTrail';
import { listPage } from '../../base/http/listPage';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { type OpeningActs, wake } from '../../desk/openingActs';
import { forgetFactor } from '../../people/auth/secondFactor';
import { horizonOf } from '../../people/auth/session';
import { auditListing } from '../../people/user/auditListing';
import { sessionRow } from '../../people/user/sessionRow';
import {
  changeBlock,
  changeRole,
  inviteUser,
  lockedUser,
  resetPassword,
  switchHedging,
} from '../../people/user/userIntents';
import { attemptListing, lockListing, unlock, userListing } from '../../people/user/userListing';
import type { Deps } from '../deps';

/** The audit log, for masters. */
export function auditRoutes(app: FastifyInstance, deps: Pick<Deps, 'db'>): void {
  route(app, audit.list, ({ query }) => auditListing(deps, query));
}

/** What a master does with the users, their sessions and their logins. */
export function userAdminRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock, vault } = deps;
  const letIn = async <T>(by: User, userId: string, write: (tx: Queries) => Promise<T>): Promise<T> => {
    const { id } = await db.transaction((tx) => lockedUser(tx, userId));
    return opens.letIn(by, id, write);
  };

  route(app, api.list, ({ query }) => userListing(deps, query));
  route(app, api.access, async () => ({
    endpoints: endpoints.map(({ method, path, tag, summary, right }) => ({ method, path, tag, summary, right })),
  }));

  // Not repeatable by a key: the answer, which has the code, would be kept.
  route(app, api.create, ({ body: { username, role } }) => inviteUser(db, username, role, clock()));
  route(app, api.resetPassword, ({ user, body }) => {
    const forget = async (tx: Queries, userId: string) => {
      if (body.removeSecondFactor) await forgetFactor(tx, vault, userId);
    };
    return db.transaction((tx) => resetPassword(tx, { user, now: clock() }, body.userId, forget));
  });

  route(app, api.role, async ({ body: { userId, role }, request }) => {
    const before = await db.transaction((tx) => changeRole(tx, userId, role));
    noteChange(request, { role: before }, { role });
    return { userId, role };
  });

  route(app, api.status, async ({ user, body: { userId, blocked }, request }) => {
    const change = (tx: Queries) => changeBlock(tx, { user, now: clock() }, userId, blocked);
    const before = await (blocked ? db.transaction(change) : letIn(user, userId, change));
    noteChange(request, { blocked: before }, { blocked });
    await wake(deps, userId, request.log);
    return { userId, blocked };
  });

  route(app, api.hedging, async ({ user, body: { userId, enabled }, request }) => {
    const change = (tx: Queries) => switchHedging(tx, { user, now: clock() }, userId, enabled);
    const { before, running } = await (enabled ? letIn(user, userId, change) : db.transaction(change));
    noteChange(request, { enabled: before }, { enabled });
    await wake(deps, userId, request.log);
    return { userId, enabled, running };
  });

  route(app, api.view, async ({ user, body, request }) => {
    const { id: userId, name } = await db.transaction((tx) => lockedUser(tx, body.userId));
    if (userId === user.id) throw refused('notYourself');
    await setViewed(db, request.session?.tokenHash ?? '', userId);
    noteChange(request, { viewing: null }, { viewing: name });
    return { userId, name };
  });

  route(app, api.leaveView, async ({ user, request }) => {
    await setViewed(db, request.session?.tokenHash ?? '', null);
    noteChange(request, { viewing: request.viewer && user.name }, { viewing: null });
    return null;
  });

  route(app, api.sessions, async ({ query, request }) => {
    const horizon = horizonOf(clock());
    const [rows, total] = await Promise.all([
      findAllSessions(db, query.userId, horizon, listPage(query, '-seenAt', isSessionSort)),
      countSessions(db, query.userId, horizon),
    ]);
    const list = rows.map(({ session, user, role }) => ({
      ...sessionRow(session, request.session?.id),
      userId: session.userId,
      user,
      role,
    }));
    return { list, total };
  });

  route(app, api.revoke, async ({ body: { id, userId }, request }) => {
    if ((id === undefined) === (userId === undefined)) throw invalid('id', '请给出会话或用户，二者之一');
    const current = request.session;
    if (userId !== undefined) {
      const { id: ofUser } = await db.transaction((tx) => lockedUser(tx, userId));
      return { revoked: await revokeOtherSessions(db, ofUser, current?.tokenHash ?? '') };
    }
    const found = await sessionById(db, id!);
    if (found === null) throw notFound('没有找到该会话');
    if (found.id === current?.id) throw refused('notYourself');
    return { revoked: await revokeSession(db, found.userId, found.id) };
  });

  route(app, api.attempts, ({ query }) => attemptListing(deps, query));
  route(app, api.locks, () => lockListing(deps));
  route(app, api.unlock, async ({ body: { id } }) => {
    await unlock(deps, id);
    return { id };
  });
}
