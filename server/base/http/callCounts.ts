import { LRUCache } from 'lru-cache';

type Counted = { current: number; ttl: number };

const CALLERS_KEPT = 5_000;

/** Calls by caller within a time of their own from the first one on; one that nothing came of can be given back. */
export class CallCounts {
  readonly #calls = new LRUCache<string, { current: number; since: number }>({ max: CALLERS_KEPT });

  incr(key: string, told: (error: Error | null, counted: Counted) => void, timeWindow: number): void {
    const now = Date.now();
    const known = this.#calls.get(key);
    const counted = known && now < known.since + timeWindow ? known : { current: 0, since: now };
    counted.current += 1;
    this.#calls.set(key, counted);
    told(null, { current: counted.current, ttl: counted.since + timeWindow - now });
  }

  giveBack(key: string): void {
    const counted = this.#calls.get(key);
    if (counted && counted.current > 0) counted.current -= 1;
  }

  child(): this {
    return this;
  }
}
