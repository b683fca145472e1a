import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { TargetHold } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import type { HeldTarget } from '#contract/targetHold';
import type { Queries } from '../client';
import { target } from '../schema';

export type TargetRow = typeof target.$inferSelect;

/** Targets of these users that were not removed, in order of adding. */
export async function standingTargetsOf(db: Queries, userIds: readonly string[]): Promise<TargetRow[]> {
  return db
    .select()
    .from(target)
    .where(and(inArray(target.userId, [...userIds]), isNull(target.removedAt)))
    .orderBy(asc(target.createdAt));
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

type NewTarget = Pick<TargetRow, 'userId' | 'strategyId' | 'legs' | 'createdAt' | 'armedAt'> &
  Partial<Pick<TargetRow, 'accepted'>>;

export async function insertTargets(tx: Queries, rows: NewTarget[]): Promise<void> {
  // Of one moment they are read by their ids: those go up as the rows were named.
  const ids = rows.map(() => randomUUID()).sort();
  if (rows.length > 0) await tx.insert(target).values(rows.map((row, i) => ({ ...row, id: ids[i]! })));
}

export async function removeTargets(tx: Queries, ids: readonly string[], at: number): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(target)
      .set({ removedAt: at })
      .where(inArray(target.id, [...ids]));
}

/** What a target that is armed becomes: it is opened by the next look that finds something. @param at UTC ms */
const armed = (at: number) => ({
  armedAt: sql`greatest(${at}, ${target.armedAt} + 1)`,
  hold: null,
  heldAt: null,
  heldBy: null,
});

/** Lets targets be opened again, whatever held them. @param at UTC ms */
export async function armHeld(tx: Queries, ids: readonly string[], at: number): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(target)
      .set(armed(at))
      .where(inArray(target.id, [...ids]));
}

/** Notes what speaks against a target, as a person was shown it who wants it opened all the same. */
export async function acceptWarnings(tx: Queries, id: string, shown: PairWarning[]): Promise<void> {
  const all = sql`${target.accepted} || ${JSON.stringify(shown)}::jsonb`;
  await tx
    .update(target)
    .set({ accepted: sql`(select jsonb_agg(distinct word) from jsonb_array_elements(${all}) as word)` })
    .where(eq(target.id, id));
}

/** Why targets wait for a person, since when (UTC ms) and who put them so; null where no name is known. */
export interface Held {
  hold: TargetHold;
  at: number;
  by: string | null;
}

/** What holds a target, as it is told; null where nothing does. */
export const heldOf = ({ hold, heldAt, heldBy }: Pick<TargetRow, 'hold' | 'heldAt' | 'heldBy'>): HeldTarget =>
  // Only calls and the engine write these columns, together and in words of the contract.
  hold === null || heldAt === null ? null : { hold: hold as TargetHold, at: heldAt, by: heldBy };

/** Keeps targets from being opened until a person arms them. What a person closed stays so. */
export async function holdTargets(tx: Queries, ids: readonly string[], held: Held): Promise<void> {
  if (ids.length === 0) return;
  const { hold, at, by } = held;
  const isClosed = sql`${target.hold} = ${'closed' satisfies TargetHold}`;
  await tx
    .update(target)
    .set({ hold, heldAt: at, heldBy: by })
    .where(and(inArray(target.id, [...ids]), sql`${isClosed} is not true`));
}

/** Puts other legs in the place of a target's: what was counted of it goes on. @returns the id of the new one. */
export async function replaceTarget(tx: Queries, id: string, legs: TargetRow['legs'], at: number): Promise<string> {
  const [old] = await tx.update(target).set({ removedAt: at }).where(eq(target.id, id)).returning();
  if (old === undefined) throw new Error(`there is no target ${id}`);
  const { userId, strategyId, rounds, seen, hold, heldAt, heldBy } = old;
  const going = { rounds, seen, hold, heldAt, heldBy };
  const [made] = await tx
    .insert(target)
    .values({ userId, strategyId, legs, createdAt: at, armedAt: at, usedArmAt: at, triggeredAt: at, ...going })
    .returning({ id: target.id });
  if (made === undefined) throw new Error('an inserted target came back without its id');
  return made.id;
}
