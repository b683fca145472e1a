import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { THREAD_ARGUMENTS, threadFile } from '../work/threadCode';

const LOOK_MS = 100;

/**
 * Tells the demo's past in a process of its own, which serves nobody and gives back what it used; ends when it is told, or
 * soon after `stopped`.
 * @throws when the process failed
 */
export async function tellStoryApart({ url }: Database, stopped: () => boolean): Promise<void> {
  const teller = fork(threadFile('demo/story'), { execArgv: THREAD_ARGUMENTS });
  let isOver = false;
  const ended = once(teller, 'exit').finally(() => {
    isOver = true;
  });
  teller.send({ url });
  while (!isOver && !stopped()) await Promise.race([ended, sleep(LOOK_MS)]);
  if (teller.connected) teller.disconnect();
  const [code, signal] = await ended;
  if (code !== 0 && !stopped()) throw new Error(`the teller ended with ${signal ?? code}`);
}
