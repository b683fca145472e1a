import { accessOf } from '#contract/access';
import type { User } from '#contract/user';
import type { Queries } from '../../base/db/client';
import { findHedge, type HedgeRecord } from '../../base/db/hedges/hedge';
import { notFound } from '../../base/http/refusal';

export const missingHedge = () => notFound('没有这张对冲单');

/** A hedge that the user may read: another user's is not told from a missing one, but for a master. @throws 404. */
export async function readableHedge(db: Queries, user: User, id: string): Promise<HedgeRecord> {
  const record = await findHedge(db, id);
  if (record === null || (record.userId !== user.id && !accessOf(user.role).isMaster)) throw missingHedge();
  return record;
}
