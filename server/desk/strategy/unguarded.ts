import type { Unguarded } from '#contract/unguarded';
import type { Queries } from '../../base/db/client';
import { unguardedStrategies } from '../../base/db/strategies/deal';

/** What users' strategies were stopped with and nobody looks after, by strategy; those without any are not in it. */
export async function unguardedBy(db: Queries, userIds: readonly string[]): Promise<Map<string, Unguarded>> {
  return new Map((await unguardedStrategies(db, userIds)).map((row) => [row.id, unguardedOf(row)]));
}

export const unguardedOf = ({
  deals,
  selfManagedAt: at,
  selfManagedBy: by,
}: Awaited<ReturnType<typeof unguardedStrategies>>[number]): Unguarded => ({
  deals,
  selfManaged: at === null ? null : { at, by: by ?? '' },
});
