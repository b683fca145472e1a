import { sql } from 'drizzle-orm';
import { account } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { statistic } from '#contract/statistic';
import { strategyOverview } from '#contract/strategyOverview';
import type { Database } from '#server/base/db/client';
import { START, testApp } from '../support/app';
import { addBook } from '../support/bookRows';
import { sessionOf, signedInUser } from '../support/signedInUser';
import { benchDatabase } from './benchDatabase';
import { hedgingUsers, share } from './benchDesk';
import type { Figure } from './figure';

const DEALS = [100, 1_000, 5_000];
const PAIRS = 5;
/** Nothing ever stands so far from its mean. */
const NEVER_Z = 9.9;
const TICKS = 60;
/** A tick may cost so much more for each deal of thousands than for each of a hundred. */
const LINEAR = 1.5;

const ACCOUNTS = 1_000;
const DAYS = 60;
const HEDGES = 1_000;
const CALLS = 40;

/** Tick time with so many deals that are open, or so many pairs that wait for their signal. */
async function tick(count: number, entryZ?: number): Promise<number> {
  const db = await benchDatabase();
  const waits = entryZ === undefined ? {} : { entryZ };
  const desk = await hedgingUsers(db, { users: count / PAIRS, pairs: PAIRS, ...waits });
  // Some hedges are begun in each tick; what is measured is the ticks after that.
  await desk.run(5 + (entryZ === undefined ? count / 10 : 0));
  const took = share(await desk.run(TICKS), 0.5);
  await desk.engine.stop();
  await db.close();
  return took;
}

async function ticks(what: string, entryZ?: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const count of DEALS) {
    const took = await tick(count, entryZ);
    least = Math.min(least, took / count);
    const ratio = Math.round((took / count / least / LINEAR) * 100) / 100;
    figures.push({ name: `growth, ${count} ${what}: tick p50`, value: took, unit: 'ms', ratio });
    process.stderr.write(`${count} ${what}: tick p50 ${took} ms\n`);
  }
  return figures;
}

/** The calls of one user, one after the other, and their p99 over what it may be. */
async function read(
  app: Awaited<ReturnType<typeof testApp>>,
  cookie: string,
  name: string,
  url: string,
  budget: number,
) {
  const took = new Float64Array(CALLS);
  for (let call = -2; call < CALLS; call += 1) {
    const from = performance.now();
    const answer = await app.app.inject({ url, headers: { cookie } });
    if (call >= 0) took[call] = performance.now() - from;
    if (answer.json().code !== 200) throw new Error(`${url}: ${answer.body.slice(0, 200)}`);
  }
  const p99 = share(took, 0.99);
  process.stderr.write(`${name}: p99 ${p99} ms\n`);
  return { name: `growth, ${name}: p99`, value: p99, unit: 'ms', ratio: Math.round((p99 / budget) * 100) / 100 };
}

/** So many accounts with a record of their days, as the master's home page asks for them. */
async function manyAccounts(db: Database): Promise<void> {
  await db.execute(sql`insert into app_user (name, role, password_hash, created_at)
    select 'account-' || n, 'user', '-', ${START - DAYS * DAY_MS}::bigint from generate_series(1, ${ACCOUNTS}::int) n`);
  const { rows } = await db.execute<{ id: string }>(sql`select id from app_user where name like 'account-%'`);
  for (const { id } of rows) await addBook(db, id, {});
  await db.execute(sql`
    insert into ledger (user_id, account_id, kind, amount, reference, at)
    select id, id, 'transfer', 100000, 'opened', ${START - DAYS * DAY_MS}::bigint from app_user where name like 'account-%'`);
  await db.execute(sql`
    insert into ledger (user_id, account_id, kind, source, symbol, amount, quantity, price, reference, at)
    select id, id, kind, 'simulated', symbol, -1, 0, 1, kind || symbol || n, ${START}::bigint - n::bigint * 3600000
    from app_user, generate_series(1, 20) n, unnest(array['fill', 'fee', 'funding']) kind, unnest(array['BTCUSDT', 'ETHUSDT', 'SOLUSDT']) symbol
    where name like 'account-%'`);
  await db.execute(sql`
    insert into equity_point (user_id, account_id, at, equity, transfers, funding, fees, slippage, traded, long_pnl, short_pnl, net, gross, btc)
    select id, id, ${START}::bigint - n::bigint * 3600000, 100000 + n, 100000, 0, 0, 0, 0, n, 0, 0, 0, 90000
    from app_user, generate_series(1, ${DAYS * 24 - 1}::int) n where name like 'account-%'`);
  await db.execute(sql`vacuum analyze`);
}

/**
 * What grows with the desk: ticks over deals that are open and over pairs that wait, everybody's accounts, and the lists
 * of a user with a thousand hedges.
 */
export async function growthFigures(): Promise<Figure[]> {
  const figures = [...(await ticks('open deals')), ...(await ticks('pairs that wait', NEVER_Z))];

  const crowd = await benchDatabase();
  await manyAccounts(crowd);
  const home = await testApp({ db: crowd });
  const master = await signedInUser(crowd, 'reader', 'master');
  figures.push(await read(home, master.cookie, `${ACCOUNTS} accounts`, account.all.path, 200));
  await home.close();
  await crowd.close();

  const db = await benchDatabase();
  const desk = await hedgingUsers(db, { users: 1, pairs: HEDGES });
  await desk.run(5 + HEDGES / 10);
  const { clock, markets, venue, userIds } = desk;
  const server = await testApp({ db, clock, markets, venue });
  await db.execute(sql`update app_user set role = 'master'`);
  const cookie = await sessionOf(db, userIds[0]!, clock());
  const reads = {
    'hedge list': hedge.list.path,
    'hedge desk': hedgeConfig.desk.path,
    statistics: statistic.all.path,
    'strategy overview': strategyOverview.list.path,
  };
  for (const [name, path] of Object.entries(reads)) {
    figures.push(await read(server, cookie, `${HEDGES} hedges, ${name}`, path, 150));
  }
  await desk.engine.stop();
  await server.close();
  await db.close();
  return figures;
}
