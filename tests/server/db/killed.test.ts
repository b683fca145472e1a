import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../../../server/db/openDatabase';
import { openedFolder } from '../../support/prepared';
import { ROOT } from '../../support/projectFiles';

/** Lets a writer run until it has printed `rows` rows, kills it, and answers what it had printed by then. */
async function writeAndKill(folder: string, rows: number): Promise<number[]> {
  const script = path.join(ROOT, 'tests/support/writeRows.ts');
  const writer = spawn(process.execPath, ['--import', 'tsx', script, folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let isKilled = false;
  writer.stdout.on('data', (chunk) => {
    printed += String(chunk);
    if (isKilled || printed.split('\n').length <= rows) return;
    isKilled = true;
    writer.kill('SIGKILL');
  });
  await once(writer, 'close');
  expect(isKilled).toBe(true);
  // A line cut off in the middle was not printed.
  return printed.slice(0, printed.lastIndexOf('\n')).split('\n').map(Number);
}

test('every row that was acknowledged before a SIGKILL is there after it', async () => {
  const folder = await openedFolder();
  const acknowledged = [...(await writeAndKill(folder, 40)), ...(await writeAndKill(folder, 150))];
  const db = await openDatabase({ kind: 'folder', path: folder });
  const { rows } = await db.execute<{ id: number }>(sql`select id from written`);
  await db.close();
  const found = new Set(rows.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(190);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
}, 120_000);
