import { and, count, desc, eq, gte, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import type { LoginReason, LoginResult } from '#contract/userAdmin';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { loginAttempt, user } from '../schema';

/** Rows that refused logins of an hour may take; beyond them the addresses are not told apart. */
const MOST_TALLIES = 500;

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
}

/**
 * Counts an attempt that was refused with those of the same hour that are alike: anybody may make as many as they like.
 * @param network what addresses of one caller have in common
 */
export async function countRefused(db: Queries, attempt: NewAttempt, network: string): Promise<void> {
  const { at, userId, reason } = attempt;
  const hour = Math.floor(at / HOUR_MS);
  const { tally, times } = loginAttempt;
  const add = (row: NewAttempt & { tally: string }) =>
    db
      .insert(loginAttempt)
      .values({ ...row, firstAt: at })
      .onConflictDoUpdate({ target: tally, set: { at, times: sql`${times} + 1` } });
  const own = `${hour} ${network} ${userId ?? ''} ${reason}`;
  const [known] = await db.select({ one: sql`1` }).from(loginAttempt).where(eq(tally, own));
  if (known === undefined) {
    const since = and(gte(loginAttempt.firstAt, hour * HOUR_MS), isNotNull(tally));
    const [row] = await db.select({ rows: count() }).from(loginAttempt).where(since);
    if ((row?.rows ?? 0) >= MOST_TALLIES) {
      return void (await add({ ...attempt, ...NOBODY, tally: `${hour} ${reason}` }));
    }
  }
  await add({ ...attempt, tally: own });
}

/** From whatever address and with whatever name. */
const NOBODY = { userId: null, name: '***', address: '', userAgent: '' };

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
  const [row] = await db
    .select({ total: sql<number>`coalesce(sum(${loginAttempt.times}), 0)::int` })
    .from(loginAttempt)
    .where(failed);
  return row?.total ?? 0;
}
