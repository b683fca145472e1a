import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { savedView } from '#contract/savedView';
import { service } from '#contract/service';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { testApp } from '../../support/app';
import { openedFolder } from '../../support/prepared';
import { temporaryFolder } from '../../support/temporaryFolder';
import { waitFor } from '../../support/waitFor';

const FULL = { code: 503, message: '磁盘已满，现在不能保存，请联系管理员', data: null };
const SCREEN = '/order';
const PATIENCE_MS = 60_000;

/** A server whose log lines are kept. */
async function serverOn(folder: string, room?: () => number) {
  const db = await openDatabase({ kind: 'folder', path: folder }, room ? { room } : {});
  const lines: { msg: string; disk?: string }[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const server = await testApp({ db, log, config: { logLevel: 'warn' } });
  const trader = server.as('trader');
  return {
    ...server,
    db,
    lines,
    write: (name: string) => trader(savedView.save, { body: { screen: SCREEN, name, query: 'state=open' } }),
    read: () => trader(savedView.list, { query: { screen: SCREEN } }),
    isReady: async () => (await server.as('visitor')(service.health)).body.data.ready,
  };
}

test('a full disk answers 503 for what is to be stored and nothing else, and says so once', async () => {
  const disk = { room: Number.POSITIVE_INFINITY };
  const folder = await openedFolder();
  const server = await serverOn(folder, () => disk.room);
  expect((await server.write('前')).status).toBe(200);
  expect(await server.isReady()).toBe(true);

  disk.room = 0;
  await waitFor('nothing is stored', PATIENCE_MS, async () => (await server.write('前')).status === 503);
  for (let i = 0; i < 10; i += 1) {
    const { status, body } = await server.write('满');
    expect({ status, body }).toEqual({ status: 503, body: FULL });
  }
  expect(await server.isReady()).toBe(false);
  const { status, body } = await server.as('visitor')(service.ready);
  expect({ status, body }).toEqual({
    status: 503,
    body: { code: 503, message: '尚未就绪：磁盘已满，不能保存', data: null },
  });
  expect((await server.read()).body.data.list.map(({ name }) => name)).toEqual(['前']);
  const told = () => server.lines.map(({ msg, disk: place }) => [msg, place]);
  expect(told()).toEqual([['the disk of the database is full: nothing is stored until there is room', folder]]);

  disk.room = Number.POSITIVE_INFINITY;
  await waitFor('there is room', PATIENCE_MS, () => server.isReady());
  expect((await server.write('后')).status).toBe(200);
  expect(told()).toHaveLength(2);
  await server.close();
  await server.db.close();
});

/** A small disk of its own, where this may be made here. */
function smallDisk(megabytes: number): { folder: string; unmount: () => void } | null {
  const folder = path.join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  return made.status === 0 ? { folder, unmount: () => spawnSync('umount', ['-l', folder]) } : null;
}

test('a disk that is really full is survived, and what was stored before is there', async () => {
  const disk = smallDisk(200);
  // Only root may make one.
  if (disk === null) return;
  try {
    const folder = path.join(disk.folder, 'data');
    cpSync(await openedFolder(), folder, { recursive: true });
    const server = await serverOn(folder);
    expect((await server.write('前')).status).toBe(200);
    const filler = path.join(disk.folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(200 * 1024 * 1024))).toThrow('ENOSPC');
    await waitFor('nothing is stored', PATIENCE_MS, async () => (await server.write('前')).status === 503);
    expect((await server.write('满')).body).toEqual(FULL);
    expect(await server.isReady()).toBe(false);
    rmSync(filler);
    await waitFor('there is room', PATIENCE_MS, () => server.isReady());
    expect((await server.write('后')).status).toBe(200);
    expect((await server.read()).body.data.list.map(({ name }) => name)).toEqual(['前', '后']);
    await server.close();
    await server.db.close();
  } finally {
    disk.unmount();
  }
});
