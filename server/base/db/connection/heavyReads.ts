import { AsyncLocalStorage } from 'node:async_hooks';
import { Semaphore } from 'async-mutex';
import { nextTurn } from '../../work/loopTurns';

const readers = new AsyncLocalStorage<string>();

let reading = 0;

/** Runs what reads much for somebody: its statements go one by one and let everybody else's calls go first. */
export async function asHeavyReader<T>(userId: string, read: () => Promise<T>): Promise<T> {
  reading += 1;
  try {
    return await readers.run(userId, read);
  } finally {
    reading -= 1;
    // While one is kept, every promise of the process takes three times as long before Node 24.
    if (reading === 0) readers.disable();
  }
}

/** Gives each statement of a heavy read its turn, and what is made of its answer another; all others are asked at once. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * A database's way of asking: however many statements a heavy reader has, so many of them are with the database at
 * once, so that those of others do not queue behind them; and none begins while a small call is under way.
 * @param atOnce statements of one reader; a database with one connection takes one.
 */
export function askingInTurn(atOnce: number): Asking {
  const lanes = new Map<string, Semaphore>();
  return async (ask) => {
    const reader = readers.getStore();
    if (reader === undefined) return ask();
    const lane = lanes.get(reader) ?? new Semaphore(atOnce);
    lanes.set(reader, lane);
    try {
      const answer = await lane.runExclusive(async () => {
        await nextTurn();
        return ask();
      });
      // Answers that come together would else be worked on in one turn.
      await nextTurn(0);
      return answer;
    } finally {
      // `runExclusive` has given the place to who waits: the last one out finds it free.
      if (lane.getValue() === atOnce) lanes.delete(reader);
    }
  };
}
