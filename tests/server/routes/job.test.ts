import { sql } from 'drizzle-orm';
import { audit } from '#contract/audit';
import { HOUR_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import { job as api, JOB_QUEUES, type JobQueueRow, type JobRow } from '#contract/job';
import { notification } from '#server/base/db/schema';
import { findUser } from '#server/base/db/users/user';
import { type Job, JobFailed, Jobs } from '#server/base/jobs/jobs';
import { fileApp, START } from '../../support/app';
import { jobsLater } from '../../support/jobsLater';
import { waitFor } from '../../support/waitFor';

/** What becomes of each attempt. */
let host = async (_job: Job<{ notificationId: number }>): Promise<void> => undefined;
const news = new Map<string, number>();

const server = await fileApp();
const jobs = new Jobs(server.db);
jobs.work('webhook', { atOnce: 5, run: (one) => host(one) });
jobs.work('webhook-given-up', { atOnce: 1, run: async () => undefined });
const userId = (await findUser(server.db, 'trader'))!.id;
for (const title of ['开仓', '平仓', '冻结']) {
  const row = { userId, key: title, kind: 'system', level: 'info', title, text: '', link: null, at: START } as const;
  const [added] = await server.db.insert(notification).values(row).returning({ id: notification.id });
  news.set(title, added!.id);
}
beforeEach(async () => {
  await server.db.execute(sql`delete from pgboss.job`);
  host = async () => {
    throw new JobFailed('HTTP 500');
  };
});

const master = () => server.as('master');
const listed = async (query: QueryOf<typeof api.list> | object = {}) =>
  (await master()(api.list, { query: query as Record<string, unknown> })).body.data;
const queueOf = async (queue = 'webhook'): Promise<JobQueueRow> =>
  (await listed()).queues.find((one) => one.queue === queue)!;
const send = (...titles: string[]) =>
  jobs.add(
    server.db,
    'webhook',
    titles.map((title) => ({ data: { userId, notificationId: news.get(title)! }, key: userId })),
  );
/** Lets all that waits fail until it is given up. */
async function giveUp(): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await jobs.runDue();
    await jobsLater(server.db, 3 * HOUR_MS);
  }
}

