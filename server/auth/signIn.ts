import { setTimeout } from 'node:timers/promises';
import type { Credentials, Registration } from '#contract/session';
import { createUser, findUser, recordLogin, type UserRow } from '../db/user';
import type { Deps } from '../deps';
import { refused } from '../http/refusal';
import { beginLogin, countRegistration } from './attempts';
import { isCommonPassword } from './commonPassword';
import { hashPassword, verifyPassword } from './password';
import { checkName, looksLike } from './userName';

/**
 * The user whose name and password these are. An unknown name takes the same way as a wrong
 * password: it is counted, hashed and refused alike, so that neither answer nor time tells them apart.
 * @throws wrongPassword, userBlocked (only to who knows the password), 429 while locked.
 */
export async function signIn(
  { db, clock, pause = setTimeout }: Deps,
  { username, password }: Credentials,
  ip: string,
): Promise<UserRow> {
  const name = username.trim();
  const attempt = await beginLogin(db, clock, name, ip);
  if (attempt.delayMs > 0) await pause(attempt.delayMs);
  const user = await findUser(db, name);
  const matches = await verifyPassword(user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    // Nobody looked at the password: a crowd must not lock anybody out.
    await attempt.giveBack();
    throw error;
  });
  if (user === null || !matches) throw refused('wrongPassword');
  await attempt.succeed();
  if (user.blocked) throw refused('userBlocked');
  await recordLogin(db, user.id, clock());
  return user;
}

/**
 * Makes an account with the role `user`.
 * @throws 400 for a name that could be taken for another, passwordIsName, commonPassword, nameTaken, 429 when one address registers too often.
 */
export async function signUp({ db, clock }: Deps, { username, password }: Registration, ip: string): Promise<UserRow> {
  checkName(username);
  if (password.toLowerCase() === username.toLowerCase()) throw refused('passwordIsName', '', 'password');
  if (await isCommonPassword(password)) throw refused('commonPassword', '', 'password');
  await countRegistration(db, clock, ip);
  if (await findUser(db, username)) throw refused('nameTaken', '', 'username');
  const passwordHash = await hashPassword(password);
  const now = clock();
  const user = await createUser(
    db,
    { name: username, role: 'user', passwordHash, createdAt: now },
    looksLike(username),
  );
  if (user === null) throw refused('nameTaken', '', 'username');
  await recordLogin(db, user.id, now);
  return user;
}
