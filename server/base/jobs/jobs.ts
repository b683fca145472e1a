import { Mutex, Semaphore } from 'async-mutex';
import type PgBoss from 'pg-boss';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { JobQueue } from '#contract/job';
import type { PushTarget } from '#contract/pushChannel';
import type { Database, Queries } from '../db/client';
import { ownStatements } from '../db/connection/statements';
import { JOB_SCHEMA, type JobToMake, lockFailing, waitingQueues } from '../db/records/job';

/** What is done later, by the queue that it waits in, and what a job of it knows: never what is secret. The migrations make the queues. */
export interface QueueData extends Record<JobQueue, object> {
  /** A notification on its way out of the console to its user: to the webhook, where no channel is named. */
  webhook: { userId: string; notificationId: number; channel?: PushTarget };
  /** Dead letters of the one before: its owner is to be told. */
  'webhook-given-up': { userId: string; channel?: PushTarget };
  /** Takes away what is older than it is kept. */
  retention: object;
  /** Holds real accounts against their exchange. */
  reconcile: object;
}

type QueueName = JobQueue;

/** One attempt at a job. */
export interface Job<Data> {
  /** The same for each attempt. */
  id: string;
  data: Data;
  /** What the attempt before, or the job that this is the dead letter of, failed of. */
  failure: string | null;
  /** Ends when the server does: what is half done then is to be left so that it can be done again. */
  signal: AbortSignal;
}

/** An attempt that failed, in words that may be shown. Of any other error only the name is kept. */
export class JobFailed extends Error {}

/** Not now: the attempt does not count. */
export class NotNow extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('not now');
    this.waitMs = waitMs;
  }
}

interface Work<Data> {
  /** Jobs that run at once. */
  atOnce: number;
  /** Jobs of one lane go one after another, in this order, and are taken from the queue together. */
  lane?: { of(data: Data): string; order(a: Data, b: Data): number; most: number };
  /** An attempt that throws is made again later, until none is left: then the job is a dead letter. */
  run(job: Job<Data>): Promise<void>;
}

interface AddedJob<Data> {
  data: Data;
  /** What the jobs of one owner are found by. */
  key?: string;
  waitMs?: number;
}

/** What a job that was put back knows besides its data: attempts that failed before, and what the last of them failed of. */
interface Remembered {
  before?: number;
  failure?: string;
}

type Stored = PgBoss.JobWithMetadata<Remembered>;
interface Worker extends Work<object> {
  queue: QueueName;
  places: Semaphore;
  held: number;
}

/** What other processes left when they ended is looked for so often; what this one adds it begins at once. */
const LOOK_MS = 30_000;
/** After a look that failed, or found what another process had just taken. */
const AGAIN_MS = 5_000;
/** Attempts that were begun and never ended are looked for so often. */
const EXPIRY_MS = MINUTE_MS;
/** What was taken and has waited in its lane so long goes back, before its lease ends and another takes it as well. */
const LANE_MS = MINUTE_MS;
const LONGEST_DELAY_S = DAY_MS / 1000;
const DONE_KEPT_S = DAY_MS / 1000;
const DEAD_KEPT_S = (30 * DAY_MS) / 1000;

/** What an attempt failed of; where its process never said how it went, pg-boss has put something of its own there. */
export function failureOf(output: unknown): string | null {
  const { message, value } = (output ?? {}) as { message?: string; value?: unknown };
  return message ?? (value === undefined ? null : '执行中断，到期仍没有结果');
}

/**
 * Jobs of the database's queues, each run by one process at a time. The queues are pg-boss's: what is taken, its lease,
 * its attempts and the growing waits between them, and its dead letters. Here is when to look: pg-boss would ask every
 * two seconds for each queue.
 */
export class Jobs {
  readonly #db: Database;
  readonly #onTrouble: (what: string) => void;
  readonly #workers = new Map<string, Worker>();
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #held = new Set<Promise<void>>();
  readonly #looking = new Mutex();
  readonly #ending = new AbortController();
  #boss: Promise<PgBoss> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #isWoken = false;
  #expiredAt = 0;
  #tidiedAt = Date.now();

