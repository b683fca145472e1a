import { sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { isDiskFull } from './databaseFailure';

/** How often it is looked whether there is room again. */
const LOOK_MS = 1_000;

/** What is written to see whether the disk takes it: about a megabyte, which nobody else sees and nothing keeps. */
const TRIAL = sql`create temporary table disk_trial on commit drop as
  select repeat('x', 1900) as filler from generate_series(1, 500)`;

interface Told {
  onFull: () => void;
  onRoom: () => void;
}

/** Whether the disk of the database is full, by what it refused last; told once, and when there is room again. */
export class DiskWatch {
  readonly #db: Queries;
  readonly #told: Told;
  #looks: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(db: Queries, told: Told) {
    this.#db = db;
    this.#told = told;
  }

  get isFull(): boolean {
    return this.#looks !== undefined;
  }

  /** @returns whether that is what a call failed of. */
  note(error: unknown): boolean {
    if (!isDiskFull(error)) return false;
    if (this.#looks === undefined) {
      this.#looks = setInterval(() => void this.#look(), LOOK_MS).unref();
      this.#told.onFull();
    }
    return true;
  }

  close(): void {
    clearInterval(this.#looks);
    this.#looks = undefined;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const isStillFull = await this.#db
      .transaction((tx) => tx.execute(TRIAL))
      .then(() => false)
      .catch(() => true);
    this.#looking = false;
    if (isStillFull || !this.isFull) return;
    this.close();
    this.#told.onRoom();
  }
}
