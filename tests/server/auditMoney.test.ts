import { randomUUID } from 'node:crypto';
import { type AuditRow, audit } from '#contract/audit';
import type { Endpoint } from '#contract/endpoint';
import { flatten } from '#contract/flatten';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { deal } from '#server/base/db/schema';
import { KIND_SAMPLES, kindMarket } from '../support/kindDesk';
import { tradingApp } from '../support/tradingApp';
import { waitFor } from '../support/waitFor';

const { clock, markets } = kindMarket();
const wait = (ms = 1000) => {
  clock.trader += ms;
  clock.market = clock.trader;
};
const { db, app, pass } = await tradingApp({ clock: () => clock.trader, markets, wait });
const master = app.as('master');
const headers = () => ({ 'idempotency-key': randomUUID() });
const PAIR = { long: 'ETHUSDT', short: 'SOLUSDT' };
const NET = /净 [+−]\d+\.\d\d USDT/;

/** The newest row of a call, once it is the one that ended so: of what was refused unread it comes after the answer. */
async function rowOf(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  result: AuditRow['result'] = 'done',
): Promise<AuditRow> {
  let row: AuditRow | undefined;
  await waitFor('the outcome of the write', 60_000, async () => {
    [row] = (await master(audit.list, { query: { action: `${method} ${path}` } })).body.data.list;
    return row?.result === result;
  });
  return row!;
}
/** Ticks until it is answered: on a slow machine it may be heard after any number of ticks. */
async function ticking(call: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = call.finally(() => {
    isOver = true;
  });
  while (!isOver) await pass(1);
  await over;
}
const total = async (object: string) => (await master(audit.list, { query: { object } })).body.data.total;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

test('what was done to a pair is told by its symbols, with its size, what was opened by it and what that made', async () => {
  await master(hedgeConfig.create, {
    body: { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: 1000, source: 'simulated' },
  });
  await master(hedgeConfig.enable);
  const { pairId } = (await master(hedgeConfig.addPair, { body: { ...PAIR, arm: false } })).body.data;
  expect(await rowOf(hedgeConfig.addPair)).toMatchObject({ object: 'ETHUSDT / SOLUSDT', amount: '每腿 1,000 USDT' });
  await master(hedgeConfig.armPair, { body: { pairId } });
  await pass(10);
  const armed = await rowOf(hedgeConfig.armPair);
  expect(armed).toMatchObject({
    amount: '每腿 1,000 USDT',
    result: 'done',
    message: '开出 1 张，1 张进行中',
    changes: [],
  });
  expect(await rowOf(hedgeConfig.enable)).toMatchObject({ object: '多空对冲', message: '开出 1 张，1 张进行中' });

  const [held] = await db.select().from(deal);
  const id = held!.id;
  const limits = { stopLoss: 0.05, takeProfit: null, maxHoldingHours: 48 };
  const { stopLoss, takeProfit, maxHoldingHours } = DEFAULT_SETTINGS;
  const was = { stopLoss, takeProfit, maxHoldingHours };
  const limited = await master(hedge.setLimits, { body: { id, limits, was } });
  expect(limited.body).toMatchObject({ code: 200 });
  const set = await rowOf(hedge.setLimits);
  expect(set).toMatchObject({ object: 'ETHUSDT / SOLUSDT', message: '持有中' });
  expect(set.amount).toMatch(/^每腿 \d{3}(\.\d+)? USDT$|^每腿 1,0\d\d/);
  expect(set.changes).toEqual([
    { field: '止盈', before: '8 %', after: null },
    { field: '最长持有', before: '168 小时', after: '48 小时' },
  ]);

  await ticking(master(hedge.close, { query: { id } }));
  const closed = await rowOf(hedge.close);
  expect(closed).toMatchObject({ object: 'ETHUSDT / SOLUSDT', result: 'done', changes: [] });
  expect(closed.message).toMatch(/^已平仓（手动平仓），净 [+−]\d+\.\d\d USDT$/);
  expect((await rowOf(hedgeConfig.armPair)).message).toMatch(/^开出 1 张，1 张已结束，净/);

  // Refused: the reason, and still the pair.
  const refused = await master(hedgeConfig.armPair, { body: { pairId: randomUUID() } });
  expect(refused.status).toBe(404);
  expect(await rowOf(hedgeConfig.armPair, 'refused')).toMatchObject({ message: '没有这个交易对' });

  // By either symbol; a deal of it too.
  expect(await total('ethusdt')).toBeGreaterThanOrEqual(4);
  expect(await total('SOLUSDT')).toBeGreaterThanOrEqual(3);
  expect(await total('NOSUCHUSDT')).toBe(0);
});

