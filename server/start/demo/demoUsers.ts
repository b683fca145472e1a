import type { Role } from '#contract/access';
import type { Database } from '../../base/db/client';
import { createUser, findUser, setBlocked } from '../../base/db/users/user';
import type { Clock } from '../../market/exchange';
import { hashPassword, verifyPassword } from '../../people/auth/password';

/** The accounts of the demo, with passwords that everybody knows: only ever on this machine's own address. */
export const DEMO_USERS = [
  { name: 'master', password: 'demo-master', role: 'master' },
  { name: 'editor', password: 'demo-editor', role: 'editor' },
  { name: 'trader', password: 'demo-trader', role: 'user' },
] as const satisfies { name: string; password: string; role: Role }[];

/**
 * Makes the demo accounts where there is a demo, and closes them where there is none: a folder that
 * served a demo before must not let its known passwords in. An account that somebody gave another
 * password belongs to that person and is left alone, and so is one that a master has blocked.
 */
export async function settleDemoUsers(db: Database, clock: Clock, demo: boolean): Promise<void> {
  for (const { name, password, role } of DEMO_USERS) {
    const user = await findUser(db, name);
    if (user === null) {
      if (!demo) continue;
      await createUser(db, { name, role, passwordHash: await hashPassword(password), createdAt: clock() });
    } else if (
      user.blocked === demo &&
      user.blockedBy === null &&
      (await verifyPassword(user.passwordHash, password))
    ) {
      await setBlocked(db, user.id, !demo);
    }
  }
}
