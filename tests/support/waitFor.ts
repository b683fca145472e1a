import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until it is so. @returns milliseconds that it took. @throws when it is not in time. */
export async function waitFor(
  what: string,
  patienceMs: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > patienceMs) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await sleep(20);
  }
  return Math.round(performance.now() - began);
}
