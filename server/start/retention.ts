import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '#contract/duration';
import type { Deps } from '../api/deps';
import { BATCH, RETENTION } from '../base/db/records/retention';

/** Between two batches others have their turn. */
const REST_MS = 50;

/** Takes away what is older than it is kept, batch by batch: a job, once an hour, of whichever process comes first. */
export class Retention {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'jobs'>;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'jobs'>) {
    this.#deps = deps;
    deps.jobs.work('retention', { atOnce: 1, run: ({ signal }) => this.#pass(signal) });
  }

  /** Only one waits: it is the next where there is one already. */
  start(): Promise<void> {
    return this.#next(0);
  }

  #next(waitMs: number): Promise<void> {
    const { db, jobs } = this.#deps;
    return jobs.add(db, 'retention', [{ data: {}, waitMs }]);
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    // First: should this one fail for good, there is another in an hour.
    await this.#next(HOUR_MS);
    for (const { keptMs, drop } of Object.values(RETENTION)) {
      for (let taken = BATCH; taken === BATCH && !signal.aborted; ) {
        taken = await drop(db, clock() - keptMs);
        if (taken === BATCH) await pause(REST_MS);
      }
    }
  }
}
