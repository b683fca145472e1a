// Keeps a PostgreSQL of its own until the standard input closes: `node postgresKeeper.mjs FOLDER_OF_THE_PROGRAMS`
// prints its address when it is ready. It listens on this machine alone and lets everybody in.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const bin = process.argv[2] ?? '';
/** Of a start on a busy machine. */
const PATIENCE_MS = 60_000;
const READY = 'database system is ready to accept connections';

/** PostgreSQL refuses to run as root: its own user, else the one that owns nothing. */
function owner() {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (flag, name) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : undefined;
  };
  const name = ['postgres', 'nobody'].find((each) => numberOf('-u', each) !== undefined);
  if (name === undefined) throw new Error('PostgreSQL 不能以 root 运行，而这里没有用户 postgres 或 nobody');
  return { uid: numberOf('-u', name), gid: numberOf('-g', name) };
}

/** What the programs print is in English and in no terminal's hands. */
const as = { ...owner(), env: { ...process.env, LC_ALL: 'C' }, cwd: tmpdir() };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function makeCluster() {
  const folder = mkdtempSync(path.join(tmpdir(), 'hedge-console-postgres-'));
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const options = ['--username=test', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', path.join(folder, 'cluster'), ...options], {
    ...as,
    encoding: 'utf8',
  });
  if (made.status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  throw new Error(made.error?.message ?? made.stderr);
}

/** What is lost with the machine may be lost here: nothing waits for the disk. */
function startServer(folder, port) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 200,
    // Above errors, of which tests make some on purpose, and with it the line that says that it is up.
    log_min_messages: 'log',
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(path.join(bin, 'postgres'), ['-D', path.join(folder, 'cluster'), ...given], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A Ctrl-C in the terminal is for the tests; they end, and this program ends the server.
    detached: true,
  });
}

/** Whether it came up; it does not when somebody else took the port in between. */
async function isUp(server) {
  const ended = once(server, 'exit').then(() => false);
  const late = setTimeout(() => server.kill('SIGKILL'), PATIENCE_MS);
  let said = '';
  const ready = new Promise((resolve) => {
    server.stderr.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes(READY)) resolve(true);
    });
  });
  const up = await Promise.race([ready, ended]);
  clearTimeout(late);
  server.stderr.removeAllListeners('data').resume();
  if (!up) process.stderr.write(said);
  return up;
}

process.on('SIGINT', () => {});
process.stdin.resume();
const asked = once(process.stdin, 'end');
const folder = makeCluster();
let server;
let port;
for (let attempt = 0; attempt < 3; attempt += 1) {
  port = await freePort();
  server = startServer(folder, port);
  if (await isUp(server)) break;
  server = undefined;
}
if (server) {
  const ended = once(server, 'exit');
  process.stdout.write(`postgres://test@127.0.0.1:${port}/postgres\n`);
  await Promise.race([asked, ended]);
  // At once: nobody needs what is in it any more.
  server.kill('SIGQUIT');
  await ended;
}
rmSync(folder, { recursive: true, force: true });
process.exit(server ? 0 : 1);
