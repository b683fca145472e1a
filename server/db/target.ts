import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Queries } from './client';
import { target } from './schema';

export type TargetRow = typeof target.$inferSelect;

/** Targets of these users that were not removed, in no order. */
export async function standingTargetsOf(db: Queries, userIds: readonly string[]): Promise<TargetRow[]> {
  return db
    .select()
    .from(target)
    .where(and(inArray(target.userId, [...userIds]), isNull(target.removedAt)));
}

/** What the engine notes of a target. */
export async function markTarget(
  tx: Queries,
  id: string,
  mark: Partial<Pick<TargetRow, 'usedArmAt' | 'triggeredAt' | 'block'>>,
): Promise<void> {
  await tx.update(target).set(mark).where(eq(target.id, id));
}