  constructor(db: Database, onTrouble: (what: string) => void = () => undefined) {
    this.#db = db;
    this.#onTrouble = onTrouble;
  }

  /** Says who does the jobs of a queue; before the start. */
  work<Q extends QueueName>(queue: Q, work: Work<QueueData[Q]>): void {
    const places = new Semaphore(work.atOnce);
    this.#workers.set(queue, { ...(work as unknown as Work<object>), queue, places, held: 0 });
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Something was added: it is looked for at once, not at the next look. After the transaction that added it. */
  wake(): void {
    this.#isWoken = true;
    // While it looks, the next look is set when this one has ended.
    if (this.#started && !this.#looking.isLocked()) this.#next(0);
  }

  /** Waits for what runs; what was taken and not begun goes back. */
  async stop(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#looking.waitForUnlock();
    await Promise.all(this.#held);
  }

  /** Does everything that is due now. */
  async runDue(): Promise<void> {
    do {
      await this.#look();
      await Promise.all(this.#held);
    } while ((await waitingQueues(this.#db)).some(({ queue, inMs }) => inMs <= 0 && this.#workers.has(queue)));
  }

  /** Within the caller's transaction: the jobs are there when what they are about is. */
  async add<Q extends QueueName>(tx: Queries, queue: Q, jobs: readonly AddedJob<QueueData[Q]>[]): Promise<void> {
    if (jobs.length === 0) return;
    const rows = jobs.map(({ data, key, waitMs }) => ({
      ...{ name: queue as string, data, singletonKey: key },
      ...(waitMs === undefined ? {} : { startAfter: secondsOf(waitMs) }),
    }));
    await (await this.#open()).insert(rows, { db: ownStatements(tx) });
  }

  /** Takes jobs away, whatever they are at; one that runs is not made again. */
  async drop(tx: Queries, queue: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await (await this.#open()).deleteJob(queue, [...ids], { db: ownStatements(tx) });
  }

  /** Tries at once what failed: one job, or all of a queue. A dead one gets one attempt more. @returns how many there are */
  async retry(queue: QueueName, id?: string): Promise<number> {
    const count = await this.#db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      const jobs = await lockFailing(tx, queue, id);
      await this.#again(tx, queue, jobs, 0);
      return jobs.length;
    });
    this.wake();
    return count;
  }

  /** Takes a job away that failed. @returns whether there was one */
  async discard(queue: QueueName, id: string): Promise<boolean> {
    return this.#db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      const jobs = await lockFailing(tx, queue, id);
      await this.drop(
        tx,
        queue,
        jobs.map((job) => job.id),
      );
      return jobs.length > 0;
    });
  }

  /** Loaded and checked when it is first needed: not while the product starts. */
  #open(): Promise<PgBoss> {
    this.#boss ??= this.#begin().catch((error) => {
      this.#boss = undefined;
      throw error;
    });
    return this.#boss;
  }

  async #begin(): Promise<PgBoss> {
    const { default: Boss } = await import('pg-boss');
    const boss = new Boss({
      ...{ db: ownStatements(this.#db), schema: JOB_SCHEMA, migrate: false, supervise: false, schedule: false },
      ...{ archiveCompletedAfterSeconds: DONE_KEPT_S, archiveFailedAfterSeconds: DEAD_KEPT_S, deleteAfterDays: 1 },
    });
    return boss.start();
  }

  #next(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#turn(), ms);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    this.#isWoken = false;
    const wait = await this.#look().catch((error: Error) => {
      this.#onTrouble(error.name);
      this.#isWoken = false;
      return AGAIN_MS;
    });
    this.#next(this.#isWoken ? 0 : wait);
  }

