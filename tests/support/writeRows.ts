import { sql } from 'drizzle-orm';
import { openDatabase } from '../../server/db/openDatabase';

/** Writes rows without end into the folder it is given, some alone and some together, and prints each that was acknowledged. */
const db = await openDatabase({ kind: 'folder', path: process.argv[2] ?? '' });
await db.execute(sql`create table if not exists written (id int primary key)`);
const last = await db.execute<{ id: number }>(sql`select coalesce(max(id), 0) id from written`);

async function write(id: number): Promise<void> {
  await db.execute(sql`insert into written values (${id})`);
  process.stdout.write(`${id}\n`);
}

for (let id = (last.rows[0]?.id ?? 0) + 1; ; id += 4) {
  await write(id);
  await Promise.all([write(id + 1), write(id + 2), write(id + 3)]);
}