test('a strategy is told with what it may open, a single deal by its pair, and closing all by what was closed', async () => {
  const { params } = KIND_SAMPLES.fundingRate;
  const body = { kind: 'fundingRate', name: '收资金费', mode: 'paper', params };
  const { id } = (await master(strategies.create, { body })).body.data;
  const made = await rowOf(strategies.create);
  expect(made).toMatchObject({ object: '收资金费（ZKUSDT_SPOT / ZKUSDT）' });
  // As the form has it: percent.
  expect(made.changes).toContainEqual({ field: '开仓名义净年化', before: null, after: `${params.entryApr * 100} %` });
  await master(strategies.clone, { body: { id, name: '另一份' } });
  const cloned = await rowOf(strategies.clone);
  expect(cloned).toMatchObject({ object: '收资金费（ZKUSDT_SPOT / ZKUSDT）' });
  expect(cloned.changes).toEqual([{ field: '名称', before: null, after: '另一份' }]);
  await master(strategies.start, { body: { id } });
  const spread = { kind: 'spread', params: KIND_SAMPLES.spread.params };
  const preview = (await master(strategies.preview, { body: spread })).body.data;
  const of = (leg: string) => preview.targets[0]!.ticket!.legs.find((one) => one.leg === leg)!.limitPrice!;
  const worst = { long: of('long') * 1.01, short: of('short') * 0.99 };
  const single = { ...spread, name: '这一笔', worst };
  const once = await master(strategies.single, { body: single, headers: headers() });
  expect(once.body.code).toBe(200);
  await pass(12);
  const opened = await rowOf(strategies.single);
  expect(opened).toMatchObject({ object: '这一笔（ETHUSDT_SPOT / ETHUSDT_260925）', message: '开出 1 张，1 张进行中' });
  expect(opened.amount).toMatch(/^每腿 [\d,]+ USDT$/);
  expect(await rowOf(strategies.start)).toMatchObject({
    object: '收资金费（ZKUSDT_SPOT / ZKUSDT）',
    message: expect.stringMatching(/^开出 \d+ 张/),
  });
  // What it was worth then is not known; the size of the strategy is.
  await master(strategies.stop, { body: { id: once.body.data.id, flatten: true } });
  expect(await rowOf(strategies.stop)).toMatchObject({
    amount: opened.amount,
    message: expect.stringContaining('1 张'),
  });
  // One strategy is left alone, all are closed right after: that tells nothing of the first act.
  expect((await master(strategies.stop, { body: { id, flatten: false } })).body.code).toBe(200);
  await pass(2);
  await master(flatten.ask, { body: {}, headers: headers() });
  await pass(15);
  expect((await rowOf(strategies.stop)).message).toBeNull();
  const all = await rowOf(flatten.ask);
  expect(all.object).toBe('自己的全部持仓');
  expect(all.message).toMatch(/^平掉 \d+ 张，净 [+−]/);
  expect(all.message).toMatch(NET);
  expect(Number(all.amount!.replaceAll(/[^\d.]/g, ''))).toBeGreaterThan(1000);
});

test('a transfer is told by both accounts, the amount and whether it has arrived; no row shows an id', async () => {
  const open = { name: '欧易', venue: 'simulated-okx', amount: 25_000 };
  expect((await master(venueAccount.open, { body: open, headers: headers() })).body.code).toBe(200);
  expect(await rowOf(venueAccount.open)).toMatchObject({ object: 'OKX 欧易', amount: '25,000 USDT' });
  const { list } = (await master(venueAccount.list)).body.data;
  const [from, to] = list.map((one) => one.id);
  await master(venueAccount.transfer, { body: { from, to, amount: 1500 }, headers: headers() });
  await pass(5);
  const moved = await rowOf(venueAccount.transfer);
  expect(moved).toMatchObject({ object: '币安 主账户 → OKX 欧易', amount: '1,500 USDT' });
  expect(moved.changes).toEqual([{ field: '金额', before: null, after: '1500 USDT' }]);
  expect(moved.message).toMatch(/^在途，手续费 [\d.]+ USDT$/);
  // What could not be read is not told.
  await master(venueAccount.transfer, { body: { from, to, amount: 1e12 }, headers: headers() });
  const unread = { object: null, amount: null };
  expect(await rowOf(venueAccount.transfer, 'refused')).toMatchObject(unread);
  await master(venueAccount.open, { body: { ...open, amount: -1 }, headers: headers() });
  expect(await rowOf(venueAccount.open, 'refused')).toMatchObject(unread);
  await pass(16 * 60);
  const [arrived] = (await master(audit.list, { query: { action: 'POST /api/account/transfer', result: 'done' } })).body
    .data.list;
  expect(arrived!.message).toMatch(/^已到账，/);
  const rows = (await master(audit.list, { query: { pageSize: 200, result: 'done' } })).body.data.list;
  for (const { object, amount, message, changes } of rows)
    expect(JSON.stringify([object, amount, message, changes])).not.toMatch(UUID);
});
