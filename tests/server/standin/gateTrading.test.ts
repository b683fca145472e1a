import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { best, failure } from '../../support/askedClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { gateClientOf, gateCustomer } from '../../support/gateClient';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const ID = 'BTC_USDT';
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;
let owner: Awaited<ReturnType<typeof gateCustomer>>;
let orders = 0;
const ownId = () => `t-own.${++orders}`;

beforeAll(async () => {
  owner = await gateCustomer(clock);
});

afterEach(() => owner.exchange.faults.clear());

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

const at = (symbol: string, price: number) => Number(owner.client.priceToPrecision(symbol, price));

/** An order at a price that it meets at once, IOC. */
async function taken(symbol: string, side: 'buy' | 'sell', amount: number, params = {}, of = owner.client) {
  const { bid, ask } = await best(owner.client, symbol);
  const price = at(symbol, side === 'buy' ? ask * 1.01 : bid * 0.99);
  return of.createOrder(symbol, 'limit', side, amount, price, { text: ownId(), timeInForce: 'IOC', ...params });
}

/** An order that rests, three percent below the market. */
async function resting(symbol: string, amount: number, text = ownId()) {
  const price = at(symbol, (await best(owner.client, symbol)).bid * 0.97);
  await owner.client.createOrder(symbol, 'limit', 'buy', amount, price, { text, postOnly: true });
  return text;
}

/** Until so many subscriptions of the client are answered. */
function subscribed(many: number) {
  const { client } = owner;
  let left = many;
  const answered = client.handleSubscriptionStatus.bind(client);
  return new Promise<void>((resolve) => {
    client.handleSubscriptionStatus = (...given) => {
      answered(...given);
      left -= 1;
      if (left === 0) resolve();
    };
  });
}

/** How a question about the own account is signed, with what differs. */
async function signed(differs: Record<string, string>) {
  const { key, standIn } = owner;
  const path = '/api/v4/account/detail';
  const Timestamp = differs.Timestamp ?? String(Math.floor(clock() / 1000));
  const text = `GET\n${path}\n\n${createHash('sha512').update('').digest('hex')}\n${Timestamp}`;
  const SIGN = createHmac('sha512', key.secret).update(text).digest('hex');
  const answer = await fetch(standIn.url + path, { headers: { KEY: key.key, Timestamp, SIGN, ...differs } });
  return { status: answer.status, label: ((await answer.json()) as { label?: string }).label };
}

test.each([
  ['nothing differs', {}, 200, undefined],
  ['there is no key', { KEY: '' }, 401, 'MISSING_REQUIRED_HEADER'],
  ['the key is nobody’s', { KEY: 'nobody' }, 401, 'INVALID_KEY'],
  ['the signature is wrong', { SIGN: 'ab' }, 401, 'INVALID_SIGNATURE'],
  ['it was signed too long ago', { Timestamp: String(QUIET_START / 1000 - 61) }, 401, 'REQUEST_EXPIRED'],
  ['the time is none', { Timestamp: 'now' }, 401, 'REQUEST_EXPIRED'],
])('who asks is looked at: %s', async (_name, differs, status, label) => {
  expect(await signed(differs)).toEqual({ status, label });
});

test('a key tells what it may and from where, an account how it trades', async () => {
  const { client, exchange, standIn, account } = owner;
  expect(await client.privateAccountGetDetail()).toMatchObject({ user_id: account.uid, key: { mode: 1 } });
  expect(await client.privateUnifiedGetUnifiedMode()).toEqual({ mode: 'classic' });
  const words = { secret: 's', account: 'owner', canTrade: false };
  const bound = exchange.keys.add({ ...words, key: 'bound-to-an-address', addresses: ['127.0.0.1'] });
  const reader = await gateClientOf(standIn, bound);
  const keys = (await client.privateAccountGetMainKeys()) as unknown as { key: string; perms: object[] }[];
  expect(keys.find(({ key }) => key === 'bound-to-an-*****')).toMatchObject({ ip_whitelist: ['127.0.0.1'] });
  expect(keys[0]!.perms).toContainEqual({ name: 'futures', read_only: false });
  expect(keys[1]!.perms).toContainEqual({ name: 'futures', read_only: true });
  await expect(taken(BTC, 'buy', 1, {}, reader)).rejects.toThrow('READ_ONLY');
  const elsewhere = exchange.keys.add({ ...words, key: 'elsewhere', addresses: ['10.0.0.1'] });
  await expect((await gateClientOf(standIn, elsewhere)).fetchBalance()).rejects.toThrow('IP_FORBIDDEN');
});

