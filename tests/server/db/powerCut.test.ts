import { cpSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { Database } from '../../../server/db/client';
import { openDatabase } from '../../../server/db/openDatabase';
import { PowerCut } from '../../support/powerCut';
import { openedFolder } from '../../support/prepared';
import { temporaryFolder } from '../../support/temporaryFolder';

const COMMITS = 60;

/** An empty database of ours, copied for each test. */
let empty: string;

beforeAll(async () => {
  empty = await openedFolder();
  const db = await openDatabase({ kind: 'folder', path: empty });
  await db.execute(sql`create table filled (id int primary key, text text not null)`);
  await db.close();
});

/** Writes on a disk that remembers only what was synced, and says which rows were acknowledged. */
async function run(deaf: boolean, work: (db: Database, acknowledge: (id: number) => void) => Promise<void>) {
  const base = temporaryFolder();
  const folder = path.join(base, 'data');
  cpSync(empty, folder, { recursive: true });
  const cluster = path.join(folder, 'postgres');
  const image = path.join(base, 'image');
  mkdirSync(image);
  cpSync(folder, image, { recursive: true });
  const disk = new PowerCut(cluster, path.join(image, 'postgres'), deaf);
  const db = await openDatabase({ kind: 'folder', path: folder }, { io: disk });
  const acknowledged: number[] = [];
  await work(db, (id) => acknowledged.push(id));
  // The cut: what the image holds at this instant is all there is, whatever is written later.
  const cut = path.join(base, 'cut');
  cpSync(image, cut, { recursive: true });
  return { db, disk, cut, image, acknowledged, base };
}

async function rowsIn(folder: string): Promise<number[]> {
  const db = await openDatabase({ kind: 'folder', path: folder });
  try {
    const { rows } = await db.execute<{ id: number }>(sql`select id from filled order by id`);
    // The index must agree with the table it is for.
    const indexed = await db.execute<{ n: number }>(sql`select count(*)::int n from filled where id >= 0`);
    expect(indexed.rows[0]?.n).toBe(rows.length);
    return rows.map(({ id }) => id);
  } finally {
    await db.close();
  }
}

const insert = (db: Database, id: number) =>
  db.execute(sql`insert into filled values (${id}, repeat(md5(${id}::text), 20))`);

async function oneByOne(db: Database, acknowledge: (id: number) => void): Promise<void> {
  for (let id = 0; id < COMMITS; id += 1) {
    await insert(db, id);
    acknowledge(id);
  }
}

async function manyAtOnce(db: Database, acknowledge: (id: number) => void): Promise<void> {
  const ids = Array.from({ length: COMMITS }, (_, id) => id);
  await Promise.all(ids.map((id) => insert(db, id).then(() => acknowledge(id))));
}

test('every acknowledged commit is there after a power cut, what was rolled back is not; a read asks for no sync', async () => {
  const { db, disk, cut, acknowledged } = await run(false, async (db, acknowledge) => {
    await oneByOne(db, acknowledge);
    await db.transaction(async (tx) => {
      await tx.execute(sql`insert into filled values (101, 'a'), (102, 'b')`);
    });
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into filled values (103, 'c')`);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
  });
  expect(acknowledged).toHaveLength(COMMITS);
  const before = disk.syncs;
  for (let read = 0; read < 20; read += 1) await db.execute(sql`select count(*) from pg_class`);
  expect(disk.syncs).toBe(before);
  expect(await rowsIn(cut)).toEqual([...acknowledged, 101, 102]);
  await db.close();
});

test('commits that wait together share a sync and lose nothing; after a sync that was refused nothing succeeds', async () => {
  const { db, disk, cut, acknowledged } = await run(false, async (db, acknowledge) => {
    await db.execute(sql`select 1`);
    await manyAtOnce(db, acknowledge);
  });
  expect(disk.syncs).toBeLessThan(COMMITS);
  expect(await rowsIn(cut)).toEqual(acknowledged.toSorted((a, b) => a - b));
  disk.data = () => Promise.reject(new Error('EIO'));
  await expect(insert(db, 102)).rejects.toThrow();
  disk.data = () => Promise.resolve();
  await expect(insert(db, 103)).rejects.toThrow();
  await expect(db.close()).rejects.toThrow();
});

test('checkpoints, new segments and pages written early by the system lose nothing', async () => {
  const random = mersenne(20261121);
  const { db, disk, image, acknowledged, base } = await run(false, async (db, acknowledge) => {
    await db.execute(sql`insert into filled select g, repeat(md5(g::text), 20) from generate_series(1000, 40000) g`);
    await db.execute(sql`checkpoint`);
    await db.execute(sql`update filled set text = text || 'x' where id > 20000`);
    await oneByOne(db, acknowledge);
  });
  disk.writeBack(() => uniformInt(random, 0, 1) === 1);
  const cut = path.join(base, 'cutLate');
  renameSync(image, cut);
  const rows = new Set(await rowsIn(cut));
  expect(acknowledged.filter((id) => !rows.has(id))).toEqual([]);
  expect(rows.size).toBe(acknowledged.length + 39_001);
  await db.close();
}, 60_000);

test('the same disk loses acknowledged rows when syncs do not reach it', async () => {
  const { db, cut, acknowledged } = await run(true, oneByOne);
  const found = await rowsIn(cut).catch(() => []);
  expect(found.length).toBeLessThan(acknowledged.length);
  await db.close();
});
