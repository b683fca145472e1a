import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { best } from '../../support/askedClient';
import { clientOf, customerOf, listening } from '../../support/binanceClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;
let owner: Awaited<ReturnType<typeof customerOf>>;
let orders = 0;
const ownId = () => ({ clientOrderId: `own-${++orders}` });

beforeAll(async () => {
  owner = await customerOf(clock);
});

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

/** An order of futures at a price that it meets at once, IOC. */
async function taken(side: 'buy' | 'sell', amount: number, params = {}) {
  const { bid, ask } = await best(owner.client, BTC);
  const price = side === 'buy' ? ask * 1.01 : bid * 0.99;
  return owner.client.createOrder(BTC, 'limit', side, amount, Number(owner.client.priceToPrecision(BTC, price)), {
    ...ownId(),
    timeInForce: 'IOC',
    ...params,
  });
}

test('who signs wrongly, or is late by the exchange’s clock, is not let in', async () => {
  const { client, standIn, key, exchange } = owner;
  const stranger = await clientOf(standIn, { key: 'nobody', secret: 'x' });
  await expect(stranger.fetchBalance()).rejects.toThrow('-2015');
  const forger = await clientOf(standIn, { key: key.key, secret: 'wrong' });
  await expect(forger.fetchBalance()).rejects.toThrow('-1022');
  await expect(client.fapiPrivateV3GetAccount({ recvWindow: 70_000 })).rejects.toThrow('-1131');
  exchange.faults.clockAheadMs = 3000;
  await expect(client.fapiPrivateV3GetAccount({ recvWindow: 2000 })).rejects.toThrow('-1021');
  exchange.faults.clockAheadMs = -3000;
  await expect(client.fapiPrivateV3GetAccount()).rejects.toThrow('-1021');
  exchange.faults.clear();
  const reader = exchange.keys.add({ key: 'reader', secret: 's', account: 'owner', canTrade: false });
  const onlooker = await clientOf(standIn, reader);
  await expect(onlooker.createOrder(BTC, 'market', 'buy', 0.01)).rejects.toThrow('-2015');
  const rights = await client.sapiGetAccountApiRestrictions();
  expect(rights).toMatchObject({ enableWithdrawals: false, enableFutures: true, ipRestrict: false });
});

test('an order is filled from the book, and position, wallet and records say so to the last digit', async () => {
  const { client, account } = owner;
  const order = await taken('buy', 0.05);
  expect(order).toMatchObject({ status: 'closed', filled: 0.05, clientOrderId: `own-${orders}` });
  const trades = await client.fetchMyTrades(BTC);
  const mine = trades.filter(({ order: id }) => id === order.id);
  expect(mine.reduce((sum, { amount }) => sum + amount!, 0)).toBeCloseTo(0.05, 10);
  const [position] = await client.fetchPositions([BTC]);
  expect(position).toMatchObject({ contracts: 0.05, side: 'long' });
  const income = await client.fapiPrivateGetIncome();
  const booked = (income as { income: string }[]).reduce((sum, row) => sum.plus(row.income), new Big(50_000));
  expect(booked.toFixed(8)).toBe(account.walletOf('USDT').toFixed(8));
  const { info } = await client.fetchBalance({ type: 'swap' });
  expect(info.assets[0].walletBalance).toBe(booked.toFixed(8));
});

test('what is not filled at once ends, rests or is refused, as it was asked for', async () => {
  const { client } = owner;
  const { bid, ask } = await best(owner.client, BTC);
  const at = (price: number) => Number(client.priceToPrecision(BTC, price));
  const ioc = await client.createOrder(BTC, 'limit', 'buy', 0.01, at(bid * 0.98), { ...ownId(), timeInForce: 'IOC' });
  expect(ioc).toMatchObject({ status: 'expired', filled: 0 });
  const resting = await client.createOrder(BTC, 'limit', 'buy', 0.01, at(bid * 0.98), { ...ownId(), postOnly: true });
  expect(resting.status).toBe('open');
  expect((await client.fetchOpenOrders(BTC)).map(({ id }) => id)).toEqual([resting.id]);
  expect((await client.cancelOrder(resting.id!, BTC)).status).toBe('canceled');
  await expect(client.cancelOrder(resting.id!, BTC)).rejects.toThrow('-2011');
  await expect(client.fetchOrder('1', BTC)).rejects.toThrow('-2013');
  await expect(client.createOrder(BTC, 'limit', 'buy', 0.01, at(ask * 1.01), { postOnly: true })).rejects.toThrow(
    '-5022',
  );
});

