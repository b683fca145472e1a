import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
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
  mark: Partial<Pick<TargetRow, 'usedArmAt' | 'rounds' | 'seen' | 'triggeredAt' | 'block'>>,
): Promise<void> {
  await tx.update(target).set(mark).where(eq(target.id, id));
}

/** What a strategy may open, in order of adding. */
export async function targetsOfStrategies(db: Queries, ids: readonly string[]): Promise<TargetRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(target)
    .where(and(inArray(target.strategyId, [...ids]), isNull(target.removedAt)))
    .orderBy(asc(target.createdAt), asc(target.id));
}

type NewTarget = Pick<TargetRow, 'userId' | 'strategyId' | 'legs' | 'createdAt' | 'armedAt'>;

export async function insertTargets(tx: Queries, rows: NewTarget[]): Promise<void> {
  if (rows.length > 0) await tx.insert(target).values(rows);
}

export async function removeTargets(tx: Queries, ids: readonly string[], at: number): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(target)
      .set({ removedAt: at })
      .where(inArray(target.id, [...ids]));
}

/** Lets what a strategy may open be opened again. @param at UTC ms */
export async function armTargets(tx: Queries, strategyId: string, at: number): Promise<void> {
  await tx
    .update(target)
    .set({ armedAt: at })
    .where(and(eq(target.strategyId, strategyId), isNull(target.removedAt)));
}

/** Puts other legs in the place of a target's: what was counted of it goes on. @returns the id of the new one. */
export async function replaceTarget(tx: Queries, id: string, legs: TargetRow['legs'], at: number): Promise<string> {
  const [old] = await tx.update(target).set({ removedAt: at }).where(eq(target.id, id)).returning();
  if (old === undefined) throw new Error(`there is no target ${id}`);
  const { userId, strategyId, rounds, seen } = old;
  const [made] = await tx
    .insert(target)
    .values({ userId, strategyId, legs, createdAt: at, armedAt: at, usedArmAt: at, triggeredAt: at, rounds, seen })
    .returning({ id: target.id });
  if (made === undefined) throw new Error('an inserted target came back without its id');
  return made.id;
}
