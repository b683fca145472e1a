import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import Big from 'big.js';
import { WebSocket } from 'ws';
import { MINUTE_MS } from '#contract/duration';
import { failure, hurried, PATIENT_MS } from '../../support/askedClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { okxClientOf, okxCustomer } from '../../support/okxClient';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const PLACE = /^POST \/api\/v5\/trade\/order$/;
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
let owner: Awaited<ReturnType<typeof okxCustomer>>;
let ids = 0;

beforeAll(async () => {
  owner = await okxCustomer(() => running() + ahead);
  owner.client.timeout = PATIENT_MS;
});

afterEach(() => {
  owner.exchange.faults.clear();
});

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

/** Sends an order that rests; whether it is there is asked by its client id. */
function rests() {
  const clientOrderId = `fault${++ids}`;
  const { client, exchange } = owner;
  const price = Number(client.priceToPrecision(BTC, exchange.listed('BTCUSDT')!.ticker.price * 0.97));
  const send = () => failure(client.createOrder(BTC, 'limit', 'buy', 1, price, { clientOrderId }));
  const isThere = async () => (await failure(client.fetchOrder('', BTC, { clientOrderId }))).name === 'nothing';
  return { send, isThere };
}

/** At the market, as by hand. */
const bought = (amount: number, of = owner.client) =>
  of.createOrder(BTC, 'market', amount > 0 ? 'buy' : 'sell', Math.abs(amount), undefined, {
    clientOrderId: `fault${++ids}`,
  });

const ownStream = () => Object.entries(owner.client.clients).find(([url]) => url.endsWith('/private'))?.[1];
test.each([
  ['no answer', { kind: 'noAnswer' } as const, 'RequestTimeout'],
  ['a connection that is cut', { kind: 'cut' } as const, 'NetworkError'],
  ['an answer that is no JSON', { kind: 'garbled' } as const, 'nothing'],
])('after %s the order is there all the same', async (_name, fault, seen) => {
  owner.exchange.faults.next(PLACE, fault);
  const { send, isThere } = rests();
  expect((await (fault.kind === 'noAnswer' ? hurried(owner.client, send) : send())).name).toBe(seen);
  expect(await isThere()).toBe(true);
});

test.each([
  [502, {}, 'ExchangeError'],
  [503, { code: '50001', msg: 'Service temporarily unavailable.', data: [] }, 'OnMaintenance'],
  [400, { code: '50004', msg: 'API endpoint request timeout.', data: [] }, 'RequestTimeout'],
  [429, { code: '50011', msg: 'Too Many Requests', data: [] }, 'RateLimitExceeded'],
])('%i is no answer to the order', async (status, body, seen) => {
  owner.exchange.faults.next(PLACE, { kind: 'answer', answer: { status, body } });
  const { send, isThere } = rests();
  expect((await send()).name).toBe(seen);
  expect(await isThere()).toBe(false);
});

test('an order that is held up is taken when it arrives, unless its time is over', async () => {
  const { client, exchange } = owner;
  for (const [expTime, isTaken] of [
    [exchange.now() + MINUTE_MS, true],
    [exchange.now() + 10, false],
  ] as const) {
    client.headers = { expTime: String(expTime) };
    const heldUp = exchange.faults.holdUp(PLACE);
    const { send, isThere } = rests();
    expect((await hurried(owner.client, send)).name).toBe('RequestTimeout');
    ahead += 20;
    await heldUp.arrive();
    client.headers = {};
    expect(await isThere()).toBe(isTaken);
  }
});

test('a clock that is ahead refuses the request, not the order', async () => {
  owner.exchange.faults.clockAheadMs = 31_000;
  expect(await rests().send()).toMatchObject({ name: 'InvalidNonce', text: expect.stringContaining('50102') });
});

test('who asks too often is refused until the window is over', async () => {
  const { client } = owner;
  ahead += 2000 - (owner.exchange.now() % 2000);
  const seen = await Promise.all(Array.from({ length: 11 }, () => failure(client.fetchBalance())));
  expect(seen.some(({ name, text }) => name === 'RateLimitExceeded' && text.includes('50011'))).toBe(true);
  ahead += 2000;
  expect((await failure(client.fetchBalance())).name).toBe('nothing');
});