test('an order is filled from the book, and position, wallet, trades and the book of the wallet say so to the last digit', async () => {
  const { client, account } = owner;
  const order = await taken(BTC, 'buy', 5);
  expect(order).toMatchObject({ status: 'closed', filled: 5, timeInForce: 'IOC', clientOrderId: `t-own.${orders}` });
  expect(order.info).toMatchObject({ status: 'finished', finish_as: 'filled', left: 0, text: `t-own.${orders}` });
  const mine = await client.fetchMyTrades(BTC);
  expect(mine.reduce((sum, { amount }) => sum + amount!, 0)).toBe(5);
  expect(mine[0]).toMatchObject({ order: order.id, takerOrMaker: 'taker', side: 'buy', fee: { currency: 'USDT' } });
  await taken(BTC, 'sell', 2, { reduceOnly: true });
  const [position] = await client.fetchPositions([BTC]);
  expect(position).toMatchObject({ contracts: 3, side: 'long', marginMode: 'cross' });
  expect(position!.info).toMatchObject({ leverage: '0', cross_leverage_limit: '20', mode: 'single' });
  const size = position!.contractSize!;
  expect(Number(account.positionOf('BTCUSDT'))).toBeCloseTo(3 * size, 9);
  const rows = await client.privateFuturesGetSettleAccountBook({ settle: 'usdt' });
  expect(rows[0]).toMatchObject({ type: 'pnl', contract: ID, balance: account.walletOf('USDT').toFixed() });
  expect(rows.at(-1)).toMatchObject({ type: 'fee', contract: ID, text: `${ID}:${order.id}`, trade_id: mine.at(0)!.id });
  const wallet = await client.privateFuturesGetSettleAccounts({ settle: 'usdt' });
  expect(wallet).toMatchObject({ total: account.walletOf('USDT').toFixed(), in_dual_mode: false, margin_mode: 0 });
});

test('coin is bought and sold, its fee taken in what is received; what rests keeps money back', async () => {
  const { client, account } = owner;
  const bought = await taken(SPOT, 'buy', 0.1);
  expect(bought.info).toMatchObject({ status: 'closed', finish_as: 'filled', fee_currency: 'BTC', account: 'spot' });
  expect((await client.fetchBalance()).BTC!.total).toBe(Number(account.freeOf('BTC')));
  const sold = await taken(SPOT, 'sell', 0.02);
  const [trade] = await client.fetchMyTrades(SPOT, undefined, 1);
  expect(trade).toMatchObject({ order: sold.id, fee: { currency: 'USDT' }, info: { text: sold.clientOrderId } });
  const text = await resting(SPOT, 0.01);
  const order = await client.fetchOrder(text, SPOT);
  expect((await client.fetchBalance()).USDT!.used).toBeCloseTo(order.price! * 0.01, 6);
  expect(await client.fetchOpenOrders(SPOT)).toHaveLength(1);
  expect(await client.cancelOrder(text, SPOT)).toMatchObject({ status: 'canceled' });
});

test('of spot an order is found by its name while it is open, of a perpetual for ever or, unfilled, for a minute', async () => {
  const { client } = owner;
  const coin = await taken(SPOT, 'buy', 0.01);
  await expect(client.fetchOrder(coin.clientOrderId!, SPOT)).rejects.toThrow('ORDER_NOT_FOUND');
  expect((await client.fetchOrder(coin.id!, SPOT)).filled).toBe(0.01);
  expect((await client.fetchClosedOrders(SPOT)).at(-1)).toMatchObject({ clientOrderId: coin.clientOrderId });
  const filled = await taken(BTC, 'buy', 1);
  const text = await resting(BTC, 1);
  const { id } = await client.fetchOrder(text, BTC);
  await client.cancelOrder(text, BTC);
  await expect(client.cancelOrder(text, BTC)).rejects.toThrow('ORDER_FINISHED');
  expect((await client.fetchOrder(text, BTC)).info.finish_as).toBe('cancelled');
  ahead += MINUTE_MS + 1000;
  await expect(client.fetchOrder(text, BTC)).rejects.toThrow('ORDER_NOT_FOUND');
  expect((await client.fetchOrder(filled.clientOrderId!, BTC)).filled).toBe(1);
  expect((await client.fetchOrder(id!, BTC)).status).toBe('canceled');
  ahead += 10 * MINUTE_MS;
  await expect(client.fetchOrder(id!, BTC)).rejects.toThrow('ORDER_NOT_FOUND');
});

