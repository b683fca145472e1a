import { and, count, desc, eq, gte, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { LoginReason, LoginResult } from '#contract/userAdmin';
import type { Queries } from './client';
import { isId } from './hedge';
import { loginAttempt, user } from './schema';

/** Attempts older than this are deleted, ms. */
const KEPT_MS = 180 * DAY_MS;

export interface NewAttempt {
  at: number;
  userId: string | null;
  name: string;
  address: string;
  userAgent: string;
  result: LoginResult;
  reason: LoginReason;
}

export async function recordAttempt(db: Queries, attempt: NewAttempt): Promise<void> {
  await db.insert(loginAttempt).values(attempt);
  await db.delete(loginAttempt).where(lt(loginAttempt.at, attempt.at - KEPT_MS));
}

export interface AttemptFilter {
  userId?: string;
  address?: string;
  result?: LoginResult;
  /** UTC ms. */
  start?: number;
  end?: number;
}

function chosen({ userId, address, result, start, end }: AttemptFilter): SQL | undefined {
  return and(
    userId === undefined ? undefined : isId(userId) ? eq(loginAttempt.userId, userId) : sql`false`,
    address === undefined ? undefined : eq(loginAttempt.address, address),
    result === undefined ? undefined : eq(loginAttempt.result, result),
    start === undefined ? undefined : gte(loginAttempt.at, Math.ceil(start)),
    end === undefined ? undefined : lte(loginAttempt.at, Math.floor(end)),
  );
}

interface Page {
  descending: boolean;
  offset: number;
  limit: number;
}

/** Attempts of the filter in order of time, each with what the user is called now. */
export async function findAttempts(db: Queries, filter: AttemptFilter, { descending, offset, limit }: Page) {
  const { at, id } = loginAttempt;
  return db
    .select({ attempt: loginAttempt, user: user.name })
    .from(loginAttempt)
    .leftJoin(user, eq(user.id, loginAttempt.userId))
    .where(chosen(filter))
    .orderBy(...(descending ? [desc(at), desc(id)] : [at, id]))
    .limit(limit)
    .offset(offset);
}

export async function countAttempts(db: Queries, filter: AttemptFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(loginAttempt).where(chosen(filter));
  return row?.total ?? 0;
}

/** Failed logins since an instant, UTC ms; being asked for the second step is no failure. */
export async function failedSince(db: Queries, since: number): Promise<number> {
  const failed = and(
    gte(loginAttempt.at, since),
    ne(loginAttempt.result, 'ok'),
    ne(loginAttempt.reason, 'codeAsked' satisfies LoginReason),
  );
  const [row] = await db.select({ total: count() }).from(loginAttempt).where(failed);
  return row?.total ?? 0;
}
