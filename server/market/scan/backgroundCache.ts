import { LRUCache } from 'lru-cache';
import { mapYielding } from '../../base/work/loopTurns';

/**
 * Tells at once what is known, and reads what is not: what of hundreds of instruments takes seconds, nobody waits for. What was known
 * of the version before holds until then; `undefined` before anything is. A failure is thrown at the next question.
 * @param max answers that are kept
 */
export function backgroundCache<A, T>(
  read: (asked: A) => Promise<T>,
  max = 4_000,
): (key: string, version: string, asked: A) => T | undefined {
  const kept = new LRUCache<string, { version: string; known: T }>({ max });
  const waiting = new Map<string, { version: string; asked: A }>();
  let isWorking = false;
  let failure: { reason: unknown } | undefined;

  async function work(): Promise<void> {
    isWorking = true;
    try {
      while (waiting.size > 0) {
        await mapYielding([...waiting], async ([key, { version, asked }]) => {
          kept.set(key, { version, known: await read(asked) });
          waiting.delete(key);
        });
      }
    } catch (reason) {
      waiting.clear();
      failure = { reason };
    }
    isWorking = false;
  }

  return (key, version, asked) => {
    if (failure) {
      const { reason } = failure;
      failure = undefined;
      throw reason;
    }
    const found = kept.get(key);
    if (found?.version !== version && !waiting.has(key)) waiting.set(key, { version, asked });
    if (waiting.size > 0 && !isWorking) void work();
    return found?.known;
  };
}
