import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#contract/duration';
import { storyToldUntil } from '../../base/db/books/demoStory';
import type { Database } from '../../base/db/client';
import { THREAD_ARGUMENTS, threadFile } from '../../base/work/workPool';
import { PARTS, STORY_DAYS, type StoryPart } from './storyCast';

const LOOK_MS = 100;

/**
 * Tells each part of the demo's past in a process of its own, which serves nobody and gives back what it used; ends when
 * all is told, or soon after `stopped`.
 * @throws when one of the processes failed
 */
export async function seedHistoryInWorker(db: Database, stopped: () => boolean): Promise<void> {
  const parts = Object.keys(PARTS) as StoryPart[];
  const ends = await Promise.allSettled(parts.map((part) => tellPart(db, part, stopped)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function tellPart({ url }: Database, part: StoryPart, stopped: () => boolean): Promise<void> {
  const teller = fork(threadFile('start/demo/story'), { execArgv: THREAD_ARGUMENTS });
  let isOver = false;
  const ended = once(teller, 'exit').finally(() => {
    isOver = true;
  });
  teller.send({ url, part });
  while (!isOver && !stopped()) await Promise.race([ended, sleep(LOOK_MS)]);
  if (teller.connected) teller.disconnect();
  const [code, signal] = await ended;
  if (code !== 0 && !stopped()) throw new Error(`the teller ended with ${signal ?? code}`);
}

/** Which of its days the story has come to, of how many. */
export async function storyProgress(db: Database, now: number): Promise<{ day: number; days: number }> {
  const until = await storyToldUntil(db);
  const ahead = until === null ? STORY_DAYS : Math.floor(now / DAY_MS) - Math.floor(until / DAY_MS);
  return { day: Math.min(STORY_DAYS, Math.max(0, STORY_DAYS - ahead)), days: STORY_DAYS };
}