test.each([
  ['no quantity', { quantity: '0' }, '-4003'],
  ['more than the margin', { quantity: '900' }, '-2019'],
  ['a price far above the market', { factor: 1.2 }, '-4016'],
  ['a sale that would add, reduce-only', { reduceOnly: true }, '-2022'],
  ['less than the least notional', { symbol: 'DOGEUSDT', quantity: '1' }, '-4164'],
  ['what is not listed', { symbol: 'NOSUCHUSDT' }, '-1121'],
])('%s is refused', async (_name, asked, code) => {
  const { symbol, factor, ...rest } = { symbol: 'BTCUSDT', quantity: '0.01', factor: 1, ...asked };
  const { ticker, instrument } = owner.exchange.listed(symbol) ?? owner.exchange.listed('BTCUSDT')!;
  const price = owner.client.priceToPrecision(`${instrument.base}/USDT:USDT`, ticker.price * factor);
  const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price, ...rest };
  await expect(owner.client.fapiPrivatePostOrder(order)).rejects.toThrow(code);
});

test('a step that there is not is refused', async () => {
  const raw = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
  const { bid } = await best(owner.client, BTC);
  await expect(
    owner.client.fapiPrivatePostOrder({ ...raw, quantity: '0.0105', price: String(Math.round(bid)) }),
  ).rejects.toThrow('-1111');
  await expect(
    owner.client.fapiPrivatePostOrder({ ...raw, quantity: '0.01', price: `${Math.round(bid)}.05` }),
  ).rejects.toThrow('-4014');
});

test('a client id is kept apart among open orders alone', async () => {
  const { client } = owner;
  const { bid } = await best(owner.client, BTC);
  const price = Math.round(bid * 0.97);
  const same = { clientOrderId: 'same' };
  const first = await client.createOrder(BTC, 'limit', 'buy', 0.01, price, same);
  await expect(client.createOrder(BTC, 'limit', 'buy', 0.01, price, same)).rejects.toThrow('-4116');
  await client.cancelOrder(first.id!, BTC);
  const second = await client.createOrder(BTC, 'limit', 'buy', 0.01, price, same);
  expect(second.id).not.toBe(first.id);
  await client.cancelAllOrders(BTC);
});

test('set once is set: the same again is refused by its code', async () => {
  const { client } = owner;
  await expect(client.setPositionMode(false, BTC)).rejects.toThrow('-4059');
  await expect(client.setMarginMode('cross', 'ETH/USDT:USDT')).rejects.toThrow('-4046');
  expect(await client.setLeverage(7, 'ETH/USDT:USDT')).toMatchObject({ leverage: 7 });
  await expect(client.fapiPrivatePostLeverage({ symbol: 'ETHUSDT', leverage: 500 })).rejects.toThrow('-4028');
  expect((await client.fetchLeverage('ETH/USDT:USDT')).longLeverage).toBe(7);
});

