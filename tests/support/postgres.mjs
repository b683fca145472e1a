import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from './isExecutable.mjs';

/** Debian keeps each major version in a folder of its own, and off the PATH. */
const DEBIAN = '/usr/lib/postgresql';

const NEEDED =
  'PostgreSQL 测试需要 initdb 与 postgres：请安装 postgresql（apt-get install -y postgresql），或用 POSTGRES_BIN 指明它们所在的目录，或用 TEST_POSTGRES_URL 指明一个可以建库的 PostgreSQL';

const KEEPER = fileURLToPath(new URL('./postgresKeeper.mjs', import.meta.url));

function debianFolders() {
  try {
    const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => path.join(DEBIAN, version, 'bin'));
  } catch {
    return [];
  }
}

/** The folder of an installed PostgreSQL's programs, or undefined. */
function findPostgres() {
  const folders = [process.env.POSTGRES_BIN, ...debianFolders(), ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.find(
    (folder) => folder && ['initdb', 'postgres'].every((name) => isExecutable(path.join(folder, name))),
  );
}

/** Finds PostgreSQL, or installs it where apt-get and root allow; else says in one line what to install. */
function ensurePostgres() {
  const found = findPostgres();
  if (found) return { bin: found };
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return { problem: NEEDED };
  const apt = (...args) =>
    // Not on the standard output, which a test runner may read.
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'postgresql');
  const installed = findPostgres();
  return installed ? { bin: installed } : { problem: NEEDED };
}

/**
 * The PostgreSQL that TEST_POSTGRES_URL names, or one of its own in a temporary folder, which ends and is removed with
 * this process however that ends.
 * @throws with one line when there is none to start.
 */
export async function startPostgres() {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) return { url: given, stop: async () => {} };
  const { bin, problem } = ensurePostgres();
  if (problem) throw new Error(problem);
  // A program of its own keeps it: it sees the pipe close also when this process is killed.
  const keeper = spawn(process.execPath, [KEEPER, bin], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let said = '';
  keeper.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const ended = once(keeper, 'exit').then(() => undefined);
  const address = once(keeper.stdout, 'data').then(([chunk]) => String(chunk).trim());
  const url = await Promise.race([address, ended]);
  if (!url) throw new Error(`PostgreSQL 没有启动：\n${said}`);
  // Whoever forgets it is not kept from ending by it.
  for (const handle of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) handle.unref();
  return {
    url,
    stop: async () => {
      keeper.ref();
      keeper.stdin.end();
      await ended;
    },
  };
}
