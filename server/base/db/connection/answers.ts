import { sql } from 'drizzle-orm';
import type { Queries } from '../client';

/** Asks the database for nothing: resolves to true when it answers, as late as it may. */
export async function answers(db: Queries): Promise<true> {
  await db.execute(sql`select 1`);
  return true;
}
