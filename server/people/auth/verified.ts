import type { User } from '#contract/user';
import type { LoginReason } from '#contract/userAdmin';
import type { Queries } from '../../base/db/client';
import { secondFactorOf } from '../../base/db/users/secondFactor';
import { isSession } from '../../base/db/users/session';
import { lockUser, type UserRow } from '../../base/db/users/user';
import { unauthenticated } from '../../base/http/refusal';

/** What a login has looked at and found right. */
export interface Verified {
  /** As it was read before the password was looked at. */
  user: UserRow;
  /** When the second factor that was asked for was switched on; null where none was. */
  factorAt: number | null;
}

/**
 * Locks the user until the transaction ends, and tells what is not any more as it was verified; null when all is. Whoever
 * throws a user out changes that row first, so that no session comes in behind the change.
 */
export async function changedSince(tx: Queries, { user, factorAt }: Verified): Promise<LoginReason | null> {
  const now = await lockUser(tx, user.id);
  if (now === null || now.passwordHash !== user.passwordHash) return 'wrongPassword';
  if (now.blocked) return 'blocked';
  const factorNow = (await secondFactorOf(tx, user.id))?.enabledAt ?? null;
  if (factorNow === factorAt) return null;
  return factorNow === null ? 'wrongCode' : 'codeAsked';
}

/** Locks the user and makes sure that the session that acts was not ended meanwhile. @throws 401 */
export async function stillSignedIn(tx: Queries, { id }: Pick<User, 'id'>, tokenHash: string): Promise<void> {
  await lockUser(tx, id);
  if (!(await isSession(tx, id, tokenHash))) throw unauthenticated();
}
