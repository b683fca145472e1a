import { eq } from 'drizzle-orm';
import type { Queries } from '../client';
import { killSwitch } from '../schema';

/** The one row. */
export const FOR_ALL = 'all';

/** The switch for everybody; `null` while nobody ever used it. */
export async function killSwitchOf(db: Queries): Promise<typeof killSwitch.$inferSelect | null> {
  const [row] = await db.select().from(killSwitch).where(eq(killSwitch.id, FOR_ALL));
  return row ?? null;
}

/** `pausedAt` null lets entries in again. The row stays locked until the transaction ends. */
export async function setKillSwitch(
  tx: Queries,
  state: { pausedAt: number | null; pausedBy: string; reason: string },
): Promise<void> {
  await tx
    .insert(killSwitch)
    .values({ id: FOR_ALL, ...state })
    .onConflictDoUpdate({ target: killSwitch.id, set: state });
}
