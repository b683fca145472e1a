import { account as accountApi } from '#contract/account';
import { venueAccount as api } from '#contract/venueAccount';
import type { Database } from '#server/db/client';
import { fundedVenues } from '#server/db/venueAccount';
import { audit } from '#server/engine/audit';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import type { Market } from '#server/exchange/exchange';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';
import { testApp } from '../support/app';
import { movingMarket } from '../support/paperDesk';
import { memoryDatabase } from '../support/prepared';

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
const sister = movingMarket({ AAAUSDT: { price: 101 } }, 'simulated-okx');
const out = new Set<string>();
const able = (of: Market): Market => ({ ...of, isOut: () => out.has(of.source) });
const sources = [able(market.market), able(sister.market)];
const markets = { list: async () => sources, get: async (name: string) => sources.find((of) => of.source === name) };

let db: Database;
let engine: Engine;
let app: Awaited<ReturnType<typeof testApp>>;
const venueOf = () => createPaperVenue({ db, clock: market.clock, markets });
beforeAll(async () => {
  db = await memoryDatabase();
  const { clock } = market;
  const venue = venueOf();
  const pairModels = new PairModels();
  engine = new Engine({ db, clock, markets, venue, pairModels });
  app = await testApp({ db, clock, markets, venue, pairModels, desk: engine });
}, 120_000);
afterAll(async () => {
  await app.close();
  await engine.stop();
  await db.close();
});

let keys = 0;
function keyed() {
  keys += 1;
  return { 'idempotency-key': `account-${keys}` };
}
const trader = () => app.as('trader');
const listed = async () => (await trader()(api.list)).body.data;

test('a second account is opened once at its venue, and its money is no gain', async () => {
  const before = (await listed()).list;
  expect(before).toMatchObject([{ name: '主账户', venue: 'simulated', equity: '100000', share: 1, state: 'ok' }]);
  const userId = before[0]!.id;
  expect(await fundedVenues(db, userId)).toEqual(new Set(['simulated']));

  const body = { name: ' 欧易 ', venue: 'simulated-okx', amount: 25_000 };
  const headers = keyed();
  const opened = await trader()(api.open, { body, headers });
  expect(opened.body.code).toBe(200);
  // The same call again, and another one for the same venue.
  expect((await trader()(api.open, { body, headers })).body).toEqual(opened.body);
  const again = await trader()(api.open, { body: { ...body, name: '又一个' }, headers: keyed() });
  expect(again.body).toMatchObject({ code: 6003, data: { fields: [{ field: 'venue' }] } });
  const named = await trader()(api.open, {
    body: { ...body, venue: 'simulated-bybit', name: '欧易' },
    headers: keyed(),
  });
  expect(named.body).toMatchObject({ code: 6004, data: { fields: [{ field: 'name' }] } });
  const little = await trader()(api.open, { body: { ...body, amount: 10 }, headers: keyed() });
  expect(little).toMatchObject({ status: 400, body: { data: { fields: [{ field: 'amount' }] } } });

  const { list, total, inTransit } = await listed();
  expect(list.slice(1)).toMatchObject([
    {
      id: opened.body.data.id,
      name: '欧易',
      equity: '25000',
      withdrawable: '25000',
      share: 0.2,
      openedAt: market.clock(),
    },
  ]);
  expect({ total, inTransit }).toEqual({ total: '125000', inTransit: '0' });
  expect(await fundedVenues(db, userId)).toEqual(new Set(['simulated', 'simulated-okx']));
  const { account } = (await trader()(accountApi.state)).body.data;
  expect(account).toMatchObject({ equity: '125000', net: '0', today: { pnl: 0 } });
  expect((await audit(db, venueOf(), [userId])).findings).toEqual([]);
});

test('a venue that is out is not read as an empty account', async () => {
  out.add('simulated-okx');
  const { list } = await listed();
  out.clear();
  expect(list.map(({ state, equity, withdrawable }) => ({ state, equity, withdrawable }))).toEqual([
    { state: 'ok', equity: '100000', withdrawable: '100000' },
    { state: 'failed', equity: '25000', withdrawable: null },
  ]);
});
