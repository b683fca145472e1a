import { setTimeout } from 'node:timers/promises';
import type { Credentials, Registration } from '#contract/session';
import type { LoginReason } from '#contract/userAdmin';
import type { Database } from '../../base/db/client';
import { secondFactorOf } from '../../base/db/users/secondFactor';
import { changeSecurity, securityOf } from '../../base/db/users/security';
import { createUser, findUser, recordLogin, type UserRow } from '../../base/db/users/user';
import { Refusal, refused } from '../../base/http/refusal';
import type { PeopleDeps } from '../deps';
import { beginLogin, countRegistration } from './attempts';
import { noteAttempt, type Visit } from './loginRecord';
import { checkPassword, hashPassword, verifyPassword } from './password';
import { checkCode } from './secondFactor';
import { checkName, looksLike } from './userName';
import type { Verified } from './verified';

/** What looking at a login came to; the user also where it failed, if there is one. */
interface Judged {
  user: UserRow | null;
  reason: LoginReason;
  /** Of one with two steps. */
  factorAt?: number | null;
}

/** By what somebody is let in. */
const ENTERED = ['password', 'recoveryCode'] as const;
type Entered = (typeof ENTERED)[number];

/** Lets somebody in. @returns why not, where the user is not any more as it was verified; null when it did. */
export type Enter = (verified: Verified) => Promise<LoginReason | null>;

/** What is answered to a login that came to this; no answer tells an unknown name from a wrong password. */
const REFUSALS: Partial<Record<LoginReason, () => Refusal>> = {
  unknownName: () => refused('wrongPassword'),
  wrongPassword: () => refused('wrongPassword'),
  noPassword: () => refused('wrongPassword'),
  blocked: () => refused('userBlocked'),
  codeAsked: () => refused('secondFactorNeeded', '', 'code'),
  wrongCode: () => refused('wrongCode', '', 'code'),
};

/**
 * Lets the user in whose name and password these are. An unknown name takes the same way as a wrong
 * password: it is counted, hashed, recorded and refused alike, so that neither answer nor time tells them apart.
 * @throws wrongPassword; to who knows the password userBlocked, secondFactorNeeded, wrongCode; 429 while locked.
 */
export async function signIn(deps: PeopleDeps, credentials: Credentials, visit: Visit, enter: Enter): Promise<void> {
  const { db, clock } = deps;
  const name = credentials.username.trim();
  const judged = await judge(deps, { ...credentials, username: name }, visit).catch(async (error: unknown) => {
    if (error instanceof Refusal)
      await noteAttempt(deps, visit, { name, user: await findUser(db, name), reason: 'tooMany' });
    throw error;
  });
  const { user, factorAt = null } = judged;
  const changed =
    user !== null && ENTERED.some((one) => one === judged.reason) ? await enter({ user, factorAt }) : null;
  const reason = changed ?? judged.reason;
  await noteAttempt(deps, visit, { name, user, reason });
  const refusal = REFUSALS[reason]?.();
  if (refusal || user === null) throw refusal ?? new Error('a login without a user was not refused');
  await recordLogin(db, user.id, clock());
}

/** @throws 429 while locked, or while too many wait for the hashing. */
async function judge(deps: PeopleDeps, { username, password, code }: Credentials, { address }: Visit): Promise<Judged> {
  const { db, clock, pause = setTimeout } = deps;
  const attempt = await beginLogin(db, clock, username, address);
  if (attempt.delayMs > 0) await pause(attempt.delayMs);
  const user = await findUser(db, username);
  const matches = await verifyPassword(user?.passwordHash ?? null, password).catch(async (error: unknown) => {
    // Nobody looked at the password: a crowd must not lock anybody out.
    await attempt.giveBack();
    throw error;
  });
  if (user === null) return { user, reason: 'unknownName' };
  if (!matches) return { user, reason: user.passwordHash === null ? 'noPassword' : 'wrongPassword' };
  let entered: Entered = 'password';
  const factorAt = (await secondFactorOf(db, user.id))?.enabledAt ?? null;
  if (!user.blocked && factorAt !== null) {
    if (code === undefined) {
      // Half of a login: neither a failure, nor a success that makes up for others.
      await attempt.giveBack();
      return { user, reason: 'codeAsked' };
    }
    const kind = await checkCode(deps, user.id, code);
    if (kind === null) return { user, reason: 'wrongCode' };
    if (kind === 'recovery') entered = 'recoveryCode';
  }
  await attempt.succeed();
  return { user, reason: user.blocked ? 'blocked' : entered, factorAt };
}

/**
 * Makes an account with the role `user`, and lets it in.
 * @throws registrationClosed, 400 for a name that could be taken for another, passwordIsName, commonPassword, nameTaken, 429 when one address registers too often.
 */
export async function signUp(
  deps: PeopleDeps,
  { username, password }: Registration,
  visit: Visit,
  enter: Enter,
): Promise<void> {
  const { db, clock } = deps;
  if (!(await securityOf(db)).registration) throw refused('registrationClosed');
  checkName(username);
  await checkPassword(username, password);
  await countRegistration(db, clock, visit.address);
  if (await findUser(db, username)) throw refused('nameTaken', '', 'username');
  const user = await newUser(db, username, await hashPassword(password), clock());
  await recordLogin(db, user.id, user.createdAt);
  await noteAttempt(deps, visit, { name: username, user, reason: 'registered' });
  const changed = await enter({ user, factorAt: null });
  if (changed !== null) throw REFUSALS[changed]?.() ?? new Error('a new user was kept out for no reason');
}

async function newUser(db: Database, name: string, passwordHash: string, createdAt: number): Promise<UserRow> {
  return db.transaction(async (tx) => {
    // A closing that was answered holds, also for who was at work: one waits for the other.
    await changeSecurity(tx, {});
    if (!(await securityOf(tx)).registration) throw refused('registrationClosed');
    const user = await createUser(tx, { name, role: 'user', passwordHash, createdAt }, looksLike(name));
    if (user === null) throw refused('nameTaken', '', 'username');
    return user;
  });
}
