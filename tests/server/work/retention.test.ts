import { sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { Database } from '#server/base/db/client';
import { BATCH } from '#server/base/db/records/retention';
import { Jobs } from '#server/base/jobs/jobs';
import { Retention } from '#server/start/retention';
import { testApp } from '../../support/app';
import { addBook } from '../../support/bookRows';
import { jobsLater } from '../../support/jobsLater';

const NOW = Date.UTC(2026, 0, 15, 12);
let server: Awaited<ReturnType<typeof testApp>>;
let db: Database;
beforeAll(async () => {
  server = await testApp();
  ({ db } = server);
});
afterAll(() => server.close());

const countOf = async (table: string): Promise<number> => {
  const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int n from ${sql.identifier(table)}`);
  return rows[0]!.n;
};

test('what is older than it is kept goes, in more than one batch; what is younger or kept for ever stays', async () => {
  const [owner] = (await db.execute<{ id: string }>(sql`select id from app_user where name = 'trader'`)).rows;
  await addBook(db, owner!.id);
  const [account] = (await db.execute<{ id: string }>(sql`select id from account where user_id = ${owner!.id}`)).rows;
  await db.execute(sql`delete from login_attempt`);
  await db.execute(sql`delete from login_failure`);
  await db.execute(sql`insert into login_failure (key, failures, first_at)
    select 'pair x ' || n, 1, ${NOW - 3 * HOUR_MS}::bigint from generate_series(1, ${BATCH + 5}) n
    union all select 'pair young', 1, ${NOW - HOUR_MS}::bigint`);
  await db.execute(sql`insert into login_attempt (at, name, address, user_agent, result, reason)
    select ${NOW}::bigint - age * ${DAY_MS}::bigint, 'x', 'x', 'x', 'ok', 'password' from unnest(array[10, 181]) age`);
  await db.execute(sql`insert into paper_order (client_id, account, "order", report, resting)
    select 'order ' || age || rests, 'x', '{}', jsonb_build_object('at', ${NOW}::bigint - age * ${DAY_MS}::bigint), rests
    from unnest(array[10, 91]) age, unnest(array[true, false]) rests`);
  // Every ten minutes of an old hour, whose first is not at the full hour, and of one of yesterday.
  await db.execute(sql`insert into equity_point
      (user_id, account_id, at, equity, transfers, funding, fees, slippage, traded, long_pnl, short_pnl, net, gross)
    select ${owner!.id}, ${account!.id}, start + n * 600000, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from unnest(array[${NOW - 100 * DAY_MS}::bigint, ${NOW - 101 * DAY_MS + 600_000}::bigint, ${NOW - DAY_MS}::bigint]) start,
      generate_series(0, 4) n`);
  const kept = await countOf('ledger');

  const jobs = new Jobs(db);
  const retention = new Retention({ db, jobs, clock: () => NOW });
  await retention.start();
  await retention.start();
  await jobs.runDue();
  expect(await countOf('login_failure')).toBe(1);
  expect(await countOf('login_attempt')).toBe(1);
  expect(await countOf('paper_order')).toBe(3);
  const { rows } = await db.execute<{ at: string }>(sql`select at from equity_point order by at`);
  const ages = rows.map(({ at }) => (NOW - Number(at)) / DAY_MS);
  expect(ages.slice(0, 2)).toEqual([101 - 600_000 / DAY_MS, 100]);
  expect(rows).toHaveLength(2 + 5);
  expect(await countOf('ledger')).toBe(kept);

  // In an hour once more, and not before, however often the server starts.
  const old = sql`insert into login_failure (key, failures, first_at) values ('pair again', 1, ${NOW - 3 * HOUR_MS})`;
  await db.execute(old);
  await retention.start();
  await jobs.runDue();
  expect(await countOf('login_failure')).toBe(2);
  await jobsLater(db, HOUR_MS);
  await jobs.runDue();
  expect(await countOf('login_failure')).toBe(1);
});
