// One PostgreSQL for all server tests of a run: the one that TEST_POSTGRES_URL names, else one of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const KEEPER = fileURLToPath(new URL('./cluster.ts', import.meta.url));

export default async function startPostgres() {
  if (process.env.TEST_POSTGRES_URL) return;
  // A program of its own keeps it: it sees the pipe close also when this process is killed.
  const keeper = spawn(process.execPath, ['--import', 'tsx', KEEPER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(keeper, 'exit').then(() => undefined);
  const address = once(keeper.stdout, 'data').then(([chunk]) => String(chunk).trim());
  const url = await Promise.race([address, ended]);
  if (!url) throw new Error('The PostgreSQL of the tests did not start.');
  process.env.TEST_POSTGRES_URL = url;
  globalThis.stopPostgres = async () => {
    keeper.stdin.end();
    await ended;
  };
}
