import { useSyncExternalStore } from 'react';

const SECOND_MS = 1_000;

const listeners = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  clock ??= setInterval(tick, SECOND_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

function read(): number {
  // Nobody has kept it since.
  if (clock === undefined && Date.now() - now >= SECOND_MS) now = Date.now();
  return now;
}

/**
 * What is made of the present (UTC ms) second by second; one beat for all that shows it: a table with many countdowns is
 * laid out once. Renders anew only when what is made of it has changed.
 */
export const useSecond = <T extends string | number | undefined>(of: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => of(read()));
