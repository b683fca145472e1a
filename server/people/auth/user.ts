import { Object as Obj, type Static } from 'typebox';
import { ROLES } from '#contract/access';
import { Registration } from '#contract/session';
import { OneOf } from '#contract/value';
import type { Database } from '../../base/db/client';
import { revokeOtherSessions } from '../../base/db/users/session';
import { changePassword, createUser, findUser, lockUser } from '../../base/db/users/user';
import { notFound, refused } from '../../base/http/refusal';
import type { Vault } from '../../base/secret/vault';
import type { Clock } from '../../market/exchange';
import { checkPassword, hashPassword } from './password';
import { forgetFactor, hasSecondFactor } from './secondFactor';
import { checkName, looksLike } from './userName';

const { username, password } = Registration.properties;

/** What the administrator of the machine says of a new user. */
export const NewUser = Obj(
  { username, role: OneOf(ROLES, { title: '角色' }), password },
  { additionalProperties: false },
);
export type NewUser = Static<typeof NewUser>;

export const NewPassword = Obj({ username, password }, { additionalProperties: false });
export type NewPassword = Static<typeof NewPassword>;

/** Adds a user with any role. @throws a refusal for a taken name or an easy password. */
export async function addUser(db: Database, clock: Clock, user: NewUser): Promise<void> {
  checkName(user.username);
  // The rules of registration hold for users made here too.
  await checkPassword(user.username, user.password);
  if (await findUser(db, user.username)) throw refused('nameTaken');
  const passwordHash = await hashPassword(user.password);
  const { username: name, role } = user;
  const created = await createUser(db, { name, role, passwordHash, createdAt: clock() }, looksLike(name));
  if (created === null) throw refused('nameTaken');
}

/** Gives a user a new password and ends the user's sessions. @throws 404 for an unknown name. */
export async function resetPassword(db: Database, change: NewPassword): Promise<void> {
  const user = await findUser(db, change.username);
  if (user === null) throw notFound('没有这个用户');
  await checkPassword(change.username, change.password);
  await changePassword(db, user.id, await hashPassword(change.password));
}

/** A user, by the name. */
export const NamedUser = Obj({ username }, { additionalProperties: false });
export type NamedUser = Static<typeof NamedUser>;

/**
 * Takes away the second factor of somebody who lost phone and recovery codes, and ends the user's sessions. @returns
 * whether there was one. @throws 404 for an unknown name.
 */
export async function dropSecondFactor(db: Database, vault: Vault, name: string): Promise<boolean> {
  const user = await findUser(db, name);
  if (user === null) throw notFound('没有这个用户');
  const had = await hasSecondFactor(db, user.id);
  await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    await forgetFactor(tx, vault, user.id);
    await revokeOtherSessions(tx, user.id, '');
  });
  return had;
}