test.each([
  ['what is not listed', 'futures', { contract: 'NOSUCH_USDT' }, 'CONTRACT_NOT_FOUND'],
  ['a name without its beginning', 'futures', { text: 'own' }, 'INVALID_PARAM_VALUE'],
  ['no size', 'futures', { size: 0 }, 'INVALID_PARAM_VALUE'],
  ['more than is allowed', 'futures', { size: 1_000_001 }, 'SIZE_TOO_LARGE'],
  ['a part of a tick', 'futures', { tick: 0.5 }, 'INVALID_PARAM_VALUE'],
  ['a price far from the mark', 'futures', { factor: 1.3 }, 'PRICE_TOO_DEVIATED'],
  ['more than the margin', 'futures', { margin: 1.5 }, 'INSUFFICIENT_AVAILABLE'],
  ['one that would add, reduce-only', 'futures', { reduce_only: true }, 'INCREASE_POSITION'],
  ['reduce-only where there is nothing', 'futures', { contract: 'ETH_USDT', reduce_only: true }, 'REDUCE_EXCEEDED'],
  ['a maker that would take', 'futures', { tif: 'poc', factor: 1.01 }, 'ORDER_POC_IMMEDIATE'],
  ['what cannot be whole', 'futures', { tif: 'fok', factor: 0.99 }, 'ORDER_FOK'],
  ['a pair that is not listed', 'spot', { currency_pair: 'NOSUCH_USDT' }, 'INVALID_CURRENCY_PAIR'],
  ['too little coin', 'spot', { amount: '0.000000001' }, 'AMOUNT_TOO_LITTLE'],
  ['a part of a lot', 'spot', { amount: '0.0100000001' }, 'INVALID_PRECISION'],
  ['more than there is', 'spot', { amount: '5' }, 'BALANCE_NOT_ENOUGH'],
  ['a maker that would take at spot', 'spot', { time_in_force: 'poc', factor: 1.01 }, 'POC_FILL_IMMEDIATELY'],
  ['what cannot be whole at spot', 'spot', { time_in_force: 'fok', factor: 0.99 }, 'FOK_NOT_FILL'],
  ['spot far from the market', 'spot', { factor: 1.3 }, 'PRICE_THRESHOLD_EXCEEDED'],
  ['an account of another kind', 'spot', { account: 'unified' }, 'INVALID_PARAM_VALUE'],
])('%s is refused', async (_name, house, differs: Record<string, unknown>, label) => {
  const { client, exchange, account } = owner;
  const { factor = 1, tick = 0, margin, ...rest } = differs;
  const isEth = rest.contract === 'ETH_USDT';
  const { ticker } = exchange.listed(isEth ? 'ETHUSDT' : 'BTCUSDT')!;
  const symbol = isEth ? 'ETH/USDT:USDT' : BTC;
  const price = String(
    at(symbol, ticker.price * Number(factor)) + Number(tick) * Number(client.market(symbol).precision.price),
  );
  const most =
    (Number(account.walletOf('USDT')) * 20 * Number(margin ?? 0)) / (ticker.price * client.market(BTC).contractSize!);
  const size = margin === undefined ? 1 : Math.ceil(most);
  const sent =
    house === 'spot'
      ? client.privateSpotPostOrders({ currency_pair: ID, side: 'buy', amount: '0.01', price, ...rest })
      : client.privateFuturesPostSettleOrders({ settle: 'usdt', contract: ID, size, price, ...rest });
  await expect(sent).rejects.toThrow(label);
});

test('an order that arrives after its time is not taken', async () => {
  const { client } = owner;
  const text = ownId();
  const sent = (differs: number) => {
    client.headers = { 'x-gate-exptime': String(clock() + differs) };
    return resting(BTC, 1, text).finally(() => {
      client.headers = {};
    });
  };
  await expect(sent(-1)).rejects.toThrow('REQUEST_EXPIRED');
  await expect(client.fetchOrder(text, BTC)).rejects.toThrow('ORDER_NOT_FOUND');
  await sent(MINUTE_MS);
  await client.cancelOrder(text, BTC);
});

