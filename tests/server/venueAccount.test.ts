import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { account as accountApi } from '#contract/account';
import { accountMissing, liveTransfer } from '#contract/codes';
import { venueAccount as api, type Transfer } from '#contract/venueAccount';
import { insertAccount, openedVenues } from '#server/base/db/accounts/venueAccount';
import { book, paperPosition, user } from '#server/base/db/schema';
import { audit } from '#server/engine/audit';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import type { Market } from '#server/market/exchange';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { fileApp } from '../support/app';
import { atEnd } from '../support/atEnd';
import { handMarkets } from '../support/handMarket';
import { movingMarket } from '../support/paperDesk';
import { fileDatabase } from '../support/testDatabase';

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
const sister = movingMarket({ AAAUSDT: { price: 101 } }, 'simulated-okx');
const out = new Set<string>();
const able = (of: Market): Market => ({ ...of, isOut: () => out.has(of.source) });
const sources = [able(market.market), able(sister.market)];
const markets = handMarkets(...sources);

// Each as in a process of its own.
const venueOf = () => createPaperVenue({ db, clock: market.clock, markets, shared: () => true });
const startEngine = () =>
  new Engine({ db, clock: market.clock, markets, venue: venueOf(), pairModels: new PairModels() });
const db = await fileDatabase();
const { clock } = market;
let engine = startEngine();
const desk = { wake: (userId: string) => engine.wake(userId) };
const app = await fileApp({ db, clock, markets, venue: venueOf(), desk });
atEnd(() => engine.stop());

let keys = 0;
function keyed() {
  keys += 1;
  return { 'idempotency-key': `account-${keys}` };
}
const trader = () => app.as('trader');
const listed = async () => (await trader()(api.list)).body.data;

test('who has no account yet opens the first one with the second', async () => {
  const editor = app.as('editor');
  expect((await editor(api.list)).body.data.list).toHaveLength(1);
  const [row] = await db.select().from(user).where(eq(user.name, 'editor'));
  await db.delete(book).where(eq(book.userId, row!.id));
  const body = { name: '欧易', venue: 'simulated-okx', amount: 25_000 };
  expect((await editor(api.open, { body, headers: keyed() })).body.code).toBe(200);
  expect((await editor(api.list)).body.data.list.map(({ name }) => name)).toEqual(['主账户', '欧易']);
  // Nor do the words of it speak of a demo, which not every server has.
  expect(accountMissing.message).not.toMatch(/演示/);
});

