import { sql } from 'drizzle-orm';
import { account } from '#contract/account';
import { audit } from '#contract/audit';
import { backtest } from '#contract/backtest';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridScan } from '#contract/kinds/grid/scan';
import { hedge } from '#contract/kinds/hedge/desk';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { order } from '#contract/order';
import { pair } from '#contract/pair';
import { statistic } from '#contract/statistic';
import { strategyOverview } from '#contract/strategyOverview';
import { symbol } from '#contract/symbol';
import { asHeavyReader } from '#server/base/db/connection/heavyReads';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { testApp } from '../../support/app';
import { heldBy } from '../../support/heldLoop';
import { manyRecords } from '../../support/manyRecords';
import { ownedMarkets } from '../../support/ownedMarket';
import { ownedRecords } from '../../support/ownedRecords';
import { openedFolder } from '../../support/prepared';

const ROWS = 5_000;
const DEALS = 500;
const MARK = 'many';

/** A read is held up by the event loop for so long at most, on a machine as fast as the one it was measured on, ms. */
const LIMIT_MS = 20;
/** What the yardstick takes there. */
const YARDSTICK_MS = 5;

type Server = Awaited<ReturnType<typeof testApp>>;

async function serverOn(): Promise<Server> {
  const db = await openDatabase({ kind: 'folder', path: folder });
  return testApp({ db, markets: ownedMarkets() });
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
  await manyRecords(server.db, MARK, { rows: ROWS, deals: DEALS });
  await server.app.close();
  await server.db.close();
});

const READS = [
  ...[account.all, account.state, account.equity, statistic.all, strategyOverview.list],
  ...[order.list, order.fills, audit.list, hedge.list],
];

test('reads that take long let everybody else go first, and one user has few of them at work', () => {
  const scans = [fundingScan.list, spreadScan.list, cexRateScan.list, arbitrageScan.list, gridScan.list];
  const reads = [symbol.candle, symbol.funding, pair.facts, pair.suggestion, statistic.all, order.list, order.fills];
  const refusing = [backtest.hedge, backtest.ofHedge];
  for (const { path, expensive } of [...scans, ...reads, ...refusing]) expect([path, expensive]).toEqual([path, true]);
});

test("a small statement does not wait for the pile of somebody's heavy reads, and each of these has its turn", async () => {
  const db = await openDatabase({ kind: 'folder', path: folder });
  // Connections that are open already: to open one takes as long as many of these statements.
  await Promise.all(Array.from({ length: 6 }, () => db.execute(sql`select pg_sleep(0.05)`)));
  const done: string[] = [];
  const ask = (who: string, seconds = 0) => db.execute(sql`select pg_sleep(${seconds})`).then(() => done.push(who));
  const pileOf = (who: string) =>
    asHeavyReader(who, () => Promise.all(Array.from({ length: 10 }, () => ask(who, 0.05))));
  const piles = [pileOf('anna'), pileOf('ben')];
  await ask('small');
  const before = done.indexOf('small');
  await Promise.all(piles);
  await db.close();
  // One of each reader may be with the database already.
  expect(before).toBeLessThanOrEqual(2);
  expect(done.slice(0, 12).filter((who) => who === 'ben').length).toBeGreaterThanOrEqual(3);
});

test('reads over many rows hold nobody up: the event loop goes on beside them', async () => {
  const server = await serverOn();
  const held: [path: string, ms: number][] = [];
  for (const { path: url, query } of READS) {
    const paged = 'pageSize' in (query?.properties ?? {}) ? { query: { pageSize: '200' } } : {};
    const read = async () => {
      const { statusCode } = await server.app.inject({ url, ...paged, headers: { host: 'localhost:8000', cookie } });
      expect([url, statusCode]).toEqual([url, 200]);
    };
    // The first ones compile what all of them run: the quickest of three is the work itself.
    await read();
    const times = [await heldBy(read), await heldBy(read), await heldBy(read)];
    held.push([url, Math.min(...times)]);
  }
  const limit = LIMIT_MS * (await slowness());
  expect(held.filter(([, ms]) => ms > limit)).toEqual([]);
  await server.app.close();
  await server.db.close();
});