test('leverage is set for the whole wallet or for a position alone, as far as it goes', async () => {
  const { client } = owner;
  const set = (limit: number) => client.setLeverage(limit, BTC, { marginMode: 'cross' });
  expect(await set(30)).toMatchObject({ leverage: '0', cross_leverage_limit: '30' });
  await expect(
    client.privateFuturesPostSettlePositionsContractLeverage({ settle: 'usdt', contract: ID, leverage: '500' }),
  ).rejects.toThrow('LEVERAGE_TOO_HIGH');
  expect(await client.setLeverage(10, 'ETH/USDT:USDT')).toMatchObject({ leverage: '10', cross_leverage_limit: '0' });
  await set(20);
});

test('delivery has a wallet of its own, where money has to come first; its orders are asked for by number', async () => {
  const { client, exchange } = owner;
  const [future] = Object.values(client.markets!).filter(({ future: isFuture, base }) => isFuture && base === 'BTC');
  const symbol = future!.symbol;
  await expect(client.fetchBalance({ type: 'future', settle: 'usdt' })).rejects.toThrow('USER_NOT_FOUND');
  const { tx_id } = await client
    .transfer('USDT', 5000, 'spot', 'delivery', { settle: 'usdt' })
    .then(({ info }) => info);
  expect(Number(tx_id)).toBeGreaterThan(0);
  expect((await client.fetchBalance({ type: 'future', settle: 'usdt' })).USDT!.total).toBe(5000);
  const order = await taken(symbol, 'buy', 10);
  expect((await client.fetchOrder(order.id!, symbol)).filled).toBe(10);
  await expect(client.fetchOrder(order.clientOrderId!, symbol)).rejects.toThrow('ORDER_NOT_FOUND');
  expect((await client.fetchPositions([symbol], { settle: 'usdt' }))[0]).toMatchObject({ contracts: 10, side: 'long' });
  expect(await client.fetchMyTrades(symbol)).not.toEqual([]);
  const delivered = exchange.trading.account('owner delivery');
  exchange.trading.force(
    delivered,
    exchange.market.listed(delivered.positions.keys().next().value!)!.instrument.symbol,
    'delivery',
  );
  const settled = (await client.privateDeliveryGetSettleSettlements({ settle: 'usdt' }))[0];
  expect(settled).toMatchObject({ contract: future!.id, size: 10 });
  const row = (await client.privateDeliveryGetSettleAccountBook({ settle: 'usdt' }))[0];
  expect(row).toMatchObject({ text: future!.id, balance: delivered.walletOf('USDT').toFixed() });
  const books = await client.privateSpotGetAccountBook({ currency: 'USDT', type: 'delivery_in' });
  expect(books).toMatchObject([{ change: '-5000' }]);
});

test('what a position pays, and what the exchange closes by itself, is in the records under its own name', async () => {
  const { client, exchange, account } = owner;
  await taken(BTC, 'buy', 10);
  const { fundedAt } = account.positions.get('BTCUSDT')!;
  ahead += fundedAt! - clock() + 2000;
  await waitFor('funding', 60_000, () => account.income.some(({ kind }) => kind === 'funding'));
  const [fund] = await client.privateFuturesGetSettleAccountBook({ settle: 'usdt', type: 'fund' });
  expect(fund).toMatchObject({ contract: ID, text: ID, balance: account.walletOf('USDT').toFixed() });
  const closed = async (why: 'adl' | 'liquidation', share?: number) => {
    const { id } = exchange.trading.force(account, 'BTCUSDT', why, share);
    const [trade] = await client.privateFuturesGetSettleMyTradesTimerange({ settle: 'usdt', contract: ID });
    const order = await client.privateFuturesGetSettleOrdersOrderId({ settle: 'usdt', order_id: String(id) });
    return [trade.text, order.text, order.is_liq, order.finish_as];
  };
  ahead += 1000;
  const adl = 'auto_deleveraging';
  expect(await closed('adl', 0.4)).toEqual([adl, adl, false, 'auto_deleveraged']);
  ahead += 1000;
  expect(await closed('liquidation')).toEqual([
    expect.stringMatching(/^liq-/),
    expect.stringMatching(/^liq-/),
    true,
    'filled',
  ]);
  expect(await client.fetchPositions([BTC], { holding: 'true' })).toEqual([]);
});

