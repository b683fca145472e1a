/** How much was used of what a window of time allows, by who asks. Windows begin on full multiples of their length. */
export class Budget {
  readonly windowMs: number;
  readonly limit: number;
  readonly #used = new Map<string, { window: number; amount: number }>();

  constructor(windowMs: number, limit: number) {
    this.windowMs = windowMs;
    this.limit = limit;
  }

  /** Adds to what `who` used and answers how much that is now. */
  use(who: string, amount: number, now: number): number {
    const window = Math.floor(now / this.windowMs);
    const before = this.#used.get(who);
    const used = (before?.window === window ? before.amount : 0) + amount;
    this.#used.set(who, { window, amount: used });
    return used;
  }

  /** Ms until the running window ends. */
  left(now: number): number {
    return this.windowMs - (now % this.windowMs);
  }
}
