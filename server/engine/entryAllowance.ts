/** Deals begun in one tick, of all users: more of them would keep those that run from being looked at. */
const ENTRIES = 20;

/** Shares out what may be begun in a tick among the users who want to begin something. */
export class EntryAllowance {
  #left = ENTRIES;
  #taken = new Map<string, number>();
  /** Who wanted to begin something in this tick, and in the one before. */
  #wanting = new Set<string>();
  #denied = new Set<string>();
  #wanted = new Set<string>();
  /** Who has begun something, the longest ago first. */
  readonly #served = new Set<string>();

  /** For the tick that starts now. */
  renew(): void {
    this.#wanted = this.#wanting;
    this.#wanting = new Set();
    this.#denied = new Set();
    this.#taken = new Map();
    this.#left = ENTRIES;
  }

  /** Whether a user was told in this tick to wait for the next one. */
  isDenied(userId: string): boolean {
    return this.#denied.has(userId);
  }

  /** Asked for what would be begun at once. @returns whether it may; who may not is thought of in the next tick. */
  take(userId: string): boolean {
    this.#wanting.add(userId);
    const others = this.#wanted.size - (this.#wanted.has(userId) ? 1 : 0);
    const taken = this.#taken.get(userId) ?? 0;
    if (this.#left <= 0 || taken >= Math.ceil(ENTRIES / (others + 1))) {
      this.#denied.add(userId);
      return false;
    }
    this.#left -= 1;
    this.#taken.set(userId, taken + 1);
    this.#served.delete(userId);
    this.#served.add(userId);
    return true;
  }

  /** Who began something the longest ago comes first. */
  inOrder(users: readonly string[]): string[] {
    const those = new Set(users);
    for (const userId of this.#served) if (!those.has(userId)) this.#served.delete(userId);
    return [...users.filter((userId) => !this.#served.has(userId)), ...this.#served];
  }
}
