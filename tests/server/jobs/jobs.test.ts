import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/duration';
import type { Queries } from '#server/base/db/client';
import { type Job, JobFailed, Jobs, NotNow } from '#server/base/jobs/jobs';
import { jobsLater } from '../../support/jobsLater';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

type Delivery = Job<{ userId: string; notificationId: number }>;
const db = await fileDatabase();
beforeEach(() => db.execute(sql`delete from pgboss.job`));

/** A process whose deliveries are made by `run`. */
function worker(run: (job: Delivery) => Promise<void>, atOnce = 20): Jobs {
  const jobs = new Jobs(db);
  jobs.work('webhook', { atOnce, run });
  return jobs;
}
const data = (notificationId: number, userId = 'somebody') => ({ data: { userId, notificationId }, key: userId });
const stateOf = async (): Promise<unknown[]> =>
  (await db.execute(sql`select name, state, retry_count as retries from pgboss.job order by name`)).rows;

test('a job is there when its transaction is, and not when that is not', async () => {
  const done: number[] = [];
  const jobs = worker(async (job) => void done.push(job.data.notificationId));
  await expect(
    db.transaction(async (tx) => {
      await jobs.add(tx as unknown as Queries, 'webhook', [data(1)]);
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  await db.transaction((tx) => jobs.add(tx as unknown as Queries, 'webhook', [data(2)]));
  await jobs.runDue();
  expect(done).toEqual([2]);
});

test('of two processes that look at the same moment one does each job', async () => {
  const done: number[] = [];
  const run = async (job: Delivery) => void done.push(job.data.notificationId);
  const [one, other] = [worker(run), worker(run)];
  await one.add(
    db,
    'webhook',
    Array.from({ length: 100 }, (_, i) => data(i)),
  );
  await Promise.all([one.runDue(), other.runDue()]);
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

test('what is added is begun at once; what a process that ended had left is found by another', async () => {
  const done: number[] = [];
  const jobs = worker(async (job) => void done.push(job.data.notificationId));
  await new Jobs(db).add(db, 'webhook', [data(1)]);
  jobs.start();
  await waitFor('what was left', 60_000, async () => done.length === 1);
  await jobs.add(db, 'webhook', [data(2)]);
  jobs.wake();
  await waitFor('what was added', 60_000, async () => done.length === 2);
  await jobs.stop();
});

test('an attempt that was begun and never ended is made again when its lease is over, as the same job', async () => {
  const begun: string[] = [];
  const dead = worker((job) => {
    begun.push(job.id);
    return new Promise(() => undefined);
  });
  await dead.add(db, 'webhook', [data(1)]);
  void dead.runDue();
  await waitFor('the attempt', 60_000, async () => begun.length === 1);
  const done: string[] = [];
  const run = async (job: Delivery) => void done.push(job.id);
  await worker(run).runDue();
  expect(done).toEqual([]);
  await jobsLater(db, 4 * MINUTE_MS);
  await worker(run).runDue();
  await jobsLater(db, MINUTE_MS);
  await worker(run).runDue();
  expect(done).toEqual(begun);
});

test('a failure is tried again after growing waits, and is a dead letter in the end, which says why and no more', async () => {
  let attempts = 0;
  const letters: unknown[] = [];
  const jobs = worker(async () => {
    attempts += 1;
    throw attempts < 10 ? new Error('https://token.example') : new JobFailed('HTTP 500');
  });
  jobs.work('webhook-given-up', { atOnce: 1, run: async ({ data, failure }) => void letters.push([data, failure]) });
  await jobs.add(db, 'webhook', [data(7)]);
  const waits: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    await jobs.runDue();
    const { rows } = await db.execute<{ wait: number; output: object }>(
      sql`select extract(epoch from start_after - now())::float8 wait, output from pgboss.job where state = 'retry'`,
    );
    if (rows[0] === undefined) break;
    waits.push(rows[0].wait);
    expect(rows[0].output).toEqual({ message: 'Error' });
    await jobsLater(db, rows[0].wait * 1000 + 100);
  }
  expect(attempts).toBe(10);
  expect(waits).toHaveLength(9);
  for (const [i, wait] of waits.entries()) {
    expect(wait).toBeGreaterThan(10 * 2 ** i - 2);
    expect(wait).toBeLessThan(20 * 2 ** i);
  }
  expect(letters).toEqual([[{ userId: 'somebody', notificationId: 7 }, 'HTTP 500']]);
  expect(await stateOf()).toEqual([
    { name: 'webhook', state: 'failed', retries: 9 },
    { name: 'webhook-given-up', state: 'completed', retries: 0 },
  ]);
});

test('what cannot be done now is put off under its id, without counting as an attempt', async () => {
  const seen: string[] = [];
  let isOpen = false;
  const jobs = worker(async ({ id }) => {
    seen.push(id);
    if (!isOpen) throw new NotNow(10_000);
  });
  await jobs.add(db, 'webhook', [data(1)]);
  for (let turn = 0; turn < 15; turn += 1) {
    await jobs.runDue();
    await jobsLater(db, 11_000);
  }
  isOpen = true;
  await jobs.runDue();
  expect(new Set(seen).size).toBe(1);
  expect(seen).toHaveLength(16);
  expect(await stateOf()).toEqual([{ name: 'webhook', state: 'completed', retries: 0 }]);
});

test('what is put off after a failure still knows how often and of what it failed', async () => {
  let turn = 0;
  const jobs = worker(async () => {
    turn += 1;
    throw turn < 3 ? new JobFailed('HTTP 500') : new NotNow(10_000);
  });
  await jobs.add(db, 'webhook', [data(1)]);
  for (let i = 0; i < 4; i += 1) {
    await jobs.runDue();
    await jobsLater(db, MINUTE_MS);
  }
  const { rows } = await db.execute(sql`select data - 'userId' as data, retry_limit as limit from pgboss.job`);
  expect(rows).toEqual([{ data: { notificationId: 1, before: 2, failure: 'HTTP 500' }, limit: 7 }]);
});

test('of one lane one is under way, in its order; others go beside it; the end waits for them and puts the rest back', async () => {
  const begun: string[] = [];
  const jobs = new Jobs(db);
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  jobs.work('webhook', {
    atOnce: 2,
    lane: { of: ({ userId }) => userId, order: (a, b) => a.notificationId - b.notificationId, most: 50 },
    run: async ({ data: { userId, notificationId } }) => {
      begun.push(`${userId} ${notificationId}`);
      if (userId === 'slow') await ended;
    },
  });
  await jobs.add(
    db,
    'webhook',
    [3, 1, 2].map((n) => data(n, 'slow')),
  );
  await jobs.add(
    db,
    'webhook',
    [5, 4].map((n) => data(n, 'quick')),
  );
  jobs.start();
  await waitFor('the quick ones', 60_000, async () => begun.length === 3);
  expect(begun.filter((one) => one.startsWith('slow'))).toEqual(['slow 1']);
  expect(begun.filter((one) => one.startsWith('quick'))).toEqual(['quick 4', 'quick 5']);
  const stopped = jobs.stop();
  end();
  await stopped;
  expect(begun).toHaveLength(3);
  const { rows } = await db.execute(
    sql`select data ->> 'notificationId' n from pgboss.job where state = 'created' order by 1`,
  );
  expect(rows).toEqual([{ n: '2' }, { n: '3' }]);
});

test('what its owner takes away is not done, not even by who has it in hand', async () => {
  const done: number[] = [];
  const jobs = worker(async (job) => {
    await jobs.drop(db, 'webhook', [job.id]);
    done.push(job.data.notificationId);
    throw new NotNow(0);
  });
  await jobs.add(db, 'webhook', [data(1)]);
  await jobs.runDue();
  expect(done).toEqual([1]);
  expect(await stateOf()).toEqual([]);
});
