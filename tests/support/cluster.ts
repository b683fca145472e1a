// Keeps a PostgreSQL for tests until the standard input closes: prints its address, with a template of today's schema in
// it, when it is ready. What is lost with the machine may be lost here: nothing waits for the disk.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openUrl } from '../../server/base/db/connection/openUrl';
import { installedPostgres } from '../../server/base/db/embedded/binaries';
import { Cluster } from '../../server/base/db/embedded/cluster';
import { runnerFor } from '../../server/base/db/embedded/runner';
import { TEMPLATE } from './template';

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  autovacuum: 'off',
  max_wal_size: '4GB',
};

process.on('SIGINT', () => {});
process.stdin.resume();
const asked = once(process.stdin, 'end');
const runner = runnerFor(installedPostgres());
const folder = mkdtempSync(path.join(runner.elsewhere ?? tmpdir(), 'tests-'));
const files = path.join(folder, 'pg');
try {
  await Cluster.create(files, runner);
  const cluster = await Cluster.start(files, runner, { settings: SETTINGS });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  const url = Object.assign(new URL(cluster.url), { pathname: TEMPLATE }).href;
  await (await openUrl(url, { place: TEMPLATE, connections: 1, isShared: false })).close();
  await client.end();
  process.stdout.write(`${cluster.url}\n`);
  await asked;
  await cluster.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
