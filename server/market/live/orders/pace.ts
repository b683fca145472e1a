import { setTimeout as pause } from 'node:timers/promises';

/** Has questions wait for one another that an exchange counts by the second, so that it refuses none of them. */
export class Pace {
  readonly #everyMs: number;
  readonly #signal: AbortSignal;
  #next: Promise<unknown> = Promise.resolve();

  constructor(everyMs: number, signal: AbortSignal) {
    this.#everyMs = everyMs;
    this.#signal = signal;
  }

  /** Asks in its turn. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const turn = this.#next;
    const rest = () => pause(this.#everyMs, undefined, { signal: this.#signal }).catch(() => undefined);
    this.#next = turn.then(rest);
    await turn;
    return question();
  }
}
