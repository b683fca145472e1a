import { createHash, randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { Endpoint } from '#contract/endpoint';
import { FRESH_MS } from '#contract/security';
import { service } from '#contract/service';
import type { User } from '#contract/user';
import { type LoginReason, userAdmin } from '#contract/userAdmin';
import {
  deleteSession,
  findSession,
  markSeen,
  replaceSession,
  type SessionHorizon,
  type StoredSession,
} from '../../base/db/users/session';
import type { UserRow } from '../../base/db/users/user';
import { isApiCall } from '../../base/http/apiCall';
import { forbidden } from '../../base/http/refusal';
import type { PeopleConfig, PeopleDeps } from '../deps';
import { visitOf } from './loginRecord';
import { changedSince, type Verified } from './verified';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the cookie; null for a visitor. Set together with `user`. */
    session: StoredSession | null;
    /** The master who looks on as `user`; null where `user` is who signed in. */
    viewer: User | null;
    /** Whether who signed in must set up a second factor before anything else. */
    factorNeeded: boolean;
    /** Whether who signed in has proved it a moment ago. */
    isFresh: boolean;
  }
}

const IDLE_MS = 12 * HOUR_MS;
const ABSOLUTE_MS = 7 * DAY_MS;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Sessions opened or last seen by these instants are over. */
export const horizonOf = (now: number): SessionHorizon => ({ openedBy: now - ABSOLUTE_MS, seenBy: now - IDLE_MS });
/** When a session ends if its owner does nothing more, UTC ms. */
export const expiryOf = (session: StoredSession) => Math.min(session.createdAt + ABSOLUTE_MS, session.seenAt + IDLE_MS);

const behindTls = (request: FastifyRequest) => request.protocol === 'https';
/** Behind TLS the prefix makes the browser refuse a cookie that another host or a plain page planted. */
const cookieName = (request: FastifyRequest) => (behindTls(request) ? '__Host-session' : 'session');
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

const cookieOptions = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: behindTls(request) }) as const;

function tokenHashOf(request: FastifyRequest): string | null {
  const token = request.cookies[cookieName(request)];
  return token !== undefined && TOKEN.test(token) ? hashOf(token) : null;
}

/** Whether that is one of the demo's accounts, and there is a demo. */
export const isDemoUser = ({ environment }: PeopleConfig, name: string): boolean =>
  environment.demo && environment.accounts.some((user) => user.name === name);

/** What the API shows of a user. */
function presentUser(row: UserRow, demo: boolean): User {
  const { id, name, role, createdAt, binanceId } = row;
  return { id, name, role, createdAt, demo, binanceId };
}

/** What is told also while nobody's session can be read. */
const TOLD_WITHOUT_SESSION = new Set<Endpoint | undefined>([service.health, service.ready]);

/**
 * Reads the session cookie of every API request. The user is loaded each time, so that a block or
 * another role is felt at the next request.
 */
export async function sessions(app: FastifyInstance, deps: PeopleDeps): Promise<void> {
  await app.register(cookie);
  app.decorateRequest('session', null);
  app.decorateRequest('viewer', null);
  app.decorateRequest('factorNeeded', false);
  app.decorateRequest('isFresh', false);
  app.addHook('onRequest', async (request) => {
    if (!isApiCall(request) || TOLD_WITHOUT_SESSION.has(request.routeOptions.config.endpoint)) return;
    await readSession(deps, request);
  });
}

/** Finds out who calls, by the session cookie. */
export async function readSession({ db, clock, config }: PeopleDeps, request: FastifyRequest): Promise<void> {
  const tokenHash = tokenHashOf(request);
  if (tokenHash === null) return;
  const now = clock();
  const found = await findSession(db, tokenHash, horizonOf(now));
  if (found === null || found.user.blocked) return;
  request.session = found.session;
  request.factorNeeded = found.factorNeeded;
  request.isFresh = now - found.session.provenAt < FRESH_MS;
  // Who has to set something up for himself does not look on as another meanwhile.
  const viewed = found.factorNeeded ? null : found.viewed;
  const present = (row: UserRow) => presentUser(row, isDemoUser(config, row.name));
  request.user = present(viewed ?? found.user);
  request.viewer = viewed && present(found.user);
  // A write a minute is fine enough for twelve hours.
  if (now - found.session.seenAt >= MINUTE_MS) {
    // Whoever only reads goes on without it.
    await markSeen(db, tokenHash, now).catch((error) => {
      if (!request.server.disk.note(error)) throw error;
    });
    request.session = { ...found.session, seenAt: now };
  }
}

/**
 * Opens a session under a new token and sets its cookie; the session the browser had before is gone. Where the user is
 * not any more as the login found it, nothing is opened. @returns why not; null when it was opened
 */
export async function openSession(
  { db, clock }: PeopleDeps,
  verified: Verified,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<LoginReason | null> {
  const token = randomBytes(32).toString('base64url');
  const now = clock();
  const row = {
    tokenHash: hashOf(token),
    userId: verified.user.id,
    createdAt: now,
    seenAt: now,
    provenAt: now,
    ...visitOf(request),
  };
  const changed = await db.transaction(async (tx) => {
    const reason = await changedSince(tx, verified);
    if (reason === null) await replaceSession(tx, row, tokenHashOf(request), horizonOf(now));
    return reason;
  });
  if (changed !== null) return changed;
  reply.setCookie(cookieName(request), token, { ...cookieOptions(request), maxAge: ABSOLUTE_MS / 1000 });
  return null;
}

/** Ends the session of the cookie, if any, and takes the cookie and what the browser cached away. */
export async function closeSession({ db }: PeopleDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const tokenHash = tokenHashOf(request);
  if (tokenHash !== null) await deleteSession(db, tokenHash);
  reply.clearCookie(cookieName(request), cookieOptions(request));
  reply.header('Clear-Site-Data', '"cache"');
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every write of a master who looks on as somebody else: what is seen is another's, and nothing may be done in
 * that user's name. What asks for no account (signing in and out) acts for nobody and stays possible.
 */
export function refuseWhileViewing(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ viewer, user, routeOptions }) => {
    const { endpoint } = routeOptions.config;
    if (viewer === null || endpoint === undefined || READING.has(endpoint.method)) return;
    if (endpoint.right === 'open' || endpoint === userAdmin.leaveView) return;
    throw forbidden(`正在以 ${user?.name} 的身份只读查看，不能操作；请先退出查看`);
  });
}
