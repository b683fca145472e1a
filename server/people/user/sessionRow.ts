import type { SessionRow } from '#contract/session';
import type { StoredSession } from '../../base/db/users/session';
import { expiryOf } from '../auth/session';
import { deviceOf } from './device';
import { originOf } from './originOf';

/** @param currentId of the session that asks. */
export const sessionRow = (row: StoredSession, currentId: string | undefined): SessionRow => ({
  id: row.id,
  current: row.id === currentId,
  address: row.address,
  origin: originOf(row.address),
  userAgent: row.userAgent,
  device: deviceOf(row.userAgent),
  createdAt: row.createdAt,
  seenAt: row.seenAt,
  expiresAt: expiryOf(row),
});
