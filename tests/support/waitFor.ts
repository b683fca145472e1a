import { setTimeout as sleep } from 'node:timers/promises';

/** What is seen within a second on a quiet machine may take this long on a busy one; nobody waits longer than it takes. */
const LEAST_PATIENCE_MS = 60_000;

/** Looks until it is so. @param patienceMs what is less than a minute counts as one. @param everyMs between two looks; who asks a server by its calls may ask only so often. @returns milliseconds that it took. @throws when it is not in time. */
export async function waitFor(
  what: string,
  patienceMs: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<number> {
  const began = performance.now();
  const mostMs = Math.max(patienceMs, LEAST_PATIENCE_MS);
  while (!(await isSo())) {
    if (performance.now() - began > mostMs) throw new Error(`not within ${mostMs} ms: ${what}`);
    await sleep(everyMs);
  }
  return Math.round(performance.now() - began);
}
