import type { Database } from '#server/base/db/client';
import { openUrl } from '#server/base/db/connection/openUrl';
import { postgresDatabase } from './postgresDatabase';

/** Of a database of tests. */
export const CONNECTIONS = 6;

/** An empty database with today's schema, which is gone when it is closed. */
export async function testDatabase(): Promise<Database> {
  const { url, drop } = await postgresDatabase();
  const db = await openUrl(url, { place: 'test', connections: CONNECTIONS, isShared: false });
  const close = db.close.bind(db);
  return Object.assign(db, {
    close: async () => {
      await close();
      await drop();
    },
  });
}
