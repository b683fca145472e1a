import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { MINUTE_MS } from '#contract/duration';
import { failure, hurried, PATIENT_MS } from '../../support/askedClient';
import { bybitClientOf, bybitCustomer } from '../../support/bybitClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const PLACE = /^POST \/v5\/order\/create$/;
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
let owner: Awaited<ReturnType<typeof bybitCustomer>>;
let ids = 0;

beforeAll(async () => {
  owner = await bybitCustomer(() => running() + ahead);
  owner.client.timeout = PATIENT_MS;
  // What is held is asked for by the tests themselves; the library would ask for what there is not here too.
  owner.client.options.watchPositions = { fetchPositionsSnapshot: false, awaitPositionsSnapshot: false };
});

// What may be asked is counted by the second.
beforeEach(() => {
  ahead += 1000;
});

afterEach(() => {
  owner.exchange.faults.clear();
});

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

type Row = Record<string, string>;
const list = (answer: unknown) => (answer as { result: { list: Row[] } }).result.list;
const told = async (category: string, orderLinkId: string) =>
  list(await owner.client.privateGetV5OrderRealtime({ category, orderLinkId }))[0];

/** Sends an order that rests; whether it is there is asked by its client id. */
function rests(symbol = BTC) {
  const clientOrderId = `fault${++ids}`;
  const { client, exchange } = owner;
  const price = Number(client.priceToPrecision(symbol, exchange.listed('BTCUSDT')!.ticker.price * 0.97));
  const send = () => failure(client.createOrder(symbol, 'limit', 'buy', 0.01, price, { clientOrderId }));
  const seen = () => told(symbol === SPOT ? 'spot' : 'linear', clientOrderId);
  return { send, seen };
}

/** At the market, as by hand. */
const bought = (amount: number, symbol = BTC, of = owner.client) =>
  of.createOrder(symbol, 'market', amount > 0 ? 'buy' : 'sell', Math.abs(amount), undefined, {
    clientOrderId: `fault${++ids}`,
  });

test('an order that is held up is taken when it arrives, unless its time is over', async () => {
  const { client, exchange } = owner;
  for (const [recvWindow, isTaken] of [
    [MINUTE_MS, true],
    [10, false],
  ] as const) {
    client.options.recvWindow = recvWindow;
    const heldUp = exchange.faults.holdUp(PLACE);
    const { send, seen } = rests();
    expect((await hurried(client, send)).name).toBe('RequestTimeout');
    ahead += 20;
    await heldUp.arrive();
    client.options.recvWindow = 5000;
    expect((await seen()) !== undefined).toBe(isTaken);
  }
});

test('who asks too often is refused until the second is over', async () => {
  const { client } = owner;
  ahead += 1000 - (owner.exchange.now() % 1000);
  const seen = await Promise.all(
    Array.from({ length: 15 }, () =>
      failure(client.privateGetV5AccountFeeRate({ category: 'linear', symbol: 'BTCUSDT' })),
    ),
  );
  expect(seen.some(({ name, text }) => name === 'RateLimitExceeded' && text.includes('10006'))).toBe(true);
});

test('a part is filled where there is not more: of contracts the order is cancelled, of spot partly filled', async () => {
  owner.exchange.faults.fillShare = 0.4;
  const part = { cumExecQty: '0.004', leavesQty: '0' };
  await bought(0.01);
  expect(await told('linear', `fault${ids}`)).toMatchObject({ ...part, orderStatus: 'Cancelled' });
  await bought(0.01, SPOT);
  expect(await told('spot', `fault${ids}`)).toMatchObject({ ...part, orderStatus: 'PartiallyFilledCanceled' });
});

test('what happened may be told later than it happened', async () => {
  const { client, exchange } = owner;
  exchange.faults.lagMs = MINUTE_MS;
  await bought(0.01);
  const orderLinkId = `fault${ids}`;
  const fills = async () => list(await client.privateGetV5ExecutionList({ category: 'linear', orderLinkId }));
  expect([await told('linear', orderLinkId), await fills()]).toEqual([undefined, []]);
  ahead += MINUTE_MS;
  expect(await told('linear', orderLinkId)).toMatchObject({ orderStatus: 'Filled' });
  expect(await fills()).toHaveLength(1);
});

