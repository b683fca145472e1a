import { setImmediate as turn } from 'node:timers/promises';

/** Other requests are not kept waiting longer than this, ms. */
const SLICE_MS = 15;

/** Works through a list without holding the process up: what else waits gets its turn in between. */
export async function inTurns<T, R>(list: readonly T[], work: (one: T, i: number) => R | Promise<R>): Promise<R[]> {
  const done: R[] = [];
  let begun = performance.now();
  for (const [i, one] of list.entries()) {
    done.push(await work(one, i));
    if (performance.now() - begun < SLICE_MS) continue;
    await turn();
    begun = performance.now();
  }
  return done;
}
