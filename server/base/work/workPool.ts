import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { tooMany } from '../http/refusal';

/** The build keeps every worker, as JavaScript, where it is in the sources. */
const SERVER = fileURLToPath(new URL('../..', import.meta.url));
const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts');
const TYPESCRIPT_LOADER = pathToFileURL(path.join(SERVER, '../node_modules/tsx/dist/loader.mjs')).href;

/** Node's arguments for a thread: only the built product is JavaScript; sources need the loader in every thread. */
export const THREAD_ARGUMENTS = IS_SOURCE ? ['--import', TYPESCRIPT_LOADER] : [];

/** The file that a thread runs. @param worker path below server/ without `.worker` and its ending, like `desk/backtest/backtest`. */
export const threadFile = (worker: string) => path.join(SERVER, `${worker}.worker.${IS_SOURCE ? 'ts' : 'js'}`);

/** Runs of one person that may be under way or waiting at the same time. */
const RUNS_PER_OWNER = 2;
/** Runs of everybody together that may wait for a thread. */
const WAITING_RUNS = 64;
/** A thread without work for this long ends and gives its memory back. */
const IDLE_MS = 30_000;
/** When to come back, as told to somebody who is refused: most runs are over by then. */
const RETRY_SECONDS = 2;

/** Threads for sums that would keep the event loop from answering anybody else. */
export interface WorkPool {
  /**
   * Keeps a place for `owner` while `run` prepares and computes.
   * @throws 429 when as many runs are under way as one caller may have.
   */
  hold<T>(owner: string, run: () => Promise<T>): Promise<T>;
  /**
   * Runs the default export of `<worker>.worker.ts` on `task` in a thread; `worker` is its path below server/. Columns on shared memory reach it without a
   * copy. What a worker throws arrives as a bare Error: outcomes that matter have to be part of its answer.
   * @throws an AbortError once `signal` aborts; the thread ends in the middle of its work.
   */
  run<Task, Answer>(worker: string, task: Task, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** A pool that starts its threads with the first work: one for every core but one, which serves the requests. */
export function createWorkPool(): WorkPool {
  const held = new Map<string, number>();
  let threads: Piscina | undefined;
  return {
    async hold(owner, run) {
      const runs = held.get(owner) ?? 0;
      if (runs >= RUNS_PER_OWNER) throw tooMany(RETRY_SECONDS, `最多同时运行 ${RUNS_PER_OWNER} 个计算`);
      held.set(owner, runs + 1);
      try {
        return await run();
      } finally {
        const left = (held.get(owner) ?? 1) - 1;
        if (left === 0) held.delete(owner);
        else held.set(owner, left);
      }
    },
    async run(worker, task, signal) {
      threads ??= startThreads();
      if (threads.queueSize >= WAITING_RUNS) throw tooMany(RETRY_SECONDS, '等待计算的任务过多');
      return threads.run(task, { filename: threadFile(worker), ...(signal ? { signal } : {}) });
    },
    async close() {
      await threads?.destroy();
    },
  };
}

function startThreads(): Piscina {
  return new Piscina({
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: IDLE_MS,
    execArgv: THREAD_ARGUMENTS,
  });
}
