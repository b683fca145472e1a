import type { Database } from '#server/db/client';
import { openDatabase } from '#server/db/openDatabase';
import { postgresDatabase } from './postgresDatabase';
import { memoryDatabase } from './prepared';

/** An empty database with today's schema: in memory, or on a real PostgreSQL where TEST_DATABASE says `postgres`. */
export async function testDatabase(): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') return memoryDatabase();
  const { url, drop } = await postgresDatabase();
  const db = await openDatabase({ kind: 'url', url });
  const close = db.close.bind(db);
  return Object.assign(db, {
    close: async () => {
      await close();
      await drop();
    },
  });
}
