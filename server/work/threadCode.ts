import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The build keeps every worker, as JavaScript, where it is in the sources. */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts');
const TSX = path.join(SERVER, '../node_modules/tsx/dist');
const TYPESCRIPT_LOADER = pathToFileURL(path.join(TSX, 'loader.mjs')).href;
const MODULE_LOADER = pathToFileURL(path.join(TSX, 'esm/api/index.mjs')).href;

/** Node's arguments for a thread: only the built product is JavaScript; sources need the loader in every thread. */
export const THREAD_ARGUMENTS = IS_SOURCE ? ['--import', TYPESCRIPT_LOADER] : [];

/** The file that a thread runs. @param worker path below server/ without `.worker` and its ending, like `db/cluster`. */
export const threadFile = (worker: string) => path.join(SERVER, `${worker}.worker.${IS_SOURCE ? 'ts' : 'js'}`);

/** Starts a thread of its own for a worker. */
export function startThread(worker: string, workerData: unknown): Worker {
  if (!IS_SOURCE) return new Worker(threadFile(worker), { workerData, execArgv: [] });
  // What `--import` brings knows no TypeScript module that a thread imports.
  const [loader, file] = [MODULE_LOADER, pathToFileURL(threadFile(worker)).href].map((url) => JSON.stringify(url));
  const begin = `import(${loader}).then(({ register }) => { register(); return import(${file}); })`;
  return new Worker(begin, { eval: true, workerData, execArgv: [] });
}
