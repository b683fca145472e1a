import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises';

/** Long work gives the others their turn after so long, ms. */
const SLICE_MS = 5;
/** It lets small calls that are under way go first, but waits no longer for them, ms. */
const PATIENCE_MS = 100;

interface Waiting {
  patienceMs: number;
  go: () => void;
}

/** Small calls under way, and when each came. */
const small = new Map<object, number>();
const waiting: Waiting[] = [];
let isPassing = false;

/** A small call came, by what it is known; slices of long work wait for its end. */
export function smallCallCame(call: object): void {
  small.set(call, performance.now());
}

export function smallCallEnded(call: object): void {
  small.delete(call);
}

/** Whether a small call is under way that may still end soon. */
function isHurried(): boolean {
  const since = performance.now() - PATIENCE_MS;
  for (const [call, at] of small) {
    if (at > since) return true;
    // One that does not end, or of which nobody heard that it did, holds up nothing.
    small.delete(call);
  }
  return false;
}

/**
 * Resolves in a turn of the event loop that no other slice of long work has, once no small call is under way.
 * @param patienceMs how long it waits for those; 0 for what only goes on, in a turn of its own
 */
export function nextTurn(patienceMs = PATIENCE_MS): Promise<void> {
  return new Promise((go) => {
    waiting.push({ patienceMs, go });
    if (!isPassing) void passOn();
  });
}

async function passOn(): Promise<void> {
  isPassing = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await turnOfLoop();
    const late = performance.now() + next.patienceMs;
    while (performance.now() < late && isHurried()) {
      await sleep(1);
      // Where timers go off a turn begins, and the slice after this one would come at the end of the same.
      await turnOfLoop();
    }
    next.go();
  }
  isPassing = false;
}

/** Long work in slices: `breathe` waits for the next turn where the slice has lasted long enough. */
export function inSlices(): { breathe: () => Promise<void> } {
  let begun = performance.now();
  return {
    async breathe() {
      if (performance.now() - begun < SLICE_MS) return;
      await nextTurn();
      begun = performance.now();
    },
  };
}

/** Works through a list without holding the process up: what else waits gets its turn in between. */
export async function mapYielding<T, R>(list: readonly T[], work: (one: T, i: number) => R | Promise<R>): Promise<R[]> {
  const { breathe } = inSlices();
  const done: R[] = [];
  for (const [i, one] of list.entries()) {
    done.push(await work(one, i));
    await breathe();
  }
  return done;
}
