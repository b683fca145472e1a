/** Statements that are at work on the event loop let everybody else have a turn after so long, ms. */
const STRETCH_MS = 10;

/**
 * Knows for how long the event loop has not turned. The embedded database answers within the turn in which it is
 * asked: of many statements one after the other nobody else would get to do anything until the last of them.
 */
export class LoopTurns {
  #since: number | null = null;

  /** Resolves at once while the turn is young, else in the next one. */
  async breathe(): Promise<void> {
    if (this.#since === null) {
      this.#since = performance.now();
      setImmediate(() => {
        this.#since = null;
      });
    } else if (performance.now() - this.#since > STRETCH_MS) await new Promise((resolve) => setImmediate(resolve));
  }
}
