import { EXPIRY_WARNING_DAYS } from '#contract/apiKey';
import { DAY_MS } from '#contract/duration';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { UserRow, userAdmin } from '#contract/userAdmin';
import { isSwitchedOn } from '../../base/db/hedges/hedgeConfig';
import { failedSince } from '../../base/db/users/loginAttempt';
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
import { listPage } from '../../base/http/listPage';
import { horizonOf, isDemoUser } from '../auth/session';
import type { PeopleDeps } from '../deps';
import { deviceOf } from './device';

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
