import { and, desc, eq, gt, like, not, or, sql } from 'drizzle-orm';
import type { Database, Queries } from '../client';
import { loginFailure } from '../schema';

/** How many attempts a key has before it is locked, and for how long. */
export interface AttemptLimit {
  attempts: number;
  /** Attempts older than this are forgotten. */
  windowMs: number;
  /** So are locks that ended longer ago than this. Default: the window. */
  lockKeptMs?: number;
  /** The first lock; every further attempt doubles it. */
  lockMs: number;
  longestLockMs: number;
}

/** 2^20 seconds are twelve days: no lock needs to grow further, and the power must not overflow. */
const MOST_DOUBLINGS = 20;

/**
 * Counts an attempt before it is made, in one statement, so that parallel attempts cannot all pass
 * on the same count. Answers how many the key has had, and when its lock ends (UTC ms): one that ends
 * later than now means that the attempt may not be made, and was not counted.
 */
export async function takeAttempt(
  db: Database,
  key: string,
  limit: AttemptLimit,
  now: number,
): Promise<{ attempts: number; lockedUntil: number }> {
  const { failures, firstAt, lockedUntil } = loginFailure;
  const { windowMs, lockKeptMs = windowMs } = limit;
  const forgotten = sql`greatest(${firstAt} + ${windowMs}::bigint, ${lockedUntil} + ${lockKeptMs}::bigint) <= ${now}::bigint`;
  const counted = sql`(case when ${forgotten} then 1 else ${failures} + 1 end)`;
  const doublings = sql`least(${MOST_DOUBLINGS}::int, ${counted} - ${limit.attempts}::int)`;
  const lock = sql`least(${limit.longestLockMs}::bigint, ${limit.lockMs}::bigint * (2 ^ ${doublings})::bigint)`;
  const taken = await db
    .insert(loginFailure)
    .values({ key, failures: 1, firstAt: now })
    .onConflictDoUpdate({
      target: loginFailure.key,
      set: {
        failures: counted,
        firstAt: sql`case when ${forgotten} then ${now}::bigint else ${firstAt} end`,
        lockedUntil: sql`case when ${counted} >= ${limit.attempts}::int then ${now}::bigint + ${lock} else 0 end`,
      },
      setWhere: sql`${lockedUntil} <= ${now}::bigint`,
    })
    .returning({ attempts: failures });
  if (taken[0]) return { attempts: taken[0].attempts, lockedUntil: 0 };
  const [locked] = await db.select().from(loginFailure).where(eq(loginFailure.key, key));
  return { attempts: locked?.failures ?? 0, lockedUntil: locked?.lockedUntil ?? 0 };
}

/**
 * Takes one attempt back, as it did not fail; a lock that it brought ends with it. A key without any has no row: anybody
 * may make up as many names as they like.
 */
export async function giveAttemptBack(db: Database, key: string, limit: AttemptLimit): Promise<void> {
  const { failures, lockedUntil } = loginFailure;
  await db
    .update(loginFailure)
    .set({
      failures: sql`greatest(${failures} - 1, 0)`,
      lockedUntil: sql`case when ${failures} - 1 < ${limit.attempts}::int then 0 else ${lockedUntil} end`,
    })
    .where(eq(loginFailure.key, key));
  await db.delete(loginFailure).where(and(eq(loginFailure.key, key), eq(failures, 0)));
}

export async function forgetAttempts(db: Database, key: string): Promise<void> {
  await db.delete(loginFailure).where(eq(loginFailure.key, key));
}

/** Names a key without telling it: it may hold what somebody typed as a name by mistake. */
const keyId = sql<string>`encode(sha256(convert_to(${loginFailure.key}, 'UTF8')), 'hex')`;

export interface CountedKey {
  id: string;
  key: string;
  failures: number;
  /** UTC ms. */
  firstAt: number;
  lockedUntil: number;
}

/**
 * Keys that are locked, or failed last after `since` (UTC ms) `fewest` times or more, but for those that begin with
 * `except`; what is locked longest first.
 */
export async function countedKeys(
  db: Queries,
  now: number,
  since: number,
  fewest: number,
  except: string,
): Promise<CountedKey[]> {
  const { key, failures, firstAt, lockedUntil } = loginFailure;
  return db
    .select({ id: keyId, key, failures, firstAt, lockedUntil })
    .from(loginFailure)
    .where(
      and(
        not(like(key, `${except}%`)),
        or(gt(lockedUntil, now), sql`${firstAt} > ${since}::bigint and ${failures} >= ${fewest}::int`),
      ),
    )
    .orderBy(desc(lockedUntil), desc(failures))
    .limit(500);
}

/** Forgets the failures of a key; answers the key, `null` when there is none of that id. */
export async function forgetKeyOf(db: Queries, id: string): Promise<string | null> {
  const [row] = await db.delete(loginFailure).where(eq(keyId, id)).returning({ key: loginFailure.key });
  return row?.key ?? null;
}
