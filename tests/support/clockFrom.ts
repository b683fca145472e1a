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