/** Until so many subscriptions are confirmed, of what is subscribed to now. */
async function subscribed(count: number, subscribe: () => void) {
  let confirmed = 0;
  owner.exchange.faults.onStream = (messages) => {
    confirmed += messages.filter((message) => (message as { op?: string }).op === 'subscribe').length;
    return messages;
  };
  subscribe();
  await waitFor('subscriptions', 60_000, () => confirmed === count);
}

test('the streams of an account tell orders, fills, money and positions, also what another client does by hand', async () => {
  const { client, standIn, exchange, account } = owner;
  const byHand = await bybitClientOf(standIn, exchange.keys.add({ key: 'hand', secret: 's', account: 'owner' }));
  const watched = {} as Record<'orders' | 'fills' | 'positions' | 'money', Promise<unknown>>;
  await subscribed(4, () => {
    watched.orders = client.watchOrders();
    watched.fills = client.watchMyTrades(BTC);
    watched.positions = client.watchPositions([BTC]);
    watched.money = client.watchBalance();
  });
  await bought(0.03, BTC, byHand);
  const [heard, fills, positions, money] = await Promise.all(Object.values(watched));
  expect((heard as object[]).at(-1)).toMatchObject({ clientOrderId: `fault${ids}`, symbol: BTC });
  expect((fills as object[]).at(-1)).toMatchObject({ side: 'buy', takerOrMaker: 'taker' });
  expect((positions as object[])[0]).toMatchObject({ symbol: BTC });
  expect((money as { USDT: { total: number } }).USDT.total).toBeCloseTo(Number(account.freeOf('USDT')), -1);
});

test('what the exchange closes by itself is in the records: by what it was made for, under no client id', async () => {
  const { client, exchange, account } = owner;
  const close = async (why: 'adl' | 'partialLiquidation' | 'delivery' | 'liquidation', share?: number) => {
    exchange.trading.force(account, 'BTCUSDT', why, share);
    const [row] = list(await client.privateGetV5ExecutionList({ category: 'linear', symbol: 'BTCUSDT' }));
    expect(row).toMatchObject({ orderLinkId: '', side: 'Sell' });
    const [entry] = list(await client.privateGetV5AccountTransactionLog({ category: 'linear' }));
    const { orderId } = row!;
    const orders = list(await client.privateGetV5OrderHistory({ category: 'linear', orderId }));
    return [row!.createType, row!.execType, entry!.type, orders.length];
  };
  await bought(0.1);
  expect(await close('adl', 0.4)).toEqual(['CreateByAdl_PassThrough', 'AdlTrade', 'ADL', 1]);
  expect(await close('partialLiquidation', 0.4)).toEqual(['CreateByLiq', 'Trade', 'LIQUIDATION', 1]);
  // It is a trade without an order.
  expect(await close('delivery', 0.4)).toEqual(['CreateBySettle', 'Delivery', 'DELIVERY', 0]);
  expect(await close('liquidation')).toEqual(['CreateByTakeOver_PassThrough', 'BustTrade', 'LIQUIDATION', 1]);
});

/** A connection of a customer's own, and what is answered to what is said there. */
async function spoken() {
  const { standIn, key, client } = owner;
  const socket = new WebSocket(`${standIn.url.replace('http', 'ws')}/v5/private`);
  await once(socket, 'open');
  const said = async (message: object) => {
    const heard = once(socket, 'message');
    socket.send(JSON.stringify(message));
    return JSON.parse(String((await heard)[0])) as Record<string, unknown>;
  };
  const login = (differs: readonly unknown[] = []) => {
    const until = client.milliseconds() + 10_000;
    const sign = createHmac('sha256', key.secret).update(`GET/realtime${until}`).digest('hex');
    return said({ op: 'auth', args: [key.key, until, sign].map((usual, i) => differs[i] ?? usual) });
  };
  return { socket, said, login, subscribe: (...args: string[]) => said({ op: 'subscribe', args }) };
}

