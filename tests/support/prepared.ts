import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { knownMigrations } from '#server/base/db/connection/migrate';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { ROOT } from './projectFiles';
import { temporaryFolder } from './temporaryFolder';

/** An installation empties this folder. */
const CACHE = path.join(ROOT, 'node_modules/.cache/hedge-console');
const SCHEMA = createHash('sha256').update(knownMigrations().join()).digest('hex').slice(0, 16);

/** A data folder of its own that was opened once and closed: empty tables of today's schema. */
export async function openedFolder(): Promise<string> {
  const opened = path.join(CACHE, `folder-${SCHEMA}`);
  if (!existsSync(opened)) {
    mkdirSync(CACHE, { recursive: true });
    // Aside first: several workers may come here at once.
    const aside = `${opened}.${process.pid}`;
    await (await openDatabase({ kind: 'folder', path: aside })).close();
    try {
      renameSync(aside, opened);
    } catch (error) {
      if (!existsSync(opened)) throw error;
    }
  }
  const folder = path.join(temporaryFolder(), 'data');
  cpSync(opened, folder, { recursive: true });
  return folder;
}
