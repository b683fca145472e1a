/**
 * A clock that begins at an instant and runs on: what a test sees of the market does not depend on the hour at which it runs.
 * @param start UTC ms
 */
export function clockFrom(start: number): () => number {
  const began = performance.now();
  return () => start + Math.floor(performance.now() - began);
}

/** Just after a full hour. For hours on all venues of the simulated market answer, and no funding settles. */
export const QUIET_START = Date.UTC(2026, 10, 20, 9) + 30_000;

/** The same, which a test also sets forward and has stand still. */
export function steeredClock(start: number) {
  let ahead = 0;
  let heldAt: number | null = null;
  const running = clockFrom(start);
  const clock = () => heldAt ?? running() + ahead;
  return {
    clock,
    /** @param ms by which it is later */
    wait: (ms: number) => {
      ahead += ms;
    },
    /** It stands still until that is done: what is asked for one after the other is of one instant. */
    async still<T>(run: () => Promise<T>): Promise<T> {
      heldAt = clock();
      try {
        return await run();
      } finally {
        heldAt = null;
      }
    },
  };
}
