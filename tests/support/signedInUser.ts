import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '#contract/access';
import type { Database } from '#server/base/db/client';
import { replaceSession } from '#server/base/db/users/session';
import { createUser } from '#server/base/db/users/user';

/** Makes a user with a session, without the time that hashing a password takes: nobody knows the one it has. */
export async function signedInUser(
  db: Database,
  name: string,
  role: Role = 'user',
  passwordHash = 'none',
): Promise<{ userId: string; name: string; cookie: string }> {
  const user = await createUser(db, { name, role, passwordHash, createdAt: Date.now() });
  return { userId: user!.id, name, cookie: await sessionOf(db, user!.id) };
}

/** A session of a user who is there; its cookie. */
export async function sessionOf(db: Database, userId: string, now = Date.now()): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const at = { createdAt: now, seenAt: now, provenAt: now };
  const row = { tokenHash, userId, ...at, address: '127.0.0.1', userAgent: 'test' };
  await replaceSession(db, row, null, { openedBy: 0, seenBy: 0 });
  return `session=${token}`;
}
