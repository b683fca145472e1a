import { EXPIRY_WARNING_DAYS } from '#contract/apiKey';
import { DAY_MS } from '#contract/duration';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { LoginLock, LoginReason, LoginResult, UserRow, userAdmin } from '#contract/userAdmin';
import { isSwitchedOn } from '../../base/db/hedges/hedgeConfig';
import { countAttempts, failedSince, findAttempts } from '../../base/db/users/loginAttempt';
import { type CountedKey, countedKeys, forgetKeyOf } from '../../base/db/users/loginFailure';
import { findUser, findUserById } from '../../base/db/users/user';
import {
  activeSince,
  countUsers,
  findUsers,
  isUserSort,
  keysExpiringBy,
  type ListedUser,
  ownerlessHedges,
  type UserFilter,
} from '../../base/db/users/userListing';
import { byTime, listPage } from '../../base/http/listPage';
import { notFound } from '../../base/http/refusal';
import { readKey, SLOW, TRIAL_KEYS } from '../auth/attempts';
import { maskedName } from '../auth/loginRecord';
import { horizonOf, isDemoUser } from '../auth/session';
import type { PeopleDeps } from '../deps';
import { deviceOf, originOf } from './sessionRow';

type Needs = Pick<PeopleDeps, 'db' | 'clock'>;

/** Attempts to sign in, a page of the filter. @throws 400 at `sort`. */
export async function attemptListing(
  { db }: Needs,
  query: QueryOf<typeof userAdmin.attempts>,
): Promise<DataOf<typeof userAdmin.attempts>> {
  const { userId, address, result, start, end } = query;
  const filter = { userId, address: address?.trim(), result, start, end };
  const [rows, total] = await Promise.all([
    findAttempts(db, filter, listPage(query, '-at', byTime)),
    countAttempts(db, filter),
  ]);
  const list = rows.map(({ attempt: { id, at, userId: ofUser, name, address: from, ...row }, user }) => ({
    id: String(id),
    at,
    userId: ofUser,
    user: user ?? name,
    address: from,
    origin: originOf(from),
    device: deviceOf(row.userAgent),
    result: row.result as LoginResult,
    reason: row.reason as LoginReason,
    times: row.times,
    firstAt: row.firstAt,
  }));
  return { list, total };
}

/** What is locked now, and the names that wait before each attempt. */
export async function lockListing({ db, clock }: Needs): Promise<DataOf<typeof userAdmin.locks>> {
  const now = clock();
  const keys = await countedKeys(db, now, now - SLOW.windowMs, SLOW.failures, TRIAL_KEYS);
  // Below so many failures only a lock makes a difference, and only a name is slowed down by them.
  const shown = keys.filter(({ key, lockedUntil }) => lockedUntil > now || readKey(key).kind === 'name');
  const list = await Promise.all(shown.map((key) => lockOf(db, key, now)));
  return { list, total: list.length };
}

async function lockOf(
  db: PeopleDeps['db'],
  { id, key, failures, firstAt, lockedUntil }: CountedKey,
  now: number,
): Promise<LoginLock> {
  const { kind, network, name, userId } = readKey(key);
  const user = userId === null ? name && (await findUser(db, name)) : await findUserById(db, userId);
  return {
    id,
    kind,
    user: (user || null)?.name ?? (name && maskedName(name)),
    address: network,
    failures,
    firstAt,
    lockedUntil: lockedUntil > now ? lockedUntil : null,
  };
}

/** @throws 404 */
export async function unlock({ db }: Pick<PeopleDeps, 'db'>, id: string): Promise<void> {
  if ((await forgetKeyOf(db, id)) === null) throw notFound('没有这个锁定，可能已经到期');
}

const GAIN_MS = 30 * DAY_MS;

type Query = QueryOf<typeof userAdmin.list>;

function filterOf({ search, role, status }: Query): UserFilter {
  return {
    ...(search === undefined ? {} : { search: search.trim() }),
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
  };
}

/** A page of the users, and what is to be noticed of all of them. @throws 400 at `sort`. */
export async function userListing(
  { db, clock, config }: Pick<PeopleDeps, 'db' | 'clock' | 'config'>,
  query: Query,
): Promise<DataOf<typeof userAdmin.list>> {
  const now = clock();
  const filter = filterOf(query);
  const page = listPage(query, 'createdAt', isUserSort);
  const [rows, total, active24h, failedLogins24h, keysExpiring, ownerless] = await Promise.all([
    findUsers(db, filter, horizonOf(now), now - GAIN_MS, page),
    countUsers(db, filter),
    activeSince(db, now - DAY_MS),
    failedSince(db, now - DAY_MS),
    keysExpiringBy(db, now + EXPIRY_WARNING_DAYS * DAY_MS),
    ownerlessHedges(db),
  ]);
  const list = rows.map((row) => userRow(row, isDemoUser(config, row.name)));
  return { list, total, counters: { active24h, failedLogins24h, keysExpiring, ownerless } };
}

const userRow = ({ state, lastLoginAgent, ...row }: ListedUser, demo: boolean): UserRow => ({
  ...row,
  demo,
  hedging: state === null ? null : isSwitchedOn(state),
  lastLoginDevice: lastLoginAgent === null ? null : deviceOf(lastLoginAgent),
});
