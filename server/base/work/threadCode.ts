import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The build keeps every worker, as JavaScript, where it is in the sources. */
const SERVER = fileURLToPath(new URL('../..', import.meta.url));
const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts');
const TYPESCRIPT_LOADER = pathToFileURL(path.join(SERVER, '../node_modules/tsx/dist/loader.mjs')).href;

/** Node's arguments for a thread: only the built product is JavaScript; sources need the loader in every thread. */
export const THREAD_ARGUMENTS = IS_SOURCE ? ['--import', TYPESCRIPT_LOADER] : [];

/** The file that a thread runs. @param worker path below server/ without `.worker` and its ending, like `desk/backtest/backtest`. */
export const threadFile = (worker: string) => path.join(SERVER, `${worker}.worker.${IS_SOURCE ? 'ts' : 'js'}`);
