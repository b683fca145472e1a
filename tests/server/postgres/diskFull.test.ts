import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { savedView } from '#contract/savedView';
import { service } from '#contract/service';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { testApp } from '../../support/app';
import { postgresDatabase } from '../../support/postgresDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
const MEGABYTE = `insert into filler select repeat('x', 1900) from generate_series(1, 500)`;

test('a PostgreSQL whose disk is full is told as one, and goes on when there is room', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hedge-console-disk-'));
  const place = path.join(folder, 'small');
  chmodSync(folder, 0o755);
  mkdirSync(place);
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'tmpfs', place]);
  // Only root may make one.
  if (made.status !== 0) return;
  const database = await postgresDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const admin = new pg.Client({
    connectionString: Object.assign(new URL(database.url), { pathname: '/postgres' }).href,
  });
  await admin.connect();
  try {
    await admin.query(`create tablespace ${name} location '${place}'`);
    await admin.query(`alter database ${name} set tablespace ${name}`);
    const cushion = path.join(place, 'cushion');
    writeFileSync(cushion, Buffer.alloc(8 * 1024 * 1024));
    const db = await openDatabase({ kind: 'url', url: database.url });
    const server = await testApp({ db });
    const write = () => server.as('trader')(savedView.save, { body: { screen: '/order', name: '视图', query: '' } });
    const isReady = async () => (await server.as('visitor')(service.health)).body.data.ready;
    expect((await write()).status).toBe(200);

    const filler = new pg.Client({ connectionString: database.url });
    await filler.connect();
    await filler.query('create table filler (x text)');
    const fill = async (statement: string): Promise<void> => {
      for (;;) await filler.query(statement);
    };
    await expect(fill(MEGABYTE)).rejects.toMatchObject({ code: '53100' });
    await expect(fill(`insert into filler values (repeat('x', 1900))`)).rejects.toMatchObject({ code: '53100' });
    // Pages that are there already take some rows more.
    await waitFor('nothing is stored', PATIENCE_MS, async () => (await write()).status === 503);
    expect((await write()).body.message).toBe('磁盘已满，现在不能保存，请联系管理员');
    expect(await isReady()).toBe(false);

    await filler.end();
    rmSync(cushion);
    await waitFor('there is room', PATIENCE_MS, isReady);
    expect((await write()).status).toBe(200);
    await server.close();
    await db.close();
  } finally {
    await admin.query(`alter database ${name} set tablespace pg_default`).catch(() => undefined);
    await admin.query(`drop tablespace if exists ${name}`).catch(() => undefined);
    await admin.end();
    await database.drop();
    spawnSync('umount', ['-l', place]);
    rmSync(folder, { recursive: true, force: true });
  }
});
