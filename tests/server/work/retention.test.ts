import { sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { BATCH, RETENTION } from '#server/base/db/records/retention';
import { Jobs } from '#server/base/jobs/jobs';
import { Retention } from '#server/start/trading';
import { fileApp } from '../../support/app';
import { addBook } from '../../support/bookRows';
import { jobsLater } from '../../support/jobsLater';

const NOW = Date.UTC(2026, 0, 15, 12);
const server = await fileApp();
const { db } = server;

const countOf = async (table: string): Promise<number> => {
  const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int n from ${sql.identifier(table)}`);
  return rows[0]!.n;
};

test('what is older than it is kept goes, in more than one batch; what is younger or kept for ever stays', async () => {
  const [owner] = (await db.execute<{ id: string }>(sql`select id from app_user where name = 'trader'`)).rows;
  await addBook(db, owner!.id);
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
  const kept = await countOf('ledger');

  const jobs = new Jobs(db);
  const retention = new Retention({ db, jobs, clock: () => NOW });
  await retention.start();
  await retention.start();
  await jobs.runDue();
  expect(await countOf('login_failure')).toBe(1);
  expect(await countOf('login_attempt')).toBe(1);
  expect(await countOf('paper_order')).toBe(3);
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

test('points of equity go by the month, once it is over for long enough; of each hour the first stays', async () => {
  const [owner] = (await db.execute<{ id: string }>(sql`select id from app_user where name = 'trader'`)).rows;
  const [account] = (await db.execute<{ id: string }>(sql`select id from account where user_id = ${owner!.id}`)).rows;
  /** Every ten minutes from there on, five times. */
  const draw = (start: number) =>
    db.execute(sql`insert into equity_point
        (user_id, account_id, at, equity, transfers, funding, fees, slippage, traded, long_pnl, short_pnl, net, gross)
      select ${owner!.id}, ${account!.id}, ${start}::bigint + n * 600000, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0
      from generate_series(0, 4) n on conflict do nothing`);
  const partsOf = async () =>
    (await db.execute<{ name: string; until: string }>(sql`select name, until from equity_point_parts()`)).rows;
  const rowsIn = async (table: string) => {
    const at = sql`select at::float8 as at from ${sql.identifier(table)} order by at`;
    return (await db.execute<{ at: number }>(at)).rows.map((row) => row.at);
  };
  const { drop } = RETENTION.equity_point;
  const until = async (name: string) => Number((await partsOf()).find((part) => part.name.startsWith(name))?.until);
  const first = await until('equity_point_before');
  // An hour from its beginning, and one whose first point comes later.
  const [full, late] = [first - 100 * DAY_MS, first - 101 * DAY_MS + 600_000];
  // Of the last minutes of its month, of the next one, and of one that has no partition yet.
  const [last, next, far] = [first - 10 * 60_000, first + HOUR_MS, first + 80 * DAY_MS];
  for (const start of [full, late, last, next, far]) await draw(start);
  const all = await rowsIn('equity_point');

  expect(await drop(db, first - 1)).toBe(0);
  const [before, month] = await partsOf();
  expect([before?.name, month?.name]).toEqual([
    'equity_point_before',
    `equity_point_${new Date(first).toISOString().slice(0, 7).replace('-', '_')}`,
  ]);
  expect(await rowsIn('equity_point')).toEqual(all);
  // What came before its month had a partition lies in that of its month.
  expect(await rowsIn('equity_point_later')).toEqual([]);
  expect((await partsOf()).map((part) => part.until)).toEqual([
    ...new Set((await partsOf()).map((part) => part.until)),
  ]);

  // Nobody is kept from reading and writing the months that stay.
  const [taken] = await Promise.all([drop(db, first), draw(next + HOUR_MS), rowsIn('equity_point')]);
  const kept = all.filter((at) => at >= first || [late, full, last].includes(at));
  const added = Array.from({ length: 5 }, (_, i) => next + HOUR_MS + i * 600_000);
  expect(taken).toBe(all.length - kept.length);
  expect(await rowsIn('equity_point')).toEqual([...kept, ...added].sort((a, b) => a - b));
  expect(await drop(db, first)).toBe(0);
  // A point of a month that was thinned out is taken, and known.
  await draw(full);
  expect(await rowsIn('equity_point_before_hourly')).toHaveLength(3 + 4);
  const { rows } = await db.execute(sql`select 1 from pg_constraint where contype = 'f'
    and conrelid = 'equity_point_before_hourly'::regclass`);
  expect(rows).toHaveLength(2);
});