test('what no queue is called is refused at its field', async () => {
  const queue = 'elsewhere';
  const answers: { status: number; body: { data: unknown } }[] = [
    await master()(api.list, { query: { queue } }),
    await master()(api.retry, { body: { queue } }),
    await master()(api.discard, { body: { queue, id: 'x' } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(body.data).toMatchObject({ fields: [{ field: 'queue' }] });
  }
  const unsorted = await master()(api.list, { query: { sort: 'reason' } });
  expect([unsorted.status, unsorted.body.data]).toMatchObject([400, { fields: [{ field: 'sort' }] }]);
});

test('a queue says what waits, what is tried again, what was given up and what was done', async () => {
  expect((await listed()).queues.map(({ queue }) => queue)).toEqual([...JOB_QUEUES]);
  expect(await queueOf()).toEqual({
    ...{ queue: 'webhook', waiting: 0, active: 0, retrying: 0, dead: 0, done: 0, doneAt: null, nextAt: null },
  });
  await send('开仓');
  expect(await queueOf()).toMatchObject({ waiting: 1, retrying: 0, nextAt: expect.any(Number) });
  await jobs.runDue();
  expect(await queueOf()).toMatchObject({ waiting: 0, retrying: 1, dead: 0 });
  host = async () => expect(await queueOf()).toMatchObject({ active: 1, retrying: 0 });
  await jobsLater(server.db, HOUR_MS);
  await jobs.runDue();
  expect(await queueOf()).toMatchObject({ active: 0, retrying: 0, done: 1, doneAt: expect.any(Number), nextAt: null });
});

test('what failed is listed with its reason, its attempts and the next of them, until it is given up', async () => {
  await send('开仓', '平仓');
  host = async ({ data }) => {
    if (data.notificationId === news.get('平仓')) throw new JobFailed('超时');
  };
  await jobs.runDue();
  const row = (await listed({ queue: 'webhook', state: 'retrying' })).list[0]!;
  expect(row).toMatchObject({
    user: 'trader',
    subject: '平仓',
    reason: '超时',
    state: 'retrying',
    tries: 1,
    mostTries: 10,
  });
  expect(row.nextAt! - row.at).toBeGreaterThan(5_000);
  expect((await listed({ state: 'dead' })).list).toEqual([]);
  expect((await listed({ queue: 'retention' })).total).toBe(0);
  await giveUp();
  const { list, total } = await listed();
  expect([list, total]).toEqual([[{ ...row, state: 'dead', tries: 10, at: expect.any(Number), nextAt: null }], 1]);
});

test('what its process never finished says that it was broken off', async () => {
  await send('开仓');
  const gone = new Jobs(server.db);
  let begun = () => {};
  const isBegun = new Promise<void>((done) => {
    begun = done;
  });
  gone.work('webhook', {
    atOnce: 1,
    run: () => {
      begun();
      return new Promise(() => undefined);
    },
  });
  void gone.runDue();
  await isBegun;
  // What is under way is nobody's to try again, or to take away.
  const { rows } = await server.db.execute<{ id: string }>(sql`select id from pgboss.job`);
  const body = { queue: 'webhook', id: rows[0]!.id } as const;
  expect((await master()(api.retry, { body })).status).toBe(404);
  expect((await master()(api.discard, { body })).status).toBe(404);
  await jobsLater(server.db, HOUR_MS);
  await new Jobs(server.db).runDue();
  expect((await listed()).list).toMatchObject([{ reason: '执行中断，到期仍没有结果', tries: 1 }]);
});

test('one that waits for its next attempt is tried at once, with the attempts that it has left', async () => {
  await send('开仓', '平仓');
  await jobs.runDue();
  const [row, other] = (await listed()).list as [JobRow, JobRow];
  const { body } = await master()(api.retry, { body: { queue: 'webhook', id: row.id } });
  expect(body.data).toEqual({ retried: 1 });
  const seen: string[] = [];
  host = async ({ id }) => {
    seen.push(id);
    throw new JobFailed('HTTP 502');
  };
  await jobs.runDue();
  expect(seen).toEqual([row.id]);
  const { list } = await listed();
  expect(list).toMatchObject([
    { id: row.id, reason: 'HTTP 502', tries: 2, mostTries: 10 },
    { id: other.id, reason: 'HTTP 500', tries: 1 },
  ]);
});

test('all that failed of a queue is tried once more; what was given up and fails again is given up again', async () => {
  await send('开仓', '平仓', '冻结');
  await giveUp();
  expect(await queueOf()).toMatchObject({ dead: 3 });
  host = async ({ data }) => {
    if (data.notificationId === news.get('冻结')) throw new JobFailed('HTTP 404');
  };
  expect((await master()(api.retry, { body: { queue: 'webhook' } })).body.data).toEqual({ retried: 3 });
  // Until its turn comes it is still there, with what it failed of.
  expect((await listed()).list).toMatchObject([{ reason: 'HTTP 500' }, { reason: 'HTTP 500' }, { reason: 'HTTP 500' }]);
  await jobs.runDue();
  const row = (await listed()).list[0]!;
  expect(row).toMatchObject({ subject: '冻结', state: 'dead', reason: 'HTTP 404', tries: 11, mostTries: 11 });
  expect(await queueOf()).toMatchObject({ dead: 1, done: 2 });
  expect((await master()(api.retry, { body: { queue: 'retention' } })).body.data).toEqual({ retried: 0 });
});

test('a clean-up that was given up is tried again although the next one waits', async () => {
  await server.db.execute(
    sql`insert into pgboss.job (name, data, state, policy, retry_limit) values ('retention', '{}', 'failed', 'short', 0)`,
  );
  await jobs.add(server.db, 'retention', [{ data: {}, waitMs: HOUR_MS }]);
  await master()(api.retry, { body: { queue: 'retention' } });
  const runs: string[] = [];
  const own = new Jobs(server.db);
  own.work('retention', { atOnce: 1, run: async ({ id }) => void runs.push(id) });
  await own.runDue();
  expect(runs).toHaveLength(1);
  expect(await queueOf('retention')).toMatchObject({ waiting: 1, done: 1, dead: 0 });
});

test('what is discarded is gone, and the log says who did what', async () => {
  await send('开仓');
  await jobs.runDue();
  const row = (await listed()).list[0]!;
  await master()(api.retry, { body: { queue: 'webhook' } });
  const discard = () => master()(api.discard, { body: { queue: 'webhook', id: row.id } });
  expect((await discard()).body.data).toEqual({ id: row.id });
  expect(await listed()).toMatchObject({ list: [], total: 0 });
  const again = await discard();
  expect([again.status, again.body.message]).toEqual([404, '没有找到失败的任务：可能已经完成，或正在执行']);
  const trail = async () => (await master()(audit.list, { query: { pageSize: 3 } })).body.data.list;
  await waitFor('the outcome of all', 60_000, async () => (await trail()).every(({ result }) => result !== 'unknown'));
  expect(await trail()).toMatchObject([
    { actor: 'master', action: 'DELETE /api/job', object: row.id, result: 'refused' },
    { actor: 'master', title: '丢弃一个失败的任务，不再重试', object: row.id, result: 'done' },
    { actor: 'master', action: 'POST /api/job/retry', object: 'webhook', result: 'done' },
  ]);
});
