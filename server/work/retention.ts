import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '#contract/duration';
import { BATCH, RETENTION } from '../db/records/retention';
import type { Deps } from '../deps';

/** Between two batches others have their turn. */
const REST_MS = 50;

/** Takes away what is older than it is kept, batch by batch, once an hour. */
export class Retention {
  readonly #deps: Pick<Deps, 'db' | 'clock'>;
  readonly #onTrouble: (what: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(deps: Pick<Deps, 'db' | 'clock'>, onTrouble: (what: string) => void) {
    this.#deps = deps;
    this.#onTrouble = onTrouble;
  }

  start(): void {
    const look = () => {
      this.#running = this.pass().catch((error: Error) => this.#onTrouble(error.name));
    };
    this.#timer = setInterval(look, HOUR_MS);
    this.#timer.unref();
    look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** @returns how many rows are gone. */
  async pass(): Promise<number> {
    const { db, clock } = this.#deps;
    let gone = 0;
    for (const { keptMs, drop } of Object.values(RETENTION)) {
      for (let taken = BATCH; taken === BATCH && !this.#stopped; ) {
        taken = await drop(db, clock() - keptMs);
        gone += taken;
        if (taken === BATCH) await pause(REST_MS);
      }
    }
    return gone;
  }
}
