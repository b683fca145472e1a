import type { Database } from '#server/base/db/client';
import { openUrl } from '#server/base/db/connection/openUrl';
import { atEnd } from './atEnd';
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

/** A database for all tests of the file that asks for it as it is loaded. */
export async function fileDatabase(): Promise<Database> {
  const db = await testDatabase();
  atEnd(() => db.close());
  return db;
}