  /** Begins what is due. @returns in how many ms to look again */
  #look(): Promise<number> {
    return this.#looking.runExclusive(async () => {
      await this.#tidy();
      let wait = LOOK_MS;
      for (const { queue, inMs } of await waitingQueues(this.#db)) {
        const worker = this.#workers.get(queue);
        if (worker === undefined) continue;
        wait = Math.min(wait, inMs > 0 ? Math.ceil(inMs) + 1 : await this.#take(worker));
      }
      return wait;
    });
  }

  /** Ends the leases of those that never said how it went, and puts away what is long done. */
  async #tidy(): Promise<void> {
    const now = Date.now();
    if (now - this.#expiredAt < EXPIRY_MS) return;
    const boss = await this.#open();
    this.#expiredAt = now;
    if (now - this.#tidiedAt < HOUR_MS) return boss.expire();
    this.#tidiedAt = now;
    await boss.maintain();
  }

  async #take(worker: Worker): Promise<number> {
    const free = (worker.lane?.most ?? worker.atOnce) - worker.held;
    // Whoever ends first looks again.
    if (free <= 0 || this.#ending.signal.aborted) return LOOK_MS;
    const boss = await this.#open();
    const taken: Stored[] = await boss.fetch(worker.queue, { batchSize: free, includeMetadata: true });
    const { order } = worker.lane ?? {};
    if (order !== undefined) taken.sort((a, b) => order(a.data, b.data));
    for (const job of taken) this.#hold(worker, job);
    return taken.length > 0 ? LOOK_MS : AGAIN_MS;
  }

  #hold(worker: Worker, job: Stored): void {
    const takenAt = Date.now();
    const lane = `${worker.queue} ${worker.lane?.of(job.data) ?? job.id}`;
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const run = before
      .then(() => worker.places.runExclusive(() => this.#attempt(worker, job, takenAt)))
      // The database is away: the lease ends, and then it is taken up again.
      .catch((error: Error) => this.#onTrouble(error.name))
      .finally(() => {
        if (this.#lanes.get(lane) === run) this.#lanes.delete(lane);
        this.#held.delete(run);
        worker.held -= 1;
        this.wake();
      });
    worker.held += 1;
    this.#lanes.set(lane, run);
    this.#held.add(run);
  }

  async #attempt(worker: Worker, stored: Stored, takenAt: number): Promise<void> {
    const { id, data, output } = stored;
    const { signal } = this.#ending;
    if (signal.aborted || Date.now() - takenAt > LANE_MS) return this.#putBack(stored, 0);
    const boss = await this.#open();
    try {
      await worker.run({ id, data, failure: failureOf(output), signal });
    } catch (error) {
      if (error instanceof NotNow) return this.#putBack(stored, error.waitMs);
      const message = error instanceof JobFailed ? error.message : (error as Error).name;
      return boss.fail(worker.queue, id, { message });
    }
    await boss.complete(worker.queue, id);
  }

  async #putBack(stored: Stored, waitMs: number): Promise<void> {
    const toMake = { ...stored, failed: stored.retryCount };
    await this.#db.transaction((tx) => this.#again(tx as unknown as Queries, stored.name, [toMake], waitMs));
  }

  /** Under the same ids, with the attempts that they have left and the waits that the next of them had. */
  async #again(tx: Queries, queue: string, jobs: readonly JobToMake[], waitMs: number): Promise<void> {
    if (jobs.length === 0) return;
    const boss = await this.#open();
    const db = ownStatements(tx);
    const ids = jobs.map(({ id }) => id);
    const { affected } = (await boss.deleteJob(queue, ids, { db })) as unknown as { affected: number };
    // Somebody has taken it away meanwhile.
    if (affected === 0) return;
    const again = jobs.map(({ id, data, output, failed, retryLimit, retryDelay, singletonKey }) => {
      const known: Remembered = data;
      const failure = failureOf(output) ?? known.failure;
      const before = (known.before ?? 0) + failed;
      return {
        ...{ id, name: queue, data: { ...data, before, ...(failure === undefined ? {} : { failure }) } },
        ...{ startAfter: secondsOf(waitMs), retryLimit: Math.max(retryLimit - failed, 0) },
        retryDelay: Math.min(retryDelay * 2 ** failed, LONGEST_DELAY_S),
        // Where only one without a key may wait, one waits already.
        singletonKey: singletonKey ?? id,
      };
    });
    await boss.insert(again, { db });
  }
}

/** By the database's clock, not by this machine's. */
const secondsOf = (ms: number): string => String(ms / 1000);
