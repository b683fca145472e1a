import type { Queries } from '../client';
import { simulatedLaw } from '../schema';

/** Number of the law that the simulated market of this database follows. */
export async function simulatedLawOf(db: Queries): Promise<number> {
  const [row] = await db.select().from(simulatedLaw);
  if (row === undefined) throw new Error('the database has no law of the simulated market');
  return row.law;
}
