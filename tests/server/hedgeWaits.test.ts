import { randomUUID } from 'node:crypto';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { gatherNews } from '#server/people/notification/gatherNews';
import { BY_Z, wavingMarket } from '../support/paperDesk';
import { tradingApp } from '../support/tradingApp';

const market = wavingMarket();
const { app, db, pass } = await tradingApp(market);

const params = { ...DEFAULT_SETTINGS, ...BY_Z, zBar: '1d', zWindow: 30, legNotional: 1_000 } as const;
const pair = { long: 'AAAUSDT', short: 'BBBUSDT' };

/** Somebody with an account, and what he asks of a hedge that waits. */
async function trader(name: 'trader' | 'editor' | 'master') {
  const call = app.as(name);
  await call(hedgeConfig.create, { body: params });
  return {
    call,
    open: async (over: object = {}) => {
      const body = { params, ...pair, waitHours: 24, accepts: PAIR_WARNINGS, ...over };
      return (await call(api.single, { body, headers: { 'idempotency-key': randomUUID() } })).body;
    },
    waiting: async () => (await call(api.waiting)).body.data.list,
    running: async () => (await call(api.list, { query: { state: 'running' } })).body.data.list,
  };
}
beforeEach(() => market.set('AAAUSDT', 100));

test('a hedge waits for its z, is opened once it is there, and leaves by z as the desk does', async () => {
  const { open, waiting, running, call } = await trader('trader');
  const [row] = (await call(api.singlePreview, { body: { params, ...pair } })).body.data.targets;
  expect(row).toMatchObject({ block: 'waitsForZ' });
  // By the prices of now nothing is opened.
  expect(await open({ waitHours: undefined, worst: { long: 1e9, short: 1e-9 } })).toMatchObject({ code: 5190 });
  const { code, data } = await open();
  expect(code).toBe(200);
  await pass(5);
  expect(await waiting()).toMatchObject([
    { ...pair, id: data!.id, mode: 'paper', legNotional: 1_000, entryZ: 2, block: 'waitsForZ', refused: null },
  ]);
  expect(await running()).toEqual([]);

  market.set('AAAUSDT', 95);
  await pass(5);
  expect(await waiting()).toEqual([]);
  expect(await running()).toMatchObject([{ ...pair, state: 'open' }]);
  expect((await call(api.cancelSingle, { body: { id: data!.id } })).body.code).toBe(5195);

  market.set('AAAUSDT', 100);
  await pass(10);
  expect(await running()).toEqual([]);
  expect((await call(api.list, { query: { state: 'ended' } })).body.data.list).toMatchObject([
    { closeReason: 'exitZ' },
  ]);
  // It is one: the next time that z is there nothing is opened.
  market.set('AAAUSDT', 95);
  await pass(5);
  expect(await running()).toEqual([]);
});

test('what is cancelled is not opened when its z comes; nobody cancels another one of his', async () => {
  const { open, waiting, running, call } = await trader('editor');
  const { data } = await open();
  await pass(2);
  expect((await app.as('master')(api.cancelSingle, { body: { id: data!.id } })).body.code).toBe(404);
  expect((await call(api.cancelSingle, { body: { id: data!.id } })).body.code).toBe(200);
  expect(await waiting()).toEqual([]);
  market.set('AAAUSDT', 95);
  await pass(5);
  expect(await running()).toEqual([]);
  expect((await call(api.cancelSingle, { body: { id: data!.id } })).body.code).toBe(5195);
});

test('what did not come in time is given up with the reason; nothing waits for an entry at once', async () => {
  const { open, waiting, running } = await trader('master');
  expect(await open({ params: { ...params, entry: 'immediate' } })).toMatchObject({
    code: 400,
    data: { fields: [{ field: 'waitHours' }] },
  });
  expect(await open({ waitHours: undefined })).toMatchObject({ code: 400, data: { fields: [{ field: 'worst' }] } });
  await open({ waitHours: 1 });
  await pass(2);
  market.wait(3_600_000);
  await pass(2);
  expect(await waiting()).toMatchObject([{ refused: 'waitsForZ' }]);
  const { news } = await gatherNews(db, { eventId: 0, ledgerId: 0 }, market.clock());
  expect(news.filter(({ key }) => key.startsWith('single:'))).toMatchObject([
    { title: '单笔没有开仓', text: 'AAAUSDT / BBBUSDT：到时 z 还没有到入场线，已放弃，没有委托留下' },
  ]);
  market.set('AAAUSDT', 95);
  await pass(5);
  expect(await running()).toEqual([]);
});

test('what waits is called off when everything is closed: nothing of it is opened after that', async () => {
  const { open, waiting, running, call } = await trader('trader');
  await open();
  await pass(2);
  const headers = () => ({ 'idempotency-key': randomUUID() });
  await call(api.flatten, { headers: headers() });
  await pass(2);
  expect(await waiting()).toMatchObject([{ refused: 'closedByHand' }]);
  await call(api.resume, { body: { reason: '继续' }, headers: headers() } as never);
  market.set('AAAUSDT', 95);
  await pass(5);
  expect(await running()).toEqual([]);
});
