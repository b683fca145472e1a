import { TRIALS_AN_HOUR } from '#contract/backtest';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { LOCK_KINDS } from '#contract/userAdmin';
import type { Database } from '../../base/db/client';
import { type AttemptLimit, forgetAttempts, giveAttemptBack, takeAttempt } from '../../base/db/users/loginFailure';
import { networkOf } from '../../base/http/apiCall';
import { tooMany } from '../../base/http/refusal';
import type { Clock } from '../../market/exchange';

/** One name from one address: somebody who tries passwords. */
const PAIR: AttemptLimit = { attempts: 5, windowMs: 15 * MINUTE_MS, lockMs: MINUTE_MS, longestLockMs: 60 * MINUTE_MS };
/**
 * One address, whatever the names: somebody who tries names. An office, or everybody behind a proxy, has one
 * address too: its lock is short, and each name counts five times at most until it is locked by itself.
 */
const ADDRESS: AttemptLimit = {
  attempts: 30,
  windowMs: 15 * MINUTE_MS,
  lockMs: SECOND_MS,
  longestLockMs: 10 * SECOND_MS,
};
/**
 * One name, whatever the addresses: many machines that try one account. It is never locked, for its owner is among
 * them: beyond these attempts everybody waits a little longer each time.
 */
const NAME: AttemptLimit = { attempts: 20, windowMs: 15 * MINUTE_MS, lockMs: 0, longestLockMs: 0 };
/** Guesses at one's own account by who has its session: the password, or a code of the second step. */
const OWN: AttemptLimit = { attempts: 5, windowMs: 15 * MINUTE_MS, lockMs: MINUTE_MS, longestLockMs: 60 * MINUTE_MS };
const DELAY_MS = 100;
const LONGEST_DELAY_MS = 3 * SECOND_MS;
const REGISTER: AttemptLimit = {
  attempts: 20,
  windowMs: 60 * MINUTE_MS,
  lockMs: MINUTE_MS,
  longestLockMs: 60 * MINUTE_MS,
};

/** How the keys of such shares begin: they are nobody's failures, and no lock that a master is told of. */
export const TRIAL_KEYS = 'trial ';
/** Backtests of visitors: what is begun is counted, whatever comes of it, and nobody pays for an hour before. */
const TRIAL: AttemptLimit = {
  attempts: TRIALS_AN_HOUR,
  windowMs: 60 * MINUTE_MS,
  lockKeptMs: 0,
  lockMs: 60 * MINUTE_MS,
  longestLockMs: 60 * MINUTE_MS,
};

export interface LoginAttempt {
  /** How long to wait before the password is looked at. */
  delayMs: number;
  /** The attempt did not fail, or was never made: it does not count. */
  giveBack(): Promise<void>;
  /** The password was right: earlier failures of this name from this address are forgotten. */
  succeed(): Promise<void>;
}

/** @returns how many attempts the key has had, this one counted. */
async function take(db: Database, key: string, limit: AttemptLimit, now: number, what: string): Promise<number> {
  const { attempts, lockedUntil } = await takeAttempt(db, key, limit, now);
  if (lockedUntil > now) throw tooMany((lockedUntil - now) / 1000, what);
  return attempts;
}

/**
 * Counts a login before the password is looked at; unknown names count as known ones do.
 * Throws a 429 refusal while the name is locked from this address, or, for seconds, the address.
 */
export async function beginLogin(db: Database, clock: Clock, name: string, ip: string): Promise<LoginAttempt> {
  const network = networkOf(ip);
  const folded = name.normalize('NFC').toLowerCase();
  const address = `address ${network}`;
  const pair = `pair ${network} ${folded}`;
  const anywhere = `name ${folded}`;
  const now = clock();
  // The narrowest first: who is locked for one name fills neither the address' count nor, for its owner, the name's.
  await take(db, pair, PAIR, now, '登录失败次数过多');
  try {
    await take(db, address, ADDRESS, now, '登录失败次数过多');
  } catch (error) {
    await giveAttemptBack(db, pair, PAIR);
    throw error;
  }
  const attempts = await take(db, anywhere, NAME, now, '登录失败次数过多');
  const giveSharedBack = async () => {
    await giveAttemptBack(db, address, ADDRESS);
    await giveAttemptBack(db, anywhere, NAME);
  };
  return {
    delayMs: Math.min(LONGEST_DELAY_MS, DELAY_MS * Math.max(0, attempts - NAME.attempts)),
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

/** Counts a backtest without an account. Throws a 429 refusal when one address has had its share. */
export async function countTrial(db: Database, clock: Clock, ip: string): Promise<void> {
  await take(db, `${TRIAL_KEYS}${networkOf(ip)}`, TRIAL, clock(), '试用回测次数已用完，登录后不限');
}

/** A guess that was counted before it is looked at. */
export type CountedGuess = Omit<LoginAttempt, 'delayMs'>;

async function countOwn(db: Database, clock: Clock, key: string, what: string): Promise<CountedGuess> {
  await take(db, key, OWN, clock(), what);
  return { giveBack: () => giveAttemptBack(db, key, OWN), succeed: () => forgetAttempts(db, key) };
}

/** Counts a look at one's own password. Throws a 429 refusal after too many wrong ones. */
export const countOwnPassword = (db: Database, clock: Clock, userId: string): Promise<CountedGuess> =>
  countOwn(db, clock, `password ${userId}`, '密码错误次数过多');

/** Counts a look at a code of the user's second step, from whatever address. Throws a 429 refusal after too many wrong ones. */
export const countCode = (db: Database, clock: Clock, userId: string): Promise<CountedGuess> =>
  countOwn(db, clock, `code ${userId}`, '验证码错误次数过多');

/** What a key counts, for a master who looks at locks. */
export interface ReadKey {
  kind: (typeof LOCK_KINDS)[number];
  /** Address, or network for IPv6. */
  network: string | null;
  /** As it was typed, in small letters. */
  name: string | null;
  userId: string | null;
}

/** Reads a key that was counted under. */
export function readKey(key: string): ReadKey {
  const [kind = '', first = '', ...rest] = key.split(' ');
  const nothing = { network: null, name: null, userId: null };
  if (kind === 'pair') return { ...nothing, kind, network: first, name: rest.join(' ') };
  if (kind === 'name') return { ...nothing, kind, name: [first, ...rest].join(' ') };
  if (kind === 'address' || kind === 'register') return { ...nothing, kind, network: first };
  if (kind === 'password' || kind === 'code') return { ...nothing, kind, userId: first };
  throw new Error('an attempt was counted under a key of no kind');
}

/** From so many failures on a name waits before each attempt; they are forgotten after `slowMs`. */
export const SLOW = { failures: NAME.attempts + 1, windowMs: NAME.windowMs };
