import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import type { AccountTrouble } from '#contract/lifecycle';
import type { Queries } from '../client';
import { account, liveJournal } from '../schema';

/** One that comes back within so long is the same one. */
const QUIET_MS = HOUR_MS;
const j = liveJournal;

/** What is wrong with a real account. */
export interface Trouble {
  what: AccountTrouble;
  /** A venue's word for why; null where there is none. */
  reason: string | null;
}

/**
 * Notes what is wrong with an account, or that nothing is any more.
 * @param lasts whether a person alone ends what it has led to; what ends by itself may come and go, and is one for an hour
 * @returns whether that is new
 */
export async function noteTrouble(
  tx: Queries,
  accountId: string,
  trouble: (Trouble & { lasts: boolean }) | null,
  at: number,
): Promise<boolean> {
  const ends = and(isNotNull(j.troubledAt), isNull(j.recoveredAt));
  const rows =
    trouble === null
      ? await tx
          .update(j)
          .set({ recoveredAt: at })
          .where(and(eq(j.accountId, accountId), ends))
          .returning({ id: j.accountId })
      : await tx
          .update(j)
          .set({
            trouble: trouble.what,
            troubleReason: trouble.reason,
            troubledAt: begun(trouble, at),
            recoveredAt: null,
          })
          .where(and(eq(j.accountId, accountId), sql`((${ends}) is not true or ${j.trouble} <> ${trouble.what})`))
          .returning({ id: j.accountId });
  return rows.length > 0;
}

function begun({ what, lasts }: Trouble & { lasts: boolean }, at: number): SQL | number {
  if (lasts) return at;
  return sql`case when ${j.trouble} = ${what} and ${j.recoveredAt} > ${at - QUIET_MS}::bigint then ${j.troubledAt} else ${at}::bigint end`;
}

const columns = {
  ...{ id: account.id, userId: account.userId, name: account.name },
  ...{
    what: sql<AccountTrouble>`${j.trouble}`,
    reason: j.troubleReason,
    at: sql<number>`${j.troubledAt}`.mapWith(Number),
  },
};

/** Accounts of these users that something is wrong with. */
export async function troublesOf(db: Queries, userIds: readonly string[]) {
  return db
    .select(columns)
    .from(j)
    .innerJoin(account, eq(account.id, j.accountId))
    .where(and(inArray(account.userId, [...userIds]), isNotNull(j.troubledAt), isNull(j.recoveredAt)))
    .orderBy(asc(account.name), asc(account.id));
}

/** What went wrong with accounts since an instant (UTC ms), or was over. */
export async function troublesSince(db: Queries, since: number) {
  return db
    .select({ ...columns, recoveredAt: j.recoveredAt })
    .from(j)
    .innerJoin(account, eq(account.id, j.accountId))
    .where(or(sql`${j.troubledAt} >= ${since}::bigint`, sql`${j.recoveredAt} >= ${since}::bigint`));
}
