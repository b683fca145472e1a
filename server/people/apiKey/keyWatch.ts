import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { keysUnaskedSince } from '../../base/db/accounts/apiKey';
import { Refusal } from '../../base/http/refusal';
import type { PeopleDeps } from '../deps';
import { askAboutStored } from './changeKey';

type Needs = Pick<PeopleDeps, 'db' | 'clock' | 'vault' | 'keyCheck'>;

/** A key that nobody asks about is asked about so often. */
export const ASK_EVERY_MS = HOUR_MS;
const LOOK_MS = 5 * MINUTE_MS;
/** Exchanges count what they are asked: the rest waits for the next look. */
const MOST_AT_ONCE = 100;

/**
 * Asks exchanges about stored keys now and then, so that one that ends, is refused or may do something else is known
 * before a strategy needs it. What is seen is kept with the key; who is told of it is told from there.
 */
export class KeyWatch {
  readonly #deps: Needs;
  readonly #onTrouble: (what: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: Needs, onTrouble: (what: string) => void) {
    this.#deps = deps;
    this.#onTrouble = onTrouble;
  }

  /** Asks nothing where there is no exchange to ask. */
  start(): void {
    if (this.#deps.keyCheck === null) return;
    const look = () => {
      this.#running = this.pass().catch((error: Error) => this.#onTrouble(error.name));
    };
    this.#timer = setInterval(look, LOOK_MS);
    this.#timer.unref();
    look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Asks about the keys that are due, one after another. @returns how many */
  async pass(): Promise<number> {
    const { db, clock } = this.#deps;
    const due = await keysUnaskedSince(db, clock() - ASK_EVERY_MS, MOST_AT_ONCE);
    // An exchange that is silent would be waited for once a key.
    const silent = new Set<string>();
    for (const record of due) {
      if (silent.has(record.exchange)) continue;
      try {
        const { outcome } = await askAboutStored(this.#deps, record, false);
        if (outcome === 'unanswered') silent.add(record.exchange);
      } catch (error) {
        // One that its master key does not open keeps the others from nothing.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    return due.length;
  }
}