test('records are told in pages, by times, and later than they were where the exchange lags', async () => {
  const { client, exchange } = owner;
  ahead += MINUTE_MS;
  const all = await client.privateFuturesGetSettleMyTradesTimerange({ settle: 'usdt' });
  const [second] = await client.privateFuturesGetSettleMyTradesTimerange({ settle: 'usdt', limit: 1, offset: 1 });
  expect(second).toEqual(all[1]);
  const last = Math.floor(Number(all[0].create_time));
  const since = await client.privateFuturesGetSettleMyTradesTimerange({ settle: 'usdt', from: last });
  expect(since.every(({ create_time }: { create_time: string }) => Number(create_time) >= last)).toBe(true);
  await expect(client.privateSpotGetMyTrades({ from: last - 31 * 86_400, to: last })).rejects.toThrow(
    'INVALID_PARAM_VALUE',
  );
  exchange.faults.lagMs = MINUTE_MS;
  const order = await taken(BTC, 'buy', 1);
  await expect(client.fetchOrder(order.id!, BTC)).rejects.toThrow('ORDER_NOT_FOUND');
  expect(await client.privateFuturesGetSettleMyTradesTimerange({ settle: 'usdt' })).toEqual(all);
  ahead += MINUTE_MS + 1000;
  expect((await client.fetchOrder(order.id!, BTC)).filled).toBe(1);
});

test('all orders of a market that nobody watches are cancelled when its countdown ends, others stay', async () => {
  const { client, account } = owner;
  const [perpetual, coin] = [await resting(BTC, 1), await resting(SPOT, 0.01)];
  await expect(client.privateSpotPostCountdownCancelAll({ timeout: 4 })).rejects.toThrow('INVALID_PARAM_VALUE');
  await client.privateFuturesPostSettleCountdownCancelAll({ settle: 'usdt', timeout: 30 });
  ahead += 31_000;
  await waitFor('the end of the countdown', 60_000, () => account.live('derivatives').length === 0);
  expect((await client.fetchOrder(perpetual, BTC)).info.finish_as).toBe('cancelled');
  await client.privateSpotPostCountdownCancelAll({ timeout: 30 });
  await client.privateSpotPostCountdownCancelAll({ timeout: 0 });
  ahead += HOUR_MS;
  expect((await client.fetchOrder(coin, SPOT)).status).toBe('open');
  await client.cancelOrder(coin, SPOT);
});

test('what is closed, ahead of its time or delisted is told in the exchange’s words, and so is an account of another kind', async () => {
  const { client, exchange, account } = owner;
  const { faults } = exchange;
  faults.isInMaintenance = true;
  expect(await failure(client.fetchBalance())).toMatchObject({ name: 'ExchangeNotAvailable' });
  faults.clear();
  faults.clockAheadMs = MINUTE_MS + 1000;
  expect((await failure(taken(BTC, 'buy', 1))).text).toContain('REQUEST_EXPIRED');
  faults.clear();
  const price = exchange.listed('BTCUSDT')!.ticker.price;
  faults.delisted.add('BTCUSDT').add('BTCUSDT_SPOT');
  const ordered = (symbol: string) => failure(client.createOrder(symbol, 'limit', 'buy', 1, at(symbol, price)));
  expect((await ordered(BTC)).text).toContain('CONTRACT_IN_DELISTING');
  expect((await ordered(SPOT)).text).toContain('INVALID_CURRENCY_PAIR');
  faults.clear();
  const wallet = () => client.privateFuturesGetSettleAccounts({ settle: 'usdt' });
  [account.isHedged, account.isMultiAsset] = [true, true];
  expect(await wallet()).toMatchObject({ in_dual_mode: true, margin_mode: 1 });
  expect(await client.privateUnifiedGetUnifiedMode()).toEqual({ mode: 'multi_currency' });
  [account.isHedged, account.isMultiAsset] = [false, false];
});

