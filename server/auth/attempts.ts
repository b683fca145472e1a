import type { Database } from '../db/client';
import { type AttemptLimit, forgetAttempts, giveAttemptBack, takeAttempt } from '../db/loginFailure';
import type { Clock } from '../exchange/exchange';
import { tooMany } from '../refusal';
import { networkOf } from './network';

const MINUTE = 60_000;

/** One name from one address: somebody who tries passwords. */
const PAIR: AttemptLimit = { attempts: 5, windowMs: 15 * MINUTE, lockMs: MINUTE, longestLockMs: 60 * MINUTE };
/** One address, whatever the names: somebody who tries names. An office behind one address still gets in. */
const ADDRESS: AttemptLimit = { attempts: 30, windowMs: 15 * MINUTE, lockMs: MINUTE, longestLockMs: 60 * MINUTE };
/** One name, whatever the addresses. High and short: nobody shall lock another out of his account for long. */
const NAME: AttemptLimit = { attempts: 100, windowMs: 15 * MINUTE, lockMs: MINUTE, longestLockMs: 5 * MINUTE };
const REGISTER: AttemptLimit = { attempts: 20, windowMs: 60 * MINUTE, lockMs: MINUTE, longestLockMs: 60 * MINUTE };

export interface LoginAttempt {
  /** The attempt did not fail, or was never made: it does not count. */
  giveBack(): Promise<void>;
  /** The password was right: earlier failures of this name from this address are forgotten. */
  succeed(): Promise<void>;
}

async function take(db: Database, key: string, limit: AttemptLimit, now: number, what: string): Promise<void> {
  const lockedUntil = await takeAttempt(db, key, limit, now);
  if (lockedUntil > now) throw tooMany((lockedUntil - now) / 1000, what);
}

/**
 * Counts a login before the password is looked at; unknown names count as known ones do.
 * Throws a 429 refusal while the name, the address or both together are locked.
 */
export async function beginLogin(db: Database, clock: Clock, name: string, ip: string): Promise<LoginAttempt> {
  const network = networkOf(ip);
  const folded = name.normalize('NFC').toLowerCase();
  const address = `address ${network}`;
  const pair = `pair ${network} ${folded}`;
  const anywhere = `name ${folded}`;
  const now = clock();
  // The address first and the name last: one locked caller does not go on filling the name's count.
  await take(db, address, ADDRESS, now, '登录失败次数过多');
  await take(db, pair, PAIR, now, '登录失败次数过多');
  await take(db, anywhere, NAME, now, '登录失败次数过多');
  const giveSharedBack = async () => {
    await giveAttemptBack(db, address, ADDRESS);
    await giveAttemptBack(db, anywhere, NAME);
  };
  return {
    giveBack: async () => {
      await giveSharedBack();
      await giveAttemptBack(db, pair, PAIR);
    },
    succeed: async () => {
      await giveSharedBack();
      await forgetAttempts(db, pair);
    },
  };
}

/** Counts a registration. Throws a 429 refusal when one address makes too many. */
export async function countRegistration(db: Database, clock: Clock, ip: string): Promise<void> {
  await take(db, `register ${networkOf(ip)}`, REGISTER, clock(), '注册次数过多');
}
