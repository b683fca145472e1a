import { useSyncExternalStore } from 'react';

/** Who has done nothing for so long looks on, or is away. */
const AWAY_MS = 30_000;
const HANDS = ['pointermove', 'pointerdown', 'wheel', 'touchstart', 'keydown', 'focus'] as const;

/** Nobody has had a hand on a tab that has just been loaded. */
let last = 0;
let returns = 0;
const listeners = new Set<() => void>();

/** Whether somebody has had a hand on this tab within the last half minute. */
export const isTouched = (): boolean => Date.now() - last < AWAY_MS;

function touch(): void {
  const isReturn = !isTouched();
  last = Date.now();
  if (!isReturn) return;
  returns += 1;
  for (const listener of [...listeners]) listener();
}
for (const hand of HANDS) window.addEventListener(hand, touch, { capture: true, passive: true });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often somebody came back to this tab; renders anew when it happens. */
export const useReturns = (): number => useSyncExternalStore(subscribe, () => returns);
