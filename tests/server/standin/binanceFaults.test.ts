import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '#contract/duration';
import { failure, hurried, PATIENT_MS } from '../../support/askedClient';
import { clientOf, customerOf, listening, ownStreams } from '../../support/binanceClient';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const PLACE = /^POST \/fapi\/v1\/order$/;
let owner: Awaited<ReturnType<typeof customerOf>>;
let ids = 0;

beforeAll(async () => {
  owner = await customerOf();
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
  const clientOrderId = `fault-${++ids}`;
  const { client, exchange } = owner;
  const price = Number(client.priceToPrecision(BTC, exchange.listed('BTCUSDT')!.ticker.price * 0.97));
  const send = () => failure(client.createOrder(BTC, 'limit', 'buy', 0.01, price, { clientOrderId }));
  const isThere = () => failure(client.fapiPrivateGetOrder({ symbol: 'BTCUSDT', origClientOrderId: clientOrderId }));
  return { send, isThere: async () => (await isThere()).name === 'nothing' };
}

const bought = (amount: number) =>
  owner.client.createOrder(BTC, 'market', 'buy', amount, undefined, { clientOrderId: `fault-${++ids}` });

test.each([
  ['no answer', { kind: 'noAnswer' } as const, 'RequestTimeout'],
  ['a connection that is cut', { kind: 'cut' } as const, 'NetworkError'],
  ['an answer that is no JSON', { kind: 'garbled' } as const, 'TypeError'],
])('after %s the order is there all the same', async (_name, fault, seen) => {
  owner.exchange.faults.next(PLACE, fault);
  const { send, isThere } = rests();
  // The client gives up before any answer only where none comes.
  expect((await (fault.kind === 'noAnswer' ? hurried(owner.client, send) : send())).name).toBe(seen);
  expect(await isThere()).toBe(true);
});

test.each([
  [502, {}, 'ExchangeNotAvailable'],
  [503, { code: -1000, msg: 'An unknown error occurred while processing the request.' }, 'OperationFailed'],
  [429, { code: -1003, msg: 'Too many requests.' }, 'DDoSProtection'],
  [418, { code: -1003, msg: 'Way too many requests; IP banned.' }, 'DDoSProtection'],
])('%i is no answer to the order', async (status, body, seen) => {
  owner.exchange.faults.next(PLACE, { kind: 'answer', answer: { status, body, headers: { 'retry-after': '7' } } });
  const { send, isThere } = rests();
  expect((await send()).name).toBe(seen);
  expect(owner.client.last_response_headers).toMatchObject({ 'Retry-After': '7' });
  expect(await isThere()).toBe(false);
});

test('a request that is held up is done after its client gave up, within its window', async () => {
  const heldUp = owner.exchange.faults.holdUp(PLACE);
  const { send, isThere } = rests();
  expect((await hurried(owner.client, send)).name).toBe('RequestTimeout');
  expect(await isThere()).toBe(false);
  await heldUp.arrive();
  expect(await isThere()).toBe(true);
});

test('a request that comes after its window is over does nothing', async () => {
  const { faults } = owner.exchange;
  const heldUp = faults.holdUp(PLACE);
  const { send, isThere } = rests();
  expect((await hurried(owner.client, send)).name).toBe('RequestTimeout');
  // A client asks for ten seconds where nobody says otherwise.
  faults.clockAheadMs = 12_000;
  await heldUp.arrive();
  faults.clockAheadMs = 0;
  expect(await isThere()).toBe(false);
});

test('more weight than a minute allows is refused until it is over', async () => {
  const { client, exchange } = owner;
  // A whole minute is left, however long the calls take.
  exchange.faults.clockAheadMs = MINUTE_MS - (exchange.now() % MINUTE_MS);
  const used = async () => {
    await client.fapiPublicGetPing();
    return Number((client.last_response_headers as Record<string, string>)['X-Mbx-Used-Weight-1m']);
  };
  const left = 2400 - (await used());
  const calls = Array.from({ length: Math.ceil(left / 20) + 1 }, () =>
    failure(client.fapiPublicGetDepth({ symbol: 'BTCUSDT', limit: 1000 })),
  );
  const seen = await Promise.all(calls);
  expect(seen.some(({ name, text }) => name === 'DDoSProtection' && text.includes('-1003'))).toBe(true);
  exchange.faults.clockAheadMs += MINUTE_MS;
  expect((await failure(client.fapiPublicGetPing())).name).toBe('nothing');
});

test('a clock that is ahead refuses the request, not the order', async () => {
  owner.exchange.faults.clockAheadMs = 12_000;
  expect(await rests().send()).toMatchObject({ name: 'InvalidNonce', text: expect.stringContaining('-1021') });
});

test('in maintenance everything says so, which a client takes for a bad request', async () => {
  owner.exchange.faults.isInMaintenance = true;
  expect(await failure(owner.client.fetchOrderBook(BTC))).toEqual({
    name: 'BadRequest',
    text: expect.stringContaining('-1016'),
  });
  expect((await owner.client.fetchStatus()).status).toBe('maintenance');
});

test('of an order a part is filled where there is not more', async () => {
  owner.exchange.faults.fillShare = 0.4;
  expect(await bought(0.1)).toMatchObject({ filled: 0.04, remaining: 0.06, status: 'expired' });
});

test('a depth message that is lost is noticed, and the book is read anew', async () => {
  const { client, exchange } = owner;
  await client.watchOrderBook(BTC);
  let told = 0;
  // The first may be older than the book that was asked for, and is missed by nobody.
  exchange.faults.onStream = (messages) =>
    messages.filter((message) => (message as { e?: string }).e !== 'depthUpdate' || ++told !== 3);
  const seen = await failure(
    (async () => {
      for (let looks = 0; looks < 20; looks += 1) await client.watchOrderBook(BTC);
    })(),
  );
  expect(seen.name).toBe('ChecksumError');
  const book = await client.watchOrderBook(BTC);
  expect(book.bids[0]![0]).toBeLessThan(book.asks[0]![0]!);
});

test('a fill that is told twice, and late, is told again under the same id', async () => {
  const { client, exchange } = owner;
  const heard: string[] = [];
  const first = client.watchMyTrades(BTC);
  await listening(client);
  let before: unknown;
  exchange.faults.onStream = ([message]) => {
    const { e, o } = message as { e?: string; o?: { x: string; t: number } };
    if (e !== 'ORDER_TRADE_UPDATE' || o!.x !== 'TRADE') return [message];
    heard.push(String(o!.t));
    const late = before;
    before = message;
    return late ? [message, late, message] : [message, message];
  };
  await bought(0.01);
  await bought(0.01);
  await first;
  const told = () => client.myTrades!.filter(({ id }: { id: string }) => heard.includes(id));
  await waitFor('all that is told', 60_000, () => heard.length > 1 && told().length >= heard.length);
  const ids = (await client.fetchMyTrades(BTC)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of heard) expect(ids).toContain(id);
});

test('streams that are down say so, and calls go on; and the reverse', async () => {
  const { client, exchange } = owner;
  const watched = failure(client.watchTrades(BTC));
  exchange.faults.areStreamsDown = true;
  expect((await watched).name).toBe('NetworkError');
  expect((await client.fetchOrderBook(BTC)).bids.length).toBeGreaterThan(0);
  exchange.faults.areStreamsDown = false;
  expect((await client.watchTrades(BTC)).length).toBeGreaterThan(0);
  exchange.faults.isRestDown = true;
  expect((await failure(client.fetchOrderBook(BTC))).name).toBe('NetworkError');
  expect((await client.watchTrades(BTC)).length).toBeGreaterThan(0);
});

test('what the exchange closes by itself is in the records, under its own client ids', async () => {
  const { client, exchange, account } = owner;
  await bought(0.02);
  const before = account.positionOf('BTCUSDT');
  exchange.trading.force(account, 'BTCUSDT', 'adl', 0.5);
  expect(Number(account.positionOf('BTCUSDT'))).toBeCloseTo(Number(before) / 2, 2);
  exchange.trading.force(account, 'BTCUSDT', 'liquidation');
  expect(await client.fetchPositions([BTC])).toEqual([]);
  const orders = await client.fetchOrders(BTC);
  expect(orders.slice(-2).map(({ clientOrderId }) => clientOrderId!.split('-')[0])).toEqual([
    'adl_autoclose',
    'autoclose',
  ]);
  const trades = await client.fetchMyTrades(BTC);
  expect(trades.at(-1)).toMatchObject({ order: orders.at(-1)!.id, side: 'sell' });
});

test('who has too little is closed by the exchange', async () => {
  const { client, standIn, exchange } = owner;
  const poor = exchange.trading.account('poor');
  poor.deposit('derivatives', 'USDT', 1200);
  const theirs = await clientOf(standIn, exchange.keys.add({ key: 'poor-key', secret: 's', account: 'poor' }));
  await theirs.setLeverage(100, BTC);
  await theirs.createOrder(BTC, 'market', 'buy', 0.5);
  expect((await theirs.fetchPositions([BTC]))[0]).toMatchObject({ contracts: 0.5 });
  poor.deposit('derivatives', 'USDT', -1000);
  await waitFor('a liquidation', 60_000, () => poor.positions.size === 0);
  expect(await theirs.fapiPrivateGetForceOrders()).toHaveLength(1);
  expect(await client.fetchPositions([BTC])).toEqual([]);
});

test('another client trades on the account by hand: the first hears it', async () => {
  const { client, standIn, exchange } = owner;
  const byHand = await clientOf(standIn, exchange.keys.add({ key: 'hand-key', secret: 's', account: 'owner' }));
  const heard = client.watchOrders(BTC);
  await listening(client);
  await byHand.createOrder(BTC, 'market', 'sell', 0.03);
  expect((await heard).at(-1)!.clientOrderId).not.toMatch(/^fault-/);
  expect((await client.fetchPositions([BTC]))[0]).toMatchObject({ side: 'short', contracts: 0.03 });
  await byHand.createOrder(BTC, 'market', 'buy', 0.03, undefined, { reduceOnly: true });
});

test('a stream whose key has ended falls silent; watched anew it speaks again', async () => {
  const { client, exchange } = owner;
  await Promise.race([client.watchMyTrades(BTC), bought(0.01)]);
  exchange.faults.endedStreams.add('owner');
  await waitFor('the end of the key', 60_000, () => !exchange.faults.endedStreams.has('owner'));
  const heard = client.watchMyTrades(BTC);
  const silent = await Promise.race([
    heard.then(() => 'heard'),
    bought(0.01)
      .then(() => sleep(400))
      .then(() => 'silent'),
  ]);
  expect(silent).toBe('silent');
  client.options.future.lastAuthenticatedTime = 0;
  const before = ownStreams(client);
  const again = client.watchMyTrades(BTC);
  await listening(client, before);
  const order = await bought(0.01);
  expect((await again).at(-1)!.order).toBe(order.id);
});

test('what is delisted is not traded any more', async () => {
  const { client, exchange } = owner;
  exchange.faults.delisted.add('ETHUSDT');
  await client.loadMarkets(true);
  expect(client.market('ETH/USDT:USDT').active).toBe(false);
  await expect(client.createOrder('ETH/USDT:USDT', 'market', 'buy', 1)).rejects.toThrow('-4108');
  exchange.faults.clear();
  await client.loadMarkets(true);
  expect(client.market('ETH/USDT:USDT').active).toBe(true);
});

test('a key that was revoked is refused, which looks like a ban once spot was asked', async () => {
  const { standIn, exchange } = owner;
  const key = exchange.keys.add({ key: 'short-lived', secret: 's', account: 'owner' });
  const client = await clientOf(standIn, key);
  await client.fetchBalance({ type: 'swap' });
  exchange.keys.revoke(key.key);
  expect((await failure(client.fetchBalance({ type: 'swap' }))).name).toBe('AuthenticationError');
  exchange.keys.add(key);
  await client.fetchBalance({ type: 'spot' });
  exchange.keys.revoke(key.key);
  expect(await failure(client.fetchBalance({ type: 'swap' }))).toMatchObject({
    name: 'DDoSProtection',
    text: expect.stringContaining('-2015'),
  });
});
