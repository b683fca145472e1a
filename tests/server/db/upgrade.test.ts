import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { desc, inArray, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { account } from '#contract/account';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { order } from '#contract/order';
import { statistic } from '#contract/statistic';
import type { Database, Queries } from '#server/base/db/client';
import { migrate } from '#server/base/db/connection/migrate';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { copyDatabase } from '#server/base/db/move/copyDatabase';
import { beginAudit, checkChains, endAudit } from '#server/base/db/records/auditTrail';
import { openJobs } from '#server/base/db/records/job';
import { book, equityPoint, ledger } from '#server/base/db/schema';
import { Jobs } from '#server/base/jobs/jobs';
import { audit } from '#server/engine/audit';
import { marketLawOf } from '#server/market/markets';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { createSimulatedVenues } from '#server/market/simulated';
import { NEWEST_LAW } from '#server/market/simulated/laws';
import { openControl } from '#server/start/control';
import { testApp } from '../../support/app';
import { jobsLater } from '../../support/jobsLater';
import { movingMarket } from '../../support/paperDesk';
import { postgresDatabase } from '../../support/postgresDatabase';
import { ROOT } from '../../support/projectFiles';

/** The market on which the rows of version 9 were traded, as it was when that began. */
const version9Market = () =>
  movingMarket({
    AAAUSDT: { price: 100, fundingHours: 8 },
    BBBUSDT: { price: 50, fundingHours: 8 },
    CCCUSDT: { price: 20 },
  });

/** What the API says of all that is stored of trading. */
async function answersOf(app: Awaited<ReturnType<typeof testApp>>) {
  const [trader, master] = [app.as('trader'), app.as('master')];
  const list = await trader(hedge.list);
  const details = list.body.data!.list.map(({ id }) => trader(hedge.detail, { query: { id } }));
  const answers = await Promise.all([
    list,
    ...details,
    trader(hedgeConfig.desk),
    trader(account.state),
    trader(account.equity),
    trader(account.daily),
    master(order.list),
    master(order.fills),
    master(order.reconcile),
    master(statistic.all),
  ]);
  return answers.map(({ raw, status, body: { data } }) => ({ url: raw.raw.req.url, status, data: ofTrader(data) }));
}

/** Whoever signs in has an account by now; then the trader alone had one. */
const ofTrader = (data: object | null) =>
  data && 'accounts' in data && Array.isArray(data.accounts)
    ? { ...data, accounts: data.accounts.filter(({ user }) => user === 'trader') }
    : data;

const kept = (name: string) => readFileSync(path.join(ROOT, 'tests/server/db/version9', name), 'utf8');

const MIGRATIONS = path.join(ROOT, 'server/base/db/migrations');
const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
const hashes = migrations.map(({ hash }) => hash);

/** A database of the first migrations with these rows, as this version opens it. */
async function upgraded(count: number, rows: string): Promise<Database> {
  const { url } = await postgresDatabase('nothing');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrate(drizzle(client) as unknown as Queries, 'test', hashes.slice(0, count));
  await client.query(rows);
  await client.end();
  return openDatabase({ kind: 'url', url });
}

test('what an older version traded adds up, and every figure of it is the same to the digit', async () => {
  // 0000 to 0009.
  const db = await upgraded(10, kept('rows.sql'));
  const market = version9Market();
  const { now, prices, answers } = JSON.parse(kept('answers.json'));
  for (const [symbol, price] of Object.entries(prices))
    market.coins[symbol as keyof typeof market.coins].price = Number(price);
  market.wait(now - market.clock());
  const app = await testApp({ db, markets: market.markets, clock: market.clock });
  const { books, deals, findings } = await audit(
    db,
    createPaperVenue({ db, clock: market.clock, markets: market.markets }),
  );
  expect({ books, deals, findings }).toEqual({ books: 1, deals: 2, findings: [] });
  const found = await answersOf(app);
  expect(found).toHaveLength(answers.length);
  // A later version may say more than that, but nothing else.
  expect(found).toMatchObject(answers);
  // What paused the account pauses it still.
  const limits = (await db.select().from(book)).flatMap(({ dailyLossLimit }) => dailyLossLimit ?? []);
  expect(limits).toEqual([500]);
  await app.close();
});

test('an audit log of before is chained as it stands, and goes on from there', async () => {
  const before = migrations.findIndex(({ sql }) => sql.some((line) => line.includes('CREATE TABLE "audit_chain"')));
  const db = await upgraded(
    before,
    `insert into app_user (id, name, role, created_at) values ('00000000-0000-4000-8000-00000000000a', 'before', 'user', 1);
     insert into audit (at, actor_id, actor, role, action, address, request_id, input)
       select n, id, name, role, 'PUT /api/x', '::1', n::text, '{"a": {"b": null}}' from app_user, generate_series(1, 3) n;
     insert into audit_result (audit_id, status, code, message) select id, 200, 200, 'ok' from audit where id <> 2;`,
  );
  expect(await checkChains(db)).toEqual({ rows: 5, problems: [] });
  const actorId = '00000000-0000-4000-8000-00000000000a';
  const row = { at: 4, actorId, actor: 'before', role: 'user', action: 'PUT /api/x', address: '::1', requestId: '4' };
  await endAudit(db, await beginAudit(db, row), { status: 200, code: 200, message: 'ok' });
  expect(await checkChains(db)).toEqual({ rows: 7, problems: [] });

  // What the command says of it once a row is gone.
  await db.execute(sql`alter table audit_result disable trigger all`);
  await db.execute(sql`delete from audit_result where position = 2`);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'audit-'));
  const closeControl = await openControl(dataDir, { db, clock: Date.now, vault: () => Promise.reject() });
  const said: string[] = [];
  const { log } = console;
  const { DATA_DIR } = process.env;
  console.log = (line: string) => said.push(line);
  process.env.DATA_DIR = dataDir;
  await import('#server/start/cli/audit');
  const code = process.exitCode;
  process.exitCode = undefined;
  console.log = log;
  if (DATA_DIR === undefined) delete process.env.DATA_DIR;
  else process.env.DATA_DIR = DATA_DIR;
  expect(said).toEqual([expect.any(String), '账本、持仓、订单与交易所一致', '操作结果第 3 行之前缺 1 行']);
  expect(code).toBe(1);
  await closeControl();
  rmSync(dataDir, { recursive: true });
  await db.close();
});

