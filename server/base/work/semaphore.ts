/**
 * Lets `width` jobs run at once and `queue` more wait; further ones are refused at once. p-limit and p-queue let any
 * number wait.
 */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  constructor(
    private readonly width: number,
    private readonly queue: number,
    private readonly refusal: () => Error,
  ) {}

  /** Runs the job when there is room. Throws the semaphore's refusal when the queue is full. */
  async pass<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running < this.width) this.#running += 1;
    else {
      if (this.#waiting.length >= this.queue) throw this.refusal();
      // A finished job hands its place on, so nobody who comes later overtakes the queue.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