test('a second account is opened once at its venue, and its money is no gain', async () => {
  const before = (await listed()).list;
  expect(before).toMatchObject([{ name: '主账户', venue: 'simulated', equity: '100000', share: 1, state: 'ok' }]);
  const userId = before[0]!.id;
  expect(await openedVenues(db, userId)).toEqual(new Set(['simulated']));

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
  expect(await openedVenues(db, userId)).toEqual(new Set(['simulated', 'simulated-okx']));
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

const MINUTE = 60_000;
const moved = async (): Promise<Transfer[]> => (await trader()(api.transfers)).body.data.list;
const ask = (from: string, to: string, amount: number, headers = keyed()) =>
  trader()(api.transfer, { body: { from, to, amount }, headers });
const userOf = async () => (await listed()).list[0]!.id;
const findings = async () => (await audit(db, venueOf(), [await userOf()])).findings;
/** Ticks once a minute for so long. */
async function pass(minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i += 1) {
    market.wait(MINUTE);
    await engine.tick();
  }
}

test('a transfer between own accounts is debited, in transit and credited once', async () => {
  const [first, second] = (await listed()).list;
  // The record has both accounts as they were before.
  await pass(6);
  const headers = keyed();
  const asked = await ask(first!.id, second!.id, 10_000, headers);
  expect(asked.body).toMatchObject({ code: 200, data: { state: 'asked', fee: '1', minutes: 10 } });
  expect((await ask(first!.id, second!.id, 10_000, headers)).body).toEqual(asked.body);
  expect(await moved()).toMatchObject([
    { id: asked.body.data.id, state: 'transit', amount: '10000', dueAt: market.clock() + 10 * MINUTE, arrivedAt: null },
  ]);
  const { list, inTransit, total } = await listed();
  expect({ of: list.map(({ equity }) => equity), inTransit, total }).toEqual({
    ...{ of: ['89999', '25000'], inTransit: '10000', total: '124999' },
  });
  const stateOf = async (accountId?: string) =>
    (await trader()(accountApi.state, { query: accountId === undefined ? {} : { accountId } })).body.data.account!;
  // The fee alone is a loss, of the whole and of the account that paid it.
  expect(await stateOf()).toMatchObject({ equity: '124999', inTransit: '10000', net: '-1', today: { pnl: -1 } });
  expect(await stateOf(first!.id)).toMatchObject({ equity: '89999', inTransit: '0', net: '-1' });
  expect(await findings()).toEqual([]);

  await pass(9);
  expect(await moved()).toMatchObject([{ state: 'transit' }]);
  // What is due while its venue is out waits, and another process credits it as well as this one.
  out.add('simulated-okx');
  await pass(2);
  expect(await moved()).toMatchObject([{ state: 'transit', reason: '交易所没有回应，恢复后继续' }]);
  out.clear();
  await engine.stop();
  engine = startEngine();
  await Promise.all([pass(1), venueOf().move(second!.id, { moveId: asked.body.data.id, amount: '10000' })]);
  await pass(2);
  expect(await moved()).toMatchObject([{ state: 'arrived', reason: null }]);
  expect((await listed()).list.map(({ equity }) => equity)).toEqual(['89999', '35000']);
  expect(await stateOf()).toMatchObject({ equity: '124999', inTransit: '0', net: '-1', today: { pnl: -1 } });
  expect(await stateOf(second!.id)).toMatchObject({ equity: '35000', net: '0', today: { pnl: 0 } });
  expect(await findings()).toEqual([]);
  // Points before, on the way and after it: the whole lost its fee, and nothing else.
  const curve = (await trader()(accountApi.equity, { query: { range: '1d' } })).body.data;
  expect(curve.equity.slice(1).every((equity) => [125_000, 124_999].includes(equity))).toBe(true);
  expect(curve.equity[1]).toBe(125_000);
  expect(curve.index.at(-1)).toBeCloseTo((100 * 124_999) / 125_000, 9);
});

test('a transfer takes only free money, and only to an own account', async () => {
  const [first, second] = (await listed()).list;
  const venue = venueOf();
  const order = { account: first!.id, source: 'simulated', side: 'buy', type: 'maker', reduceOnly: false } as const;
  await venue.submit({ ...order, clientId: 'held', symbol: 'AAAUSDT', quantity: '400', limitPrice: '99', leverage: 1 });
  const much = await ask(first!.id, second!.id, 60_000);
  // 89,999 less 400 x 100, which the order may come to, less the fee.
  expect(much.body).toMatchObject({ code: 6005, data: { fields: [{ field: 'amount' }] } });
  expect(much.body.message).toContain('最多 49998 USDT');
  expect((await ask(first!.id, first!.id, 10)).body).toMatchObject({ code: 6007, data: { fields: [{ field: 'to' }] } });
  const master = (await app.as('master')(api.list)).body.data.list[0]!.id;
  expect((await ask(first!.id, master, 10)).status).toBe(404);
  expect((await ask(master, first!.id, 10)).status).toBe(404);
  expect((await ask(first!.id, second!.id, 10.001)).status).toBe(400);
  // What was free when it was asked for, and is not when it should leave.
  out.add('simulated');
  const late = await ask(first!.id, second!.id, 49_998);
  expect(late.body.code).toBe(200);
  out.clear();
  await venue.submit({ ...order, clientId: 'more', symbol: 'BBBUSDT', quantity: '20', limitPrice: '49', leverage: 1 });
  await pass(1);
  expect((await moved())[0]).toMatchObject({ id: late.body.data.id, state: 'failed', reason: '余额不足' });
  expect((await listed()).list.map(({ equity }) => equity)).toEqual(['89999', '35000']);
  expect(await findings()).toEqual([]);
});

test('leverage of the whole counts what is on its way between the accounts', async () => {
  const [first, second] = (await listed()).list;
  const position = { source: 'simulated', symbol: 'AAAUSDT', quantity: '10', leverage: 1 };
  await db.insert(paperPosition).values({ account: first!.id, ...position });
  expect((await ask(first!.id, second!.id, 30_000)).body.code).toBe(200);
  expect((await listed()).inTransit).toBe('30000');
  const { risk } = (await trader()(accountApi.state)).body.data.account!;
  // 1,000 over what both venues have, the position included, and the 30,000 of neither.
  expect(risk.gross).toBe(1000);
  expect(1000 / risk.leverage!).toBeCloseTo(124_998 + 1000, 6);
});

test('what is real is moved at its exchange alone, and shown as real', async () => {
  const master = app.as('master');
  const [own] = (await master(api.list)).body.data.list;
  const real = randomUUID();
  await insertAccount(db, { id: real, userId: own!.id, venue: 'simulated', name: '实盘', mode: 'live' });
  expect((await master(api.list)).body.data.list.map(({ mode }) => mode)).toEqual(['paper', 'live']);
  for (const [from, to, field] of [
    [own!.id, real, 'to'],
    [real, own!.id, 'from'],
  ] as const) {
    const refusal = { code: liveTransfer.code, data: { fields: [{ field }] } };
    const usdt = { body: { from, to, amount: 10 }, headers: keyed() };
    expect((await master(api.transfer, usdt)).body).toMatchObject(refusal);
    const coin = { body: { from, to, coin: 'AAA', quantity: 1 }, headers: keyed() };
    expect((await master(api.transferCoin, coin)).body).toMatchObject(refusal);
  }
});
