import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { account } from '#contract/account';
import { audit } from '#contract/audit';
import { hedge } from '#contract/hedge';
import { order } from '#contract/order';
import { statistic } from '#contract/statistic';
import { strategyOverview } from '#contract/strategyOverview';
import type { Database } from '#server/db/client';
import { openDatabase } from '#server/db/openDatabase';
import { diskSync } from '#server/db/syncIo';
import { testApp } from '../../support/app';
import { ownedMarkets } from '../../support/ownedMarket';
import { ownedRecords } from '../../support/ownedRecords';
import { openedFolder } from '../../support/prepared';

const ROWS = 5_000;
const DEALS = 500;
const MARK = 'many';

/** A read is held up by the event loop for so long at most, on a machine as fast as the one it was measured on, ms. */
const LIMIT_MS = 50;
/** What the yardstick takes there. */
const YARDSTICK_MS = 5;

type Server = Awaited<ReturnType<typeof testApp>>;

/** Many rows after the pattern of one: an array of their changed columns as SQL, `n` counting them. */
const copies = (table: string, where: string, changes: string) =>
  sql.raw(`insert into ${table} overriding system value
    select (jsonb_populate_record(t, jsonb_build_object(${changes}))).*
    from ${table} t, generate_series(1, ${ROWS}) n where t.ctid = (select ctid from ${table} where ${where} limit 1)`);

async function fill(db: Database): Promise<void> {
  await db.execute(
    copies('trade_order', `id = '${MARK}-filled'`, `'id', t.id || n, 'created_at', t.created_at - n * 1000`),
  );
  await db.execute(copies('fill', `id = '${MARK}-fill'`, `'id', t.id || n, 'at', t.at - n * 1000`));
  const entry = `'id', 1000000 + n, 'reference', t.reference || n, 'at', t.at + n * 1000, 'amount', '-0.01', 'kind', 'fee'`;
  await db.execute(copies('ledger', `reference = '${MARK}'`, entry));
  await db.execute(copies('equity_point', 'equity = 100000', `'at', t.at - n * 60000`));
  await db.execute(copies('audit', 'true', `'id', 1000000 + n, 'at', t.at - n * 1000`));
  await db.execute(
    sql.raw(`with made as (
      insert into deal select (jsonb_populate_record(t, jsonb_build_object('id', md5(n::text)::uuid, 'closed_at', t.closed_at - n * 60000))).*
      from deal t, generate_series(1, ${DEALS}) n where t.state = 'closed' returning id)
      insert into deal_leg select (jsonb_populate_record(l, jsonb_build_object('deal_id', made.id))).*
      from made, deal_leg l where l.deal_id = (select id from deal where state = 'closed' limit 1)`),
  );
  await db.execute(sql`analyze`);
}

async function serverOn(): Promise<Server> {
  const db = await openDatabase({ kind: 'folder', path: folder });
  return testApp({ db, markets: ownedMarkets() });
}

/** Time that this thread has worked for, ms: what other processes take of a machine is not in it, where the system tells. */
function workedMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** The longest work between two turns of the event loop while `act` runs, ms: noise only adds to it, so the least of some runs. */
async function heldBy(act: () => Promise<unknown>, runs = 3): Promise<number> {
  const longest: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    let [last, most, isOver] = [workedMs(), 0, false];
    const turn = () => {
      const now = workedMs();
      most = Math.max(most, now - last);
      last = now;
      if (!isOver) setTimeout(turn, 1);
    };
    setImmediate(turn);
    await act();
    isOver = true;
    longest.push(most);
  }
  return Math.min(...longest);
}

/** How much slower this machine is than the one that the limit was set on; 1 where it is faster. */
async function slowness(): Promise<number> {
  const rows = Array.from({ length: 4000 }, (_, id) => ({ id, text: `row ${id}`, amount: id / 7 }));
  const held = await heldBy(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    JSON.parse(JSON.stringify(rows));
    await new Promise((resolve) => setImmediate(resolve));
  });
  return Math.max(1, held / YARDSTICK_MS);
}

let folder: string;
/** Of a master who has all of it. */
let cookie: string;
beforeAll(async () => {
  folder = await openedFolder();
  const server = await serverOn();
  ({ cookie } = await ownedRecords(server, MARK, 'master'));
  await fill(server.db);
  await server.app.close();
  await server.db.close();
}, 240_000);

const READS = [
  ...[account.all, account.state, account.equity, statistic.all, strategyOverview.list],
  ...[order.list, order.fills, audit.list, hedge.list],
];

test('reads over many rows hold nobody up: the event loop goes on beside them', async () => {
  const server = await serverOn();
  const held: [path: string, ms: number][] = [];
  for (const { path: url, query } of READS) {
    const paged = 'pageSize' in (query?.properties ?? {}) ? { query: { pageSize: '200' } } : {};
    const read = async () => {
      const { statusCode } = await server.app.inject({ url, ...paged, headers: { host: 'localhost:8000', cookie } });
      expect([url, statusCode]).toEqual([url, 200]);
    };
    // The first one compiles what all of them run.
    await read();
    held.push([url, await heldBy(read)]);
  }
  const limit = LIMIT_MS * (await slowness());
  expect(held.filter(([, ms]) => ms > limit)).toEqual([]);

  // What the database works at is no work of this thread; in this thread it would be.
  const heavy = (db: Database) => () => db.execute(sql`select count(*) from generate_series(1, 1000000)`);
  expect(await heldBy(heavy(server.db))).toBeLessThan(limit);
  await server.app.close();
  await server.db.close();
  const here = await openDatabase({ kind: 'folder', path: folder }, { io: diskSync });
  expect(await heldBy(heavy(here), 1)).toBeGreaterThan(LIMIT_MS);
  await here.close();
}, 240_000);
