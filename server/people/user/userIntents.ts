import type { Role } from '#contract/access';
import { HOUR_MS } from '#contract/duration';
import type { OneTimeCode } from '#contract/userAdmin';
import type { Queries } from '../../base/db/client';
import { findDesk } from '../../base/db/hedges/hedgeConfig';
import { putOneTimeCode } from '../../base/db/users/oneTimeCode';
import {
  changePassword,
  createUser,
  lockUser,
  otherMasters,
  setBlocked,
  setRole,
  type UserRow,
} from '../../base/db/users/user';
import { notFound, refused } from '../../base/http/refusal';
import { type Asker, switchBook } from '../../desk/strategy/bookIntents';
import { hashOfCode, newCode } from '../auth/oneTimeCode';
import { checkName, looksLike } from '../auth/userName';

/** How long a one-time code is good. */
const CODE_MS = 24 * HOUR_MS;
const CODE_GROUPS = 4;

/** @throws 404 */
export async function lockedUser(tx: Queries, id: string): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (user === null) throw notFound('没有这个用户');
  return user;
}

async function giveCode(tx: Queries, { id, name }: UserRow, now: number): Promise<OneTimeCode> {
  const code = newCode(CODE_GROUPS);
  const expiresAt = now + CODE_MS;
  await putOneTimeCode(tx, { userId: id, codeHash: hashOfCode(code), createdAt: now, expiresAt });
  return { userId: id, username: name, code, expiresAt };
}

/** Makes a user who sets a password with the code. @throws 400 at `username`, nameTaken. */
export async function inviteUser(tx: Queries, name: string, role: Role, now: number): Promise<OneTimeCode> {
  checkName(name);
  const user = await createUser(tx, { name, role, passwordHash: null, createdAt: now }, looksLike(name));
  if (user === null) throw refused('nameTaken', '', 'username');
  return giveCode(tx, user, now);
}

/** @throws lastMaster when nobody else could do what masters do. */
async function keepOneMaster(tx: Queries, { id, role }: UserRow): Promise<void> {
  if (role === 'master' && (await otherMasters(tx, id)) === 0) throw refused('lastMaster');
}

/** Gives a user another role; answers the one before. @throws 404, lastMaster. */
export async function changeRole(tx: Queries, userId: string, role: Role): Promise<string> {
  const user = await lockedUser(tx, userId);
  if (role !== 'master') await keepOneMaster(tx, user);
  await setRole(tx, user.id, role);
  return user.role;
}

/** Keeps a user out, or lets one in again; answers what it was before. @throws 404, lastMaster, notYourself. */
export async function changeBlock(
  tx: Queries,
  { user: by }: Asker,
  userId: string,
  blocked: boolean,
): Promise<boolean> {
  const user = await lockedUser(tx, userId);
  if (blocked) await keepOneMaster(tx, user);
  if (blocked && user.id === by.id) throw refused('notYourself');
  await setBlocked(tx, user.id, blocked, by.name);
  return user.blocked;
}

/**
 * Takes a user's password and sessions away, and what `forget` forgets, and gives a code to set a new password. One's
 * own is changed by who knows it. @throws 404, notYourself.
 */
export async function resetPassword(
  tx: Queries,
  { user: by, now }: Asker,
  userId: string,
  forget: (tx: Queries, userId: string) => Promise<void>,
): Promise<OneTimeCode> {
  const user = await lockedUser(tx, userId);
  if (user.id === by.id) throw refused('notYourself');
  await changePassword(tx, user.id, null);
  await forget(tx, user.id);
  return giveCode(tx, user, now);
}

/**
 * Switches a user's hedging, in the master's name; answers what it was before, and how many hedges run on.
 * @throws 404; hedgeConfigMissing before the user saved settings.
 */
export async function switchHedging(tx: Queries, { user: by, now }: Asker, userId: string, enabled: boolean) {
  const { id } = await lockedUser(tx, userId);
  const { enabled: before } = await findDesk(tx, id);
  const { running } = await switchBook(tx, { user: { id, name: by.name }, now }, enabled);
  return { before, running };
}