test('of an order a part is filled where there is not more', async () => {
  const { client, exchange } = owner;
  exchange.faults.fillShare = 0.4;
  await bought(10);
  const order = await client.fetchOrder('', BTC, { clientOrderId: `fault${ids}` });
  expect(order).toMatchObject({ filled: 4, remaining: 6, status: 'canceled' });
});

test('what happened may be told later than it happened', async () => {
  const { client, exchange, account } = owner;
  exchange.faults.lagMs = MINUTE_MS;
  await bought(1);
  const clientOrderId = `fault${ids}`;
  const fills = async () => (await client.fetchMyTrades(BTC)).filter(({ info }) => info.clOrdId === clientOrderId);
  expect(account.fills.at(-1)!.order.clientId).toBe(clientOrderId);
  expect((await failure(client.fetchOrder('', BTC, { clientOrderId }))).text).toContain('51603');
  expect(await fills()).toEqual([]);
  ahead += MINUTE_MS;
  expect((await client.fetchOrder('', BTC, { clientOrderId })).filled).toBe(1);
  expect(await fills()).toHaveLength(1);
});

test('the streams of an account tell orders, fills, money and positions, also what another client does by hand', async () => {
  const { client, standIn, exchange, account } = owner;
  const words = { key: 'hand', secret: 's', passphrase: 'p', account: 'owner' };
  const byHand = await okxClientOf(standIn, exchange.keys.add(words));
  expect((await client.watchBalance()).USDT!.total).toBeCloseTo(Number(account.freeOf('USDT')), -1);
  const heard = { orders: client.watchOrders(), fills: client.watchMyTrades(BTC), positions: client.watchPositions() };
  // What was subscribed to before is heard once this is told.
  await heard.positions;
  const [money, positions] = [client.watchBalance(), client.watchPositions()];
  await bought(3, byHand);
  const clientOrderId = `fault${ids}`;
  expect((await heard.orders).at(-1)).toMatchObject({ clientOrderId, symbol: BTC });
  expect((await heard.fills).at(-1)).toMatchObject({ side: 'buy', amount: 3, takerOrMaker: 'taker' });
  expect((await money).info.eventType).toBe('event_update');
  expect((await positions)[0]).toMatchObject({ symbol: BTC, side: 'long' });
});

test('what the exchange closes by itself is in the records: by category, under no client id, trades below zero', async () => {
  const { client, exchange, account } = owner;
  const close = async (why: 'adl' | 'partialLiquidation' | 'delivery' | 'liquidation', share?: number) => {
    const { id } = exchange.trading.force(account, 'BTCUSDT', why, share);
    const fill = account.fills.find(({ order }) => order.id === id)!;
    const { data } = await client.privateGetTradeFills({ instId: 'BTC-USDT-SWAP' });
    const tradeId = why === 'delivery' ? String(fill.id) : `-${fill.id}`;
    expect(data[0]).toMatchObject({ tradeId, clOrdId: '', execType: '', side: 'sell' });
    const [bill] = (await client.privateGetAccountBills({ instId: 'BTC-USDT-SWAP' })).data;
    const [order] = (await client.privateGetTradeOrder({ instId: 'BTC-USDT-SWAP', ordId: data[0].ordId })).data;
    return [order.category, bill.type, bill.subType];
  };
  ahead += 2000;
  expect(await close('adl', 0.4)).toEqual(['adl', '9', '128']);
  expect(await close('partialLiquidation', 0.4)).toEqual(['partial_liquidation', '5', '103']);
  ahead += 1000;
  expect(await close('delivery', 0.4)).toEqual(['delivery', '3', '112']);
  expect(await close('liquidation')).toEqual(['full_liquidation', '5', '107']);
  expect(await client.fetchPositions([BTC])).toEqual([]);
});

