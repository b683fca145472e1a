import { hedge as api } from '#contract/hedge';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/hedgeConfig';
import type { Database } from '#server/db/client';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';
import { testApp } from '../support/app';
import { movingMarket } from '../support/paperDesk';
import { memoryDatabase } from '../support/prepared';

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });

let db: Database;
let engine: Engine;
let app: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  db = await memoryDatabase();
  const { markets, clock } = market;
  const venue = createPaperVenue({ db, clock, markets });
  const pairModels = new PairModels();
  engine = new Engine({ db, clock, markets, venue, pairModels });
  app = await testApp({ db, clock, markets, venue, pairModels, desk: engine });
}, 120_000);
afterAll(async () => {
  await app.close();
  await engine.stop();
  await db.close();
});

async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    market.wait(1000);
    await engine.tick();
  }
}

test('a pair is configured, opened on both legs, watched, closed and armed again, by calls alone', async () => {
  const trader = app.as('trader');
  await trader(hedgeConfig.create, { body: { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: 1000 } });
  const added = await trader(hedgeConfig.addPair, { body: { long: 'AAAUSDT', short: 'BBBUSDT' } });
  const { pairId } = added.body.data;
  await pass(2);
  const before = (await trader(hedgeConfig.desk)).body.data;
  expect(before.pairs[0]).toMatchObject({ pairId, block: 'disabled', hedgeId: null });
  await trader(hedgeConfig.enable);
  await pass(5);

  const [row] = (await trader(api.list)).body.data.list;
  expect(row).toMatchObject({ state: 'open', pairId, longQuantity: '10', shortQuantity: '-20', badge: null });
  const { id } = row!;
  expect((await trader(hedgeConfig.desk)).body.data).toMatchObject({ running: 1, pairs: [{ hedgeId: id }] });

  market.set('AAAUSDT', 103);
  const [moved] = (await trader(api.list)).body.data.list;
  expect(moved!.longPnl! - row!.longPnl!).toBeCloseTo(30, 6);
  const quote = (await trader(api.quote, { query: { id } })).body.data;

  const closed = await trader(api.close, { query: { id }, headers: { 'idempotency-key': 'close-1' } });
  expect(closed.body.data).toMatchObject({ id, state: 'closed', flat: true });
  const [done] = (await trader(api.list, { query: { state: 'ended' } })).body.data.list;
  expect(done).toMatchObject({ id, closeReason: 'manual', longQuantity: '10', shortQuantity: '-20' });
  // What was quoted is what it brought.
  expect(done!.net).toBeCloseTo(quote.net!, 6);
  const { fills, events, orders } = (await trader(api.detail, { query: { id } })).body.data;
  expect(fills.map(({ leg, side }) => `${leg} ${side}`).sort()).toEqual([
    'long buy',
    'long sell',
    'short buy',
    'short sell',
  ]);
  expect(orders).toHaveLength(4);
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['created', 'opened', 'closing', 'closed']));

  await pass(2);
  expect((await trader(hedgeConfig.desk)).body.data).toMatchObject({ running: 0, pairs: [{ block: 'used' }] });
  const armed = await trader(hedgeConfig.armPair, { body: { pairId } });
  expect(armed.body.code).toBe(200);
  await pass(5);
  expect((await trader(api.list, { query: { state: 'running' } })).body.data.list).toMatchObject([{ state: 'open' }]);

  const flattened = await trader(api.flatten, { headers: { 'idempotency-key': 'flatten-1' } });
  expect(flattened.body.data).toEqual({ running: 1 });
  await pass(5);
  const end = (await trader(hedgeConfig.desk)).body.data;
  expect(end).toMatchObject({ running: 0, paused: { by: 'trader', reason: '全部平仓' } });
  // Fees and half-spreads of two round trips against what the first one won.
  const { totals } = (await trader(api.list)).body.data;
  expect(totals).toMatchObject({ hedges: 2 });
  expect(end.dayPnl).toBeCloseTo(totals.net, 6);
});
