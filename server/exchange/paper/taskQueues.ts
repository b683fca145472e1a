/** Runs the tasks of one name one after the other, those of different names side by side. */
export class TaskQueues {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(task, task);
    this.#tails.set(name, result);
    const forget = () => {
      if (this.#tails.get(name) === result) this.#tails.delete(name);
    };
    result.then(forget, forget);
    return result;
  }
}