test('coin is bought and sold at spot, fees in what is received', async () => {
  const { client, account } = owner;
  const bought = await client.createOrder(SPOT, 'market', 'buy', 0.1, undefined, ownId());
  expect(bought).toMatchObject({ status: 'closed', filled: 0.1 });
  expect(bought.trades[0]!.fee).toMatchObject({ currency: 'BTC' });
  const fees = account.fills
    .filter(({ feeAsset }) => feeAsset === 'BTC')
    .reduce((sum, fill) => sum.plus(fill.fee), new Big(0));
  const balance = await client.fetchBalance({ type: 'spot' });
  expect(balance.BTC!.free).toBe(Number(new Big('0.1').minus(fees)));
  const { bid, ask } = await best(owner.client, SPOT);
  await expect(client.createOrder(SPOT, 'limit', 'sell', 5, Math.round(ask))).rejects.toThrow('insufficient balance');
  const resting = await client.createOrder(SPOT, 'limit', 'buy', 0.1, Math.round(bid * 0.9), ownId());
  const locked = (await client.fetchBalance({ type: 'spot' })).USDT!.used!;
  expect(locked).toBeCloseTo(0.1 * Math.round(bid * 0.9), 6);
  const cancelled = await client.cancelOrder(resting.id!, SPOT);
  expect(cancelled.info.origClientOrderId).toBe(`own-${orders}`);
  expect((await client.fetchBalance({ type: 'spot' })).USDT!.used).toBe(0);
});

test('money goes from wallet to wallet, as much as there is', async () => {
  const { client } = owner;
  const before = (await client.fetchBalance({ type: 'spot' })).USDT!.free!;
  await client.transfer('USDT', 100, 'spot', 'linear');
  expect((await client.fetchBalance({ type: 'spot' })).USDT!.free!).toBeCloseTo(before - 100, 8);
  await expect(client.transfer('USDT', 1e9, 'spot', 'linear')).rejects.toThrow('-5013');
});

test('windows that are too long are refused', async () => {
  const { client } = owner;
  const now = clock();
  const times = { symbol: 'BTCUSDT', startTime: now - 8 * DAY_MS, endTime: now };
  await expect(client.fapiPrivateGetUserTrades(times)).rejects.toThrow('-4165');
  await expect(client.fapiPrivateGetAllOrders(times)).rejects.toThrow('-4165');
  await expect(client.privateGetMyTrades({ ...times, startTime: now - 25 * HOUR_MS })).rejects.toThrow('-1127');
});

test('user streams of both parts tell orders, fills and balances', async () => {
  const { client } = owner;
  await client.authenticate({ type: 'spot' });
  const heard = { futures: client.watchMyTrades(BTC), spot: client.watchOrders(SPOT) };
  await listening(client);
  const order = await taken('sell', 0.02, { reduceOnly: true });
  expect((await heard.futures).at(-1)).toMatchObject({ order: order.id, side: 'sell', fee: { currency: 'USDT' } });
  const sold = await client.createOrder(SPOT, 'market', 'sell', 0.02, undefined, ownId());
  expect((await heard.spot).at(-1)).toMatchObject({ id: sold.id, clientOrderId: `own-${orders}` });
});

test('orders that nobody watches are cancelled when the countdown ends', async () => {
  const { client } = owner;
  const { bid } = await best(owner.client, BTC);
  await client.createOrder(BTC, 'limit', 'buy', 0.01, Math.round(bid * 0.97), ownId());
  await client.fapiPrivatePostCountdownCancelAll({ symbol: 'BTCUSDT', countdownTime: MINUTE_MS });
  expect(await client.fetchOpenOrders(BTC)).toHaveLength(1);
  ahead += MINUTE_MS;
  await waitFor('no open orders', 60_000, async () => (await client.fetchOpenOrders(BTC)).length === 0);
});

test('a position pays funding when it settles, at the mark of that instant', async () => {
  const { client, exchange, account } = owner;
  const [position] = account.positions.values();
  const settlesAt = position!.fundedAt!;
  const held = position!.quantity;
  ahead += settlesAt - clock() + 2000;
  await waitFor('funding', 60_000, () => account.income.some(({ kind }) => kind === 'funding'));
  const { settledFundingRate, mark } = exchange.market.listed('BTCUSDT', settlesAt)!.ticker;
  const [row] = await client.fetchFundingHistory(BTC);
  expect(row!.amount).toBeCloseTo(Number(held) * -1 * mark! * settledFundingRate!, 6);
});