test('who speaks on a connection is looked at', async () => {
  const { socket, said, login, subscribe } = await spoken();
  expect(await said({ op: 'ping', req_id: '1' })).toMatchObject({ op: 'pong', req_id: '1' });
  expect(await subscribe('order')).toMatchObject({ success: false, ret_msg: 'Request not authorized' });
  expect(await login()).toMatchObject({ success: true, op: 'auth' });
  expect(await subscribe('candles')).toMatchObject({ success: false });
  expect(await subscribe('order', 'wallet')).toMatchObject({ success: true, op: 'subscribe' });
  socket.close();
  for (const differs of [['nobody'], [undefined, 1], [undefined, undefined, 'ab']]) {
    const other = await spoken();
    expect(await other.login(differs)).toMatchObject({ success: false, op: 'auth' });
    await once(other.socket, 'close');
  }
});

test('where it is switched on, orders end once nobody who guards them is there any more', async () => {
  const { client, account } = owner;
  const set = (product: string, timeWindow: number) =>
    client.privatePostV5OrderDisconnectedCancelAll({ product, timeWindow } as never);
  const infos = async () =>
    ((await client.privateGetV5AccountQueryDcpInfo()) as { result: { dcpInfos: Row[] } }).result.dcpInfos;
  expect(await infos()).toEqual([]);
  expect((await failure(set('DERIVATIVES', 10))).text).toContain('10005');
  account.dcp.set('derivatives', 10);
  expect((await failure(set('DERIVATIVES', 2))).text).toContain('10001');
  await set('DERIVATIVES', 30);
  expect(await infos()).toEqual([{ product: 'DERIVATIVES', dcpStatus: 'ON', timeWindow: '30' }]);
  const [guarded, other] = [rests(), rests(SPOT)];
  await Promise.all([guarded.send(), other.send()]);
  const [one, two] = [await spoken(), await spoken()];
  for (const { login, subscribe } of [one, two]) {
    await login();
    await subscribe('dcp.future');
  }
  one.socket.close();
  ahead += MINUTE_MS;
  await client.fetchBalance();
  expect(await guarded.seen()).toMatchObject({ orderStatus: 'New' });
  two.socket.close();
  await waitFor('the end of what is not guarded', 60_000, () => {
    ahead += 1000;
    return account.live('derivatives').length === 0;
  });
  expect(await guarded.seen()).toMatchObject({ orderStatus: 'Cancelled', cancelType: 'CancelByDCP' });
  expect(await other.seen()).toMatchObject({ orderStatus: 'New' });
  // Who takes the guard back first leaves orders as they are.
  const three = await spoken();
  await three.login();
  await three.subscribe('dcp.future');
  await three.said({ op: 'unsubscribe', args: ['dcp.future'] });
  const left = rests();
  await left.send();
  three.socket.close();
  await once(three.socket, 'close');
  ahead += MINUTE_MS;
  await client.fetchBalance();
  expect(await left.seen()).toMatchObject({ orderStatus: 'New' });
});

test('streams that are hung up on break off, and speak again to who comes back', async () => {
  const { client, exchange, key } = owner;
  let watched = failure(Promise.resolve());
  const watch = () => {
    watched = failure(client.watchOrders(BTC));
  };
  await subscribed(1, watch);
  exchange.faults.endedStreams.add('owner');
  expect((await watched).name).toBe('NetworkError');
  await subscribed(1, watch);
  await bought(0.01);
  expect((await watched).name).toBe('nothing');
  watch();
  exchange.keys.revoke(key.key);
  expect((await watched).name).toBe('NetworkError');
  expect((await failure(client.fetchBalance())).text).toContain('10003');
  exchange.keys.add(key);
});
