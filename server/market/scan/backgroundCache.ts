import { LRUCache } from 'lru-cache';
import { mapYielding } from '../../base/work/loopTurns';

interface Kind<A, T> {
  read: (asked: A) => Promise<T>;
  keyOf: (asked: A) => string;
  /** What was read holds as long as it stays the same. */
  versionOf: (asked: A) => string;
  /** Answers that are kept. */
  max?: number;
  /** Nothing more is read once it is given. */
  ended?: AbortSignal | undefined;
}

interface Slot<T> {
  by: unknown;
  and: unknown;
  known: T;
}

/** Of one holder. */
const SLOTS = 8;

/**
 * Tells at once what is known, and reads what is not: what of hundreds of instruments takes seconds, nobody waits for. What was known
 * of the version before holds until then; `undefined` before anything is. A failure is thrown at the next question.
 *
 * Thousands of answers are asked for at every beat: each is found again by what it hangs on, `holder`, which lives no
 * longer than its version, and by what else it is asked with.
 */
export function backgroundCache<A, T>({ read, keyOf, versionOf, max = 4_000, ended }: Kind<A, T>) {
  const kept = new LRUCache<string, { version: string; known: T }>({ max });
  const waiting = new Map<string, { version: string; asked: A }>();
  const found = new Map<object, Slot<T>[]>();
  let isWorking = false;
  let failure: { reason: unknown } | undefined;

  async function work(): Promise<void> {
    isWorking = true;
    try {
      while (waiting.size > 0) {
        await mapYielding([...waiting], async ([key, { version, asked }]) => {
          if (!ended?.aborted) kept.set(key, { version, known: await read(asked) });
          waiting.delete(key);
        });
      }
    } catch (reason) {
      waiting.clear();
      failure = { reason };
    }
    isWorking = false;
  }

  function keep(slots: Slot<T>[] | undefined, holder: object, slot: Slot<T>): void {
    if (slots !== undefined) {
      if (slots.push(slot) > SLOTS) slots.shift();
      return;
    }
    // Holders of versions before are left behind.
    if (found.size >= max) found.clear();
    found.set(holder, [slot]);
  }

  return (asked: A, holder: object, by: unknown, and?: unknown): T | undefined => {
    if (failure) {
      const { reason } = failure;
      failure = undefined;
      throw reason;
    }
    const slots = found.get(holder);
    if (slots !== undefined) for (const slot of slots) if (slot.by === by && slot.and === and) return slot.known;
    const [key, version] = [keyOf(asked), versionOf(asked)];
    const before = kept.get(key);
    if (before?.version === version) keep(slots, holder, { by, and, known: before.known });
    else if (!waiting.has(key)) waiting.set(key, { version, asked });
    if (waiting.size > 0 && !isWorking) void work();
    return before?.known;
  };
}
