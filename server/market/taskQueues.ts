import { Mutex } from 'async-mutex';

/** Runs the tasks of one name one after the other, those of different names side by side. */
export class TaskQueues {
  readonly #turns = new Map<string, Mutex>();

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(name) ?? new Mutex();
    this.#turns.set(name, turn);
    try {
      return await turn.runExclusive(task);
    } finally {
      if (!turn.isLocked()) this.#turns.delete(name);
    }
  }

  /** Resolves when no task of this name, or of any, is left. */
  async idle(name?: string): Promise<void> {
    const turns = name === undefined ? [...this.#turns.values()] : [this.#turns.get(name)];
    await Promise.all(turns.map((turn) => turn?.waitForUnlock()));
  }
}
