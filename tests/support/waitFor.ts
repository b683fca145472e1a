import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until it is so. @param everyMs between two looks; who asks a server by its calls may ask only so often. @returns milliseconds that it took. @throws when it is not in time. */
export async function waitFor(
  what: string,
  patienceMs: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > patienceMs) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await sleep(everyMs);
  }
  return Math.round(performance.now() - began);
}
