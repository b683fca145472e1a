import { rmSync } from 'node:fs';
import type { Database } from '../../server/base/db/client';
import { openDatabase } from '../../server/base/db/connection/openDatabase';
import { temporaryFolder } from '../support/temporaryFolder';

/** An embedded database of its own as the product has it; its folder goes when it is closed. */
export async function benchDatabase(): Promise<Database> {
  const folder = temporaryFolder();
  const db = await openDatabase({ kind: 'folder', path: folder });
  const close = db.close.bind(db);
  return Object.assign(db, {
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
