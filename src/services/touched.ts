/** Who has done nothing for so long looks on, or is away. */
const AWAY_MS = 30_000;
const HANDS = ['pointermove', 'pointerdown', 'wheel', 'touchstart', 'keydown', 'focus'] as const;

let last = Date.now();
const touch = () => {
  last = Date.now();
};
for (const hand of HANDS) window.addEventListener(hand, touch, { capture: true, passive: true });

/** Whether somebody has had a hand on this tab within the last half minute. */
export const isTouched = (): boolean => Date.now() - last < AWAY_MS;