test('who has too little is closed by the exchange', async () => {
  const { standIn, exchange } = owner;
  const poor = exchange.trading.account('poor');
  poor.deposit('spot', 'USDT', 1200);
  const words = { key: 'poor', secret: 's', passphrase: 'p', account: 'poor' };
  const theirs = await okxClientOf(standIn, exchange.keys.add(words));
  await theirs.setLeverage(100, BTC);
  await bought(50, theirs);
  expect((await theirs.fetchPositions([BTC]))[0]).toMatchObject({ contracts: 50 });
  exchange.trading.bring(poor, 'USDT', new Big(-1000));
  await waitFor('a liquidation', 60_000, () => poor.positions.size === 0);
  expect((await theirs.privateGetTradeFills()).data[0].tradeId).toMatch(/^-/);
});

test('an order that rests is filled where the market meets it, as a maker', async () => {
  const { client, account } = owner;
  await client.createOrder(SPOT, 'market', 'buy', 0.05, undefined, { clientOrderId: 'coin' });
  const { bids } = await client.fetchOrderBook(BTC, 5);
  await client.createOrder(BTC, 'post_only', 'buy', 1, bids[0]![0], { clientOrderId: 'resting' });
  await waitFor('a fill', 60_000, () => {
    ahead += 1000;
    return account.fills.some(({ order }) => order.clientId === 'resting');
  });
  const [fill] = (await client.privateGetTradeFills({ instId: 'BTC-USDT-SWAP' })).data;
  expect(fill).toMatchObject({ clOrdId: 'resting', execType: 'M', fillPx: String(bids[0]![0]) });
});

test('streams that are hung up on break off, and speak again to who comes back', async () => {
  const { client, exchange, key } = owner;
  const cut = failure(client.watchOrders(BTC));
  exchange.faults.endedStreams.add('owner');
  // The notice breaks off what is watched; the connection ends after it.
  expect((await cut).text).toContain('64008');
  await waitFor('the end of the connection', 60_000, () => ownStream() === undefined);
  const again = client.watchOrders(BTC);
  await client.watchPositions();
  await bought(1);
  expect((await again).at(-1)!.clientOrderId).toBe(`fault${ids}`);
  const left = failure(client.watchOrders(BTC));
  exchange.keys.revoke(key.key);
  expect((await left).name).toBe('NetworkError');
  expect((await failure(client.fetchBalance())).text).toContain('50119');
  expect((await failure(client.watchOrders(BTC))).text).toContain('60032');
  exchange.keys.add(key);
});

test('who speaks on a connection is looked at', async () => {
  const { standIn, key } = owner;
  const socket = new WebSocket(`${standIn.url.replace('http', 'ws')}/ws/v5/private`);
  await once(socket, 'open');
  const said = async (message: object | string) => {
    const heard = once(socket, 'message');
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    const text = String((await heard)[0]);
    return text.startsWith('{') ? (JSON.parse(text).code ?? JSON.parse(text).event) : text;
  };
  const login = (differs: object = {}) => {
    const timestamp = String(Math.floor(owner.client.milliseconds() / 1000));
    const sign = createHmac('sha256', key.secret).update(`${timestamp}GET/users/self/verify`).digest('base64');
    const arg = { apiKey: key.key, passphrase: key.passphrase, timestamp, sign, ...differs };
    return said({ op: 'login', args: [arg] });
  };
  const subscribe = (channel: string, instType = 'ANY') => said({ op: 'subscribe', args: [{ channel, instType }] });
  expect(await said('ping')).toBe('pong');
  expect(await subscribe('orders')).toBe('60011');
  expect(await login({ apiKey: 'nobody' })).toBe('60032');
  expect(await login({ passphrase: 'x' })).toBe('60024');
  expect(await login({ sign: 'x' })).toBe('60007');
  expect(await login({ timestamp: 'now' })).toBe('60004');
  expect(await login({ timestamp: '1' })).toBe('60006');
  expect(await login()).toBe('0');
  expect(await login()).toBe('60031');
  expect(await subscribe('candles')).toBe('60018');
  expect(await subscribe('orders', 'ALL')).toBe('60013');
  expect(await said({ op: 'order', args: [{}] })).toBe('60012');
  expect(await subscribe('orders')).toBe('subscribe');
  socket.close();
});