const TRADER = '28c82222-7583-4624-bdc9-78a10730bc69';
/** What its venue paid of a loss, between the last two points of the record, as the older version booked it. */
const PAID_AT = 1_768_550_500_000;
const PAID = `
  insert into paper_event (account, sequence, event) values ('${TRADER}', 13, '{"at":${PAID_AT},"kind":"transfer",
    "amount":"77.5","source":"","symbol":"","account":"${TRADER}","sequence":13}');
  update paper_account set cash = cash + 77.5, sequence = 13;
  update book set sequence = 13;
  insert into ledger (id, user_id, kind, source, symbol, amount, reference, at) overriding system value
    values (19, '${TRADER}', 'transfer', '', '', '77.5', 'transfer:13', ${PAID_AT});
  update equity_point set equity = equity + 77.5, transfers = transfers + 77.5 where at > ${PAID_AT};
`;

test('what a venue paid of a loss was booked as money from outside, and is what it was', async () => {
  const db = await upgraded(10, kept('rows.sql') + PAID);
  const rows = await db
    .select()
    .from(ledger)
    .where(inArray(ledger.kind, ['transfer', 'bailout']))
    .orderBy(ledger.id);
  expect(rows.map(({ kind, amount, reference }) => [kind, amount, reference])).toEqual([
    ['transfer', '100000', 'transfer:1'],
    ['bailout', '77.5', 'transfer:13'],
  ]);
  const points = await db.select().from(equityPoint).orderBy(equityPoint.at);
  expect(points.map(({ transfers }) => transfers)).toEqual([100000, 100000, 100000, 100000]);
  for (const { equity, transfers, longPnl, shortPnl, funding, fees } of points)
    expect(transfers + longPnl + shortPnl + funding - fees).toBeCloseTo(equity, 6);
  await expect(db.update(ledger).set({ kind: 'transfer' })).rejects.toThrow();
  const market = version9Market();
  const venue = createPaperVenue({ db, clock: market.clock, markets: market.markets });
  expect((await audit(db, venue)).findings).toEqual([]);
  await db.close();
});