test('who asks too often is refused until the window is over', async () => {
  const { client } = owner;
  ahead += 10_000 - (clock() % 10_000);
  const seen = await Promise.allSettled(Array.from({ length: 151 }, () => client.privateAccountGetDetail()));
  expect(seen.some((one) => one.status === 'rejected' && String(one.reason).includes('TOO_MANY_REQUESTS'))).toBe(true);
  ahead += 10_000;
  await client.privateAccountGetDetail();
});

test('the streams of a customer tell orders, trades, money and positions, also what another client does by hand', async () => {
  const { client, standIn, exchange, account } = owner;
  const byHand = await gateClientOf(standIn, exchange.keys.add({ key: 'hand', secret: 's', account: 'owner' }));
  const swap = { type: 'swap' };
  const heard = { orders: client.watchOrders(BTC), trades: client.watchMyTrades(BTC) };
  const [positions, money] = [client.watchPositions([BTC]), client.watchBalance(swap)];
  const coin = { orders: client.watchOrders(SPOT), trades: client.watchMyTrades(SPOT), money: client.watchBalance() };
  await subscribed(7);
  const text = ownId();
  await taken(BTC, 'buy', 3, { text }, byHand);
  expect((await heard.orders).at(-1)).toMatchObject({ clientOrderId: text, symbol: BTC });
  expect((await heard.trades).at(-1)).toMatchObject({ side: 'buy', takerOrMaker: 'taker', info: { text } });
  expect((await positions)[0]).toMatchObject({ symbol: BTC, side: 'long' });
  expect((await money).USDT!.total).toBeGreaterThan(40_000);
  const { clientOrderId } = await taken(SPOT, 'buy', 0.01, {}, byHand);
  expect((await coin.orders).at(-1)).toMatchObject({ clientOrderId, symbol: SPOT });
  expect((await coin.trades).at(-1)).toMatchObject({ side: 'buy', fee: { currency: 'BTC' } });
  expect((await coin.money).USDT!.total).toBeCloseTo(Number(account.freeOf('USDT')), -3);
  await byHand.close();
});

test('streams that are hung up on break off, and speak again to who comes back', async () => {
  const { client, exchange, key } = owner;
  const cut = failure(client.watchOrders(BTC));
  exchange.faults.endedStreams.add('owner');
  expect((await cut).name).toBe('NetworkError');
  const again = client.watchOrders(BTC);
  await subscribed(1);
  const { clientOrderId } = await taken(BTC, 'buy', 1);
  expect((await again).at(-1)).toMatchObject({ clientOrderId });
  const left = failure(client.watchOrders(BTC));
  exchange.keys.revoke(key.key);
  expect((await left).name).toBe('NetworkError');
  expect((await failure(client.watchOrders(BTC))).text).toContain('INVALID_KEY');
  exchange.keys.add(key);
});

test('who subscribes is looked at', async () => {
  const { standIn, key, account } = owner;
  const socket = new WebSocket(`${standIn.url.replace('http', 'ws')}/v4/ws/usdt`);
  await once(socket, 'open');
  const said = async (differs: {
    channel?: string;
    time?: number;
    KEY?: string;
    SIGN?: string;
    payload?: string[];
  }) => {
    const { channel = 'futures.orders', time = Math.floor(clock() / 1000), payload, ...auth } = differs;
    const SIGN = createHmac('sha512', key.secret)
      .update(`channel=${channel}&event=subscribe&time=${time}`)
      .digest('hex');
    const heard = once(socket, 'message');
    const words = { auth: { method: 'api_key', KEY: key.key, SIGN, ...auth } };
    const uid = String(account.uid);
    socket.send(JSON.stringify({ channel, event: 'subscribe', time, payload: payload ?? [uid, '!all'], ...words }));
    const { error, result } = JSON.parse(String((await heard)[0])) as { error?: object; result?: { status: string } };
    return error ? JSON.stringify(error) : result?.status;
  };
  expect(await said({ channel: 'futures.ping' })).toBeUndefined();
  expect(await said({ KEY: 'nobody' })).toContain('INVALID_KEY');
  expect(await said({ SIGN: 'ab' })).toContain('INVALID_SIGNATURE');
  expect(await said({ time: 1 })).toContain('REQUEST_EXPIRED');
  expect(await said({ payload: ['1', '!all'] })).toContain('invalid user id');
  expect(await said({ channel: 'spot.orders' })).toContain('unknown channel');
  expect(await said({})).toBe('success');
  socket.close();
});
