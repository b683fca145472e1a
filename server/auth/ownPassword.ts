import type { BodyOf } from '#contract/endpoint';
import type { password as api } from '#contract/password';
import type { User } from '#contract/user';
import { isOneTimeCode } from '../db/oneTimeCode';
import { changePassword, findUser, type UserRow } from '../db/user';
import type { Deps } from '../deps';
import { Refusal, refused } from '../http/refusal';
import { beginLogin, countOwnPassword } from './attempts';
import { checkPassword } from './checkPassword';
import { noteAttempt, type Visit } from './loginRecord';
import { hashOfCode } from './oneTimeCode';
import { hashPassword, verifyPassword } from './password';

type Needs = Pick<Deps, 'db' | 'clock'>;

/**
 * Makes sure that whoever has the session also knows the password.
 * @throws wrongCurrentPassword at `password`; 429 after too many wrong ones.
 */
export async function provePassword({ db, clock }: Needs, user: User, password: string): Promise<void> {
  const attempt = await countOwnPassword(db, clock, user.id);
  const row = await findUser(db, user.name);
  const matches = await verifyPassword(row?.passwordHash ?? null, password).catch(async (error: unknown) => {
    await attempt.giveBack();
    throw error;
  });
  if (!matches) throw refused('wrongCurrentPassword', '', 'password');
  await attempt.succeed();
}

/** Gives the user another password and ends all other sessions; answers how many. @throws as `provePassword` and `checkPassword`; samePassword. */
export async function changeOwnPassword(
  deps: Needs,
  user: User,
  { password, newPassword }: BodyOf<typeof api.change>,
  tokenHash: string,
): Promise<number> {
  await provePassword(deps, user, password);
  if (newPassword === password) throw refused('samePassword', '', 'newPassword');
  await checkPassword(user.name, newPassword, 'newPassword');
  return changePassword(deps.db, user.id, await hashPassword(newPassword), tokenHash);
}

/**
 * Sets a password with the code that a master gave; the code is used up, and nobody is signed in by it. Counted, locked
 * and recorded as logins are. @throws wrongOneTimeCode, userBlocked (only to who has the code), as `checkPassword`; 429.
 */
export async function redeemCode(
  deps: Needs,
  { username, code, newPassword }: BodyOf<typeof api.redeem>,
  visit: Visit,
): Promise<UserRow> {
  const { db, clock } = deps;
  const name = username.trim();
  const user = await findUser(db, name);
  const attempt = await beginLogin(db, clock, name, visit.address).catch(async (error: unknown) => {
    if (error instanceof Refusal) await noteAttempt(deps, visit, { name, user, reason: 'tooMany' });
    throw error;
  });
  if (user === null || !(await isOneTimeCode(db, user.id, hashOfCode(code), clock()))) {
    await noteAttempt(deps, visit, { name, user, reason: 'wrongOneTimeCode' });
    throw refused('wrongOneTimeCode', '', 'code');
  }
  await attempt.succeed();
  if (user.blocked) {
    await noteAttempt(deps, visit, { name, user, reason: 'blocked' });
    throw refused('userBlocked');
  }
  await checkPassword(user.name, newPassword, 'newPassword');
  await changePassword(db, user.id, await hashPassword(newPassword));
  await noteAttempt(deps, visit, { name, user, reason: 'oneTimeCode' });
  return user;
}