test('what waited for a webhook waits on as a job, under its id and with the attempts that it has left', async () => {
  const before = migrations.findIndex(({ sql }) =>
    sql.some((line) => line.includes('CREATE SCHEMA IF NOT EXISTS pgboss')),
  );
  const db = await upgraded(
    before,
    `insert into app_user (id, name, role, created_at) values ('${TRADER}', 'before', 'user', 1);
     insert into webhook (user_id, created_at) values ('${TRADER}', 1);
     insert into notification (id, user_id, key, kind, level, title, text, at) overriding system value
       values (7, '${TRADER}', 'x', 'system', 'info', 'x', 'x', 1);
     insert into webhook_delivery (id, user_id, notification_id, attempts, due_at)
       values ('00000000-0000-4000-8000-00000000000d', '${TRADER}', 7, 2, 1000);`,
  );
  const seen: unknown[] = [];
  const jobs = new Jobs(db);
  jobs.work('webhook', {
    atOnce: 1,
    run: async ({ id, data }) => {
      seen.push([id, data]);
      throw new Error('once more');
    },
  });
  for (let turn = 0; turn < 12; turn += 1) {
    await jobs.runDue();
    await jobsLater(db, 3 * HOUR_MS);
  }
  const data = { userId: TRADER, notificationId: 7, before: 2 };
  // Ten in all, the two of before among them.
  expect(seen).toEqual(Array.from({ length: 8 }, () => ['00000000-0000-4000-8000-00000000000d', data]));
  expect(await openJobs(db, 'webhook', TRADER)).toBe(0);
  await db.close();
});

test('points of equity are taken over into partitions as they are, and move on to another database as they are', async () => {
  // 0000 to 0042.
  const points = `insert into app_user (id, name, role, password_hash, created_at)
      values ('00000000-0000-4000-8000-0000000000aa', 'older', 'user', 'x', 1);
    insert into account (id, user_id, venue, mode)
      values ('00000000-0000-4000-8000-0000000000bb', '00000000-0000-4000-8000-0000000000aa', 'x', 'paper');
    insert into equity_point
      (user_id, account_id, at, equity, transfers, moved, funding, fees, slippage, traded, long_pnl, short_pnl, net, gross, btc)
    select '00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000bb', n * 86400000::bigint,
      n / 3.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null from generate_series(1, 1000) n`;
  const sums = sql`select count(*)::int as rows, sum(hashtextextended(p::text, 0))::text as sum from equity_point p`;
  const db = await upgraded(43, points);
  const [there] = (await db.execute<{ rows: number; sum: string }>(sums)).rows;
  expect(there!.rows).toBe(1000);
  const [newest] = await db.select().from(equityPoint).orderBy(desc(equityPoint.at)).limit(1);
  expect(newest).toMatchObject({ at: 1000 * DAY_MS, equity: 1000 / 3, moved: 2, slippage: 5, gross: 10, btc: null });
  await db.execute(sql`select equity_point_ahead((extract(epoch from now()) * 1000)::bigint)`);
  await db.insert(equityPoint).values({ ...newest!, at: Date.now() + 40 * DAY_MS });
  const { url, drop } = await postgresDatabase('nothing');
  const source = new pg.Client({ connectionString: db.url });
  await source.connect();
  const copied = await copyDatabase(
    { query: async (text) => (await source.query(text)).rows, close: () => source.end() },
    url,
    'test',
  );
  expect(copied.filter(({ table }) => table.startsWith('equity_point'))).toEqual([
    expect.objectContaining({ table: 'equity_point', rows: 1001 }),
  ]);
  const moved = await openDatabase({ kind: 'url', url });
  expect((await moved.execute(sums)).rows).toEqual((await db.execute(sums)).rows);
  await moved.close();
  await db.close();
  await drop();
});

test('the simulated prices of a folder stay what they were; a new one follows the newest law', async () => {
  const before = migrations.findIndex(({ sql }) => sql.some((line) => line.includes('CREATE TABLE "simulated_law"')));
  const user = `insert into app_user (id, name, role, created_at) values ('00000000-0000-4000-8000-00000000000a', 'before', 'user', 1)`;
  const [used, fresh] = [await upgraded(before, user), await upgraded(before, 'select 1')];
  const laws = [await marketLawOf(used), await marketLawOf(fresh)];
  expect(laws).toEqual([1, NEWEST_LAW]);
  const at = Date.UTC(2026, 5, 1);
  const [btc, sol] = ['BTCUSDT', 'SOLUSDT'].map((symbol) =>
    createSimulatedVenues({ clock: () => at, law: laws[0]! })[0]!.listed(symbol),
  );
  // As the version before had them.
  expect([btc, sol].map((one) => [one!.ticker.price, one!.ticker.fundingRate])).toEqual([
    [100_899.1, 0.0001],
    [115.63, -0.00007349],
  ]);
  await used.close();
  await fresh.close();
});
