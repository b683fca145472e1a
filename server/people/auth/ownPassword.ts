import type { BodyOf } from '#contract/endpoint';
import type { password as api } from '#contract/password';
import type { User } from '#contract/user';
import { isOneTimeCode, spendOneTimeCode } from '../../base/db/users/oneTimeCode';
import { changePassword, findUser, lockUser, type UserRow } from '../../base/db/users/user';
import { Refusal, refused } from '../../base/http/refusal';
import type { PeopleDeps } from '../deps';
import { beginLogin, countOwnPassword } from './attempts';
import { noteAttempt, type Visit } from './loginRecord';
import { hashOfCode } from './oneTimeCode';
import { checkPassword, hashPassword, verifyPassword } from './password';
import { stillSignedIn } from './verified';

type Needs = Pick<PeopleDeps, 'db' | 'clock'>;

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

/** Gives the user another password and ends all other sessions; answers how many. @throws as `provePassword` and `checkPassword`; samePassword; 401 when this session was ended meanwhile. */
export async function changeOwnPassword(
  deps: Needs,
  user: User,
  { password, newPassword }: BodyOf<typeof api.change>,
  tokenHash: string,
): Promise<number> {
  await provePassword(deps, user, password);
  if (newPassword === password) throw refused('samePassword', '', 'newPassword');
  await checkPassword(user.name, newPassword, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  return deps.db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    return changePassword(tx, user.id, passwordHash, tokenHash);
  });
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
  const codeHash = hashOfCode(code);
  const refuse = async (reason: 'wrongOneTimeCode' | 'blocked') => {
    await noteAttempt(deps, visit, { name, user, reason });
    return reason === 'blocked' ? refused('userBlocked') : refused('wrongOneTimeCode', '', 'code');
  };
  // Looked at before the new password is hashed, and again when it is spent.
  if (user === null || !(await isOneTimeCode(db, user.id, codeHash, clock()))) throw await refuse('wrongOneTimeCode');
  await attempt.succeed();
  if (user.blocked) throw await refuse('blocked');
  await checkPassword(user.name, newPassword, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  const isSpent = await db.transaction(async (tx) => {
    const now = await lockUser(tx, user.id);
    if (now?.blocked !== false || !(await spendOneTimeCode(tx, user.id, codeHash, clock()))) return false;
    await changePassword(tx, user.id, passwordHash);
    return true;
  });
  if (!isSpent) throw await refuse('wrongOneTimeCode');
  await noteAttempt(deps, visit, { name, user, reason: 'oneTimeCode' });
  return user;
}
