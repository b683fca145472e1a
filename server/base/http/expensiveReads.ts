import type { FastifyInstance } from 'fastify';
import { smallCallCame, smallCallEnded } from '../work/loopTurns';
import { Semaphore } from '../work/semaphore';
import { tooMany } from './refusal';

/** Reads over everything that a person may have at work at once, and how many more may wait. */
const AT_ONCE = 2;
const WAITING = 16;
const RETRY_SECONDS = 2;

interface Reader {
  semaphore: Semaphore;
  reads: number;
}

/** Gives a person's expensive reads their turn. */
export type ExpensiveReads = <T>(userId: string, read: () => Promise<T>) => Promise<T>;

declare module 'fastify' {
  interface FastifyInstance {
    expensiveReads: ExpensiveReads;
  }
}

/** Lets the slices of long work wait for calls that are none. */
export function putSmallCallsFirst(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions }, { raw }) => {
    const { endpoint } = routeOptions.config;
    if (endpoint === undefined || endpoint.expensive || endpoint.streams) return;
    smallCallCame(raw);
    raw.once('close', () => smallCallEnded(raw));
  });
}

/** Lets two of a person's expensive reads work at once: the others wait, and too many of them are refused with 429. */
export function boundExpensiveReads(app: FastifyInstance): void {
  const readers = new Map<string, Reader>();
  const refusal = () => tooMany(RETRY_SECONDS, '同时进行的大查询过多');
  app.decorate('expensiveReads', async (userId, read) => {
    const reader = readers.get(userId) ?? { semaphore: new Semaphore(AT_ONCE, WAITING, refusal), reads: 0 };
    readers.set(userId, reader);
    reader.reads += 1;
    try {
      return await reader.semaphore.pass(read);
    } finally {
      reader.reads -= 1;
      if (reader.reads === 0) readers.delete(userId);
    }
  });
}
