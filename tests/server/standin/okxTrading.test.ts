import { createHmac } from 'node:crypto';
import Big from 'big.js';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { best } from '../../support/askedClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { okxClientOf, okxCustomer } from '../../support/okxClient';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const ETH = 'ETH/USDT:USDT';
const SWAP = 'BTC-USDT-SWAP';
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
let heldAt: number | null = null;
const clock = () => heldAt ?? running() + ahead;
let owner: Awaited<ReturnType<typeof okxCustomer>>;
let orders = 0;
const ownId = () => `own${++orders}`;

beforeAll(async () => {
  owner = await okxCustomer(clock);
});

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

const at = (symbol: string, price: number) => Number(owner.client.priceToPrecision(symbol, price));

/** An order at a price that it meets at once, IOC. @returns what the exchange says of it */
async function taken(symbol: string, side: 'buy' | 'sell', amount: number, params = {}) {
  const { bid, ask } = await best(owner.client, symbol);
  const price = at(symbol, side === 'buy' ? ask * 1.01 : bid * 0.99);
  const clientOrderId = ownId();
  await owner.client.createOrder(symbol, 'limit', side, amount, price, {
    clientOrderId,
    timeInForce: 'IOC',
    ...params,
  });
  return owner.client.fetchOrder('', symbol, { clientOrderId });
}

/** An order that rests, three percent below the market. */
async function resting(symbol: string, amount: number, clientOrderId = ownId()) {
  const price = at(symbol, (await best(owner.client, symbol)).bid * 0.97);
  await owner.client.createOrder(symbol, 'limit', 'buy', amount, price, { clientOrderId, postOnly: true });
  return clientOrderId;
}

/** How a question about the own account is signed, with what differs. */
async function signed(differs: Record<string, string | undefined>) {
  const { key, standIn } = owner;
  const path = '/api/v5/account/config';
  const time = differs['OK-ACCESS-TIMESTAMP'] ?? new Date(clock()).toISOString();
  const sign = createHmac('sha256', key.secret).update(`${time}GET${path}`).digest('base64');
  const headers = {
    ...{ 'OK-ACCESS-KEY': key.key, 'OK-ACCESS-PASSPHRASE': key.passphrase },
    ...{ 'OK-ACCESS-SIGN': sign, 'OK-ACCESS-TIMESTAMP': time, ...differs },
  };
  const answer = await fetch(standIn.url + path, { headers });
  return { status: answer.status, code: ((await answer.json()) as { code: string }).code };
}

test.each([
  ['nothing differs', {}, 200, '0'],
  ['there is no key', { 'OK-ACCESS-KEY': '' }, 401, '50103'],
  ['there is no passphrase', { 'OK-ACCESS-PASSPHRASE': '' }, 401, '50104'],
  ['there is no signature', { 'OK-ACCESS-SIGN': '' }, 401, '50106'],
  ['there is no time', { 'OK-ACCESS-TIMESTAMP': '' }, 401, '50107'],
  ['the time is none', { 'OK-ACCESS-TIMESTAMP': 'now' }, 401, '50112'],
  ['the key is none', { 'OK-ACCESS-KEY': '?' }, 401, '50111'],
  ['the key is nobody’s', { 'OK-ACCESS-KEY': 'nobody' }, 401, '50119'],
  ['the passphrase is wrong', { 'OK-ACCESS-PASSPHRASE': 'x' }, 401, '50105'],
  ['the signature is wrong', { 'OK-ACCESS-SIGN': 'x' }, 401, '50113'],
  ['it is for trials', { 'x-simulated-trading': '1' }, 401, '50101'],
  ['it was signed too long ago', { 'OK-ACCESS-TIMESTAMP': new Date(QUIET_START - 31_000).toISOString() }, 401, '50102'],
  ['it was signed ahead', { 'OK-ACCESS-TIMESTAMP': new Date(QUIET_START + HOUR_MS).toISOString() }, 401, '50102'],
])('who asks is looked at: %s', async (_name, differs, status, code) => {
  expect(await signed(differs)).toEqual({ status, code });
});

test('a key tells what it may and from where, an account how it trades', async () => {
  const { client, exchange, standIn, account } = owner;
  const said = async (of = client) => (await of.privateGetAccountConfig()).data[0];
  expect(await said()).toMatchObject({
    ...{ uid: String(account.uid), acctLv: '2', posMode: 'net_mode', perm: 'read_only,trade', ip: '' },
  });
  const words = { secret: 's', passphrase: 'p', account: 'owner' };
  const bound = exchange.keys.add({ ...words, key: 'bound', canTrade: false, addresses: ['127.0.0.1'] });
  const reader = await okxClientOf(standIn, bound);
  expect(await said(reader)).toMatchObject({ perm: 'read_only', ip: '127.0.0.1', label: 'bound' });
  await expect(reader.cancelOrder('1', BTC)).rejects.toThrow('50120');
  const elsewhere = exchange.keys.add({ ...words, key: 'elsewhere', addresses: ['10.0.0.1'] });
  await expect((await okxClientOf(standIn, elsewhere)).fetchBalance()).rejects.toThrow('50110');
});

test('an order is filled from the book, and position, balance, fills and bills say so to the last digit', async () => {
  const { client, account } = owner;
  const order = await taken(BTC, 'buy', 5);
  expect(order).toMatchObject({ status: 'closed', filled: 5, timeInForce: 'IOC', clientOrderId: `own${orders}` });
  const mine = (await client.fetchMyTrades(BTC)).filter(({ order: id }) => id === order.id);
  expect(mine.reduce((sum, { amount }) => sum + amount!, 0)).toBe(5);
  expect(mine[0]).toMatchObject({ takerOrMaker: 'taker', fee: { currency: 'USDT' } });
  // Of one moment: the mark that both count by moves on.
  heldAt = clock();
  const [position] = await client.fetchPositions([BTC]);
  const [{ totalEq, adjEq, details }] = (await client.privateGetAccountBalance()).data;
  heldAt = null;
  expect(position).toMatchObject({ contracts: 5, contractSize: 0.01, side: 'long', marginMode: 'cross', leverage: 20 });
  expect(Number(account.positionOf('BTCUSDT'))).toBe(0.05);
  const { data: bills } = await client.privateGetAccountBills();
  const left = bills.reduce((sum: Big, { balChg }: { balChg: string }) => sum.plus(balChg), new Big(50_000));
  expect(left.toFixed()).toBe(account.freeOf('USDT').toFixed());
  expect(details[0]).toMatchObject({ ccy: 'USDT', cashBal: left.toFixed() });
  expect(totalEq).toBe(details[0].eq);
  // Of each currency by itself: what all of them come to as margin is told in other modes alone.
  expect(adjEq).toBe('');
  expect(Number(details[0].imr)).toBeCloseTo(position!.initialMargin!, 6);
});

test('what is not filled at once ends, rests, and is cancelled for what it was asked for as', async () => {
  const { client } = owner;
  const { bid, ask } = await best(owner.client, BTC);
  const ended = async (type: string, price: number, amount = 1) => {
    const clOrdId = ownId();
    await client.createOrder(BTC, type, 'buy', amount, at(BTC, price), { clOrdId });
    return (await client.fetchOrder('', BTC, { clOrdId })).info;
  };
  expect(await ended('ioc', bid * 0.98)).toMatchObject({ state: 'canceled', accFillSz: '0', cancelSource: '14' });
  expect(await ended('post_only', ask * 1.01)).toMatchObject({ state: 'canceled', accFillSz: '0', cancelSource: '31' });
  expect(await ended('fok', bid * 0.98)).toMatchObject({ state: 'canceled', cancelSource: '13' });
  const clOrdId = await resting(BTC, 1);
  expect((await client.fetchOpenOrders(BTC)).map(({ clientOrderId }) => clientOrderId)).toEqual([clOrdId]);
  await client.cancelOrder('', BTC, { clOrdId });
  expect((await client.fetchOrder('', BTC, { clOrdId })).info).toMatchObject({ state: 'canceled', cancelSource: '1' });
  await expect(client.cancelOrder('', BTC, { clOrdId })).rejects.toThrow('51400');
  await expect(client.fetchOrder('1', BTC)).rejects.toThrow('51603');
  await expect(client.privateGetTradeOrder({ instId: SWAP })).rejects.toThrow('51003');
  ahead += 2 * HOUR_MS + MINUTE_MS;
  await expect(client.fetchOrder('', BTC, { clOrdId })).rejects.toThrow('51603');
});

test.each([
  ['what is not listed', { instId: 'NOSUCH-USDT-SWAP' }, '51001'],
  ['no size', { sz: '' }, '50014'],
  ['a client id with a dash', { clOrdId: 'a-b' }, '51000'],
  ['a side of a position', { posSide: 'long' }, '51000'],
  ['contracts without margin', { tdMode: 'cash' }, '51000'],
  ['less than the minimum', { sz: '0.05' }, '51020'],
  ['a part of a lot', { sz: '1.05' }, '51121'],
  ['more than is allowed', { sz: '100000001' }, '51005'],
  ['a part of a tick', { px: '100000.05' }, '51150'],
  ['a price far above the market', { factor: 1.2 }, '51006'],
  ['more than the margin', { sz: '20000' }, '51008'],
  ['more than the leverage allows', { sz: '90000' }, '51004'],
  ['one that would add, reduce-only', { reduceOnly: true }, '51170'],
  ['reduce-only where there is nothing', { instId: 'ETH-USDT-SWAP', reduceOnly: true }, '51169'],
  ['spot far above the market', { instId: 'BTC-USDT', tdMode: 'cash', factor: 1.2 }, '51137'],
  ['spot far below the market', { instId: 'BTC-USDT', tdMode: 'cash', side: 'sell', factor: 0.8 }, '51138'],
  ['more than there is at spot', { instId: 'BTC-USDT', tdMode: 'cash', sz: '5' }, '51008'],
  ['spot at the market by its worth', { instId: 'BTC-USDT', tdMode: 'cash', ordType: 'market' }, '51000'],
])('%s is refused', async (_name, differs: Record<string, unknown>, code) => {
  const { client, exchange } = owner;
  const { factor = 1, ...rest } = differs;
  const [symbol, listed] = rest.instId === 'ETH-USDT-SWAP' ? [ETH, 'ETHUSDT'] : [BTC, 'BTCUSDT'];
  const px = at(symbol, exchange.listed(listed)!.ticker.price * Number(factor));
  const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', px, sz: '1', ...rest };
  await expect(client.privatePostTradeOrder(order)).rejects.toThrow(code);
});

test('a client id is kept apart among all orders that rest, whatever they trade', async () => {
  const { client } = owner;
  await resting(BTC, 1, 'same');
  await expect(resting(SPOT, 0.01, 'same')).rejects.toThrow('51016');
  await client.cancelOrder('', BTC, { clOrdId: 'same' });
  await resting(SPOT, 0.01, 'same');
  await client.cancelOrder('', SPOT, { clOrdId: 'same' });
});

test('a request that arrives after its time does nothing', async () => {
  const { client } = owner;
  const clOrdId = ownId();
  const late = { ...client.headers, expTime: String(clock() - 1) };
  const send = (headers: object) => {
    Object.assign(client, { headers });
    return resting(BTC, 1, clOrdId).finally(() => Object.assign(client, { headers: {} }));
  };
  await expect(send(late)).rejects.toThrow('50036');
  await expect(client.fetchOrder('', BTC, { clOrdId })).rejects.toThrow('51603');
  await send({ expTime: String(clock() + MINUTE_MS) });
  await client.cancelOrder('', BTC, { clOrdId });
});

test('how an account trades decides what it may order', async () => {
  const { account, exchange } = owner;
  const refused = async (code: string) => expect(taken(BTC, 'buy', 1)).rejects.toThrow(code);
  account.level = 1;
  await refused('51010');
  account.level = 3;
  await expect(taken(SPOT, 'buy', 0.01)).rejects.toThrow('51000');
  account.level = 2;
  account.isHedged = true;
  await refused('51000');
  const [held] = await owner.client.fetchPositions([BTC]);
  expect(held).toMatchObject({ side: 'long', hedged: true });
  account.isHedged = false;
  exchange.faults.delisted.add('BTCUSDT');
  const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'market', sz: '1' };
  await expect(owner.client.privatePostTradeOrder(order)).rejects.toThrow('51022');
  exchange.faults.clear();
});

test('a reduce-only order is made as large as what is there', async () => {
  const held = Number(owner.account.positionOf('BTCUSDT')) / 0.01;
  const order = await taken(BTC, 'sell', held + 3, { reduceOnly: true });
  expect(order).toMatchObject({ amount: held, filled: held, status: 'closed', reduceOnly: true });
  expect(await owner.client.fetchPositions([BTC])).toEqual([]);
});

test('leverage is set as far as it goes, and while nothing rests', async () => {
  const { client, account } = owner;
  const set = (lever: number) => client.privatePostAccountSetLeverage({ instId: SWAP, lever, mgnMode: 'cross' });
  await set(50);
  expect((await client.fetchLeverage(BTC)).longLeverage).toBe(50);
  await expect(set(500)).rejects.toThrow('59102');
  await expect(set(0.5)).rejects.toThrow('59105');
  const clOrdId = await resting(BTC, 1);
  await expect(set(10)).rejects.toThrow('59107');
  await set(50);
  await client.cancelOrder('', BTC, { clOrdId });
  await taken(BTC, 'buy', 1000);
  await expect(set(5)).rejects.toThrow('59108');
  // What is margin is not spent on coin.
  const [{ details }] = (await client.privateGetAccountBalance()).data;
  expect(Number(details[0].availBal)).toBeLessThan(Number(details[0].cashBal) * 0.8);
  const price = (await best(owner.client, SPOT)).ask;
  const [most, all] = [details[0].availBal, details[0].cashBal].map((money) => (Number(money) / price) * 0.98);
  await expect(taken(SPOT, 'buy', all!)).rejects.toThrow('51008');
  await taken(SPOT, 'buy', most! / 2);
  expect(account.freeOf('BTC').gt(0)).toBe(true);
  await taken(BTC, 'sell', 1000, { reduceOnly: true });
});

test('coin is bought at spot, the fee in coin; sold, the fee in USDT; what rests keeps money back', async () => {
  const { client, account } = owner;
  const before = account.freeOf('BTC');
  const bought = await taken(SPOT, 'buy', 0.1);
  expect(bought.fee).toMatchObject({ currency: 'BTC' });
  const after = before.plus('0.1').minus(bought.fee!.cost!);
  expect((await client.fetchBalance()).BTC!.total).toBe(Number(after));
  const sold = await taken(SPOT, 'sell', 0.02);
  expect(sold.fee).toMatchObject({ currency: 'USDT' });
  const [fill] = (await client.privateGetTradeFills({ ordId: sold.id })).data;
  expect(fill).toMatchObject({ instType: 'SPOT', instId: 'BTC-USDT', side: 'sell', feeRate: '-0.001', fillPnl: '0' });
  const clOrdId = await resting(SPOT, 0.01);
  const { USDT } = await client.fetchBalance();
  expect(USDT!.used).toBeCloseTo((await client.fetchOrder('', SPOT, { clOrdId })).price! * 0.01, 6);
  await client.cancelOrder('', SPOT, { clOrdId });
});

test('fills and bills are told newest first, between bills and times, a hundred at most', async () => {
  const { client, exchange, account } = owner;
  const ask = async (words: object) =>
    (await client.privateGetTradeFillsHistory({ instType: 'SWAP', ...words })).data as { billId: string; ts: string }[];
  const all = await ask({});
  const ids = all.map(({ billId }) => billId);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(Number(ids[0])).toBe(Number(ids[1]));
  expect((await ask({ after: ids[1], limit: 1 })).map(({ billId }) => billId)).toEqual([ids[2]]);
  expect((await ask({ before: ids[2] })).map(({ billId }) => billId)).toEqual(ids.slice(0, 2));
  expect(await ask({ begin: Number(all[0]!.ts) + 1 })).toEqual([]);
  await expect(client.privateGetTradeFillsHistory({})).rejects.toThrow('50014');
  exchange.trading.bring(account, 'USDT', new Big(-100));
  const [moved] = (await client.privateGetAccountBills({ type: '1' })).data;
  expect(moved).toMatchObject({ subType: '12', balChg: '-100', from: '18', to: '6', instType: '' });
  // The library asks for spot alone unless it is told otherwise, and what is moved belongs to none.
  expect((await client.fetchLedger()).every(({ info }) => info.instType === 'SPOT')).toBe(true);
});

test('answers have the published words, and each is a text', async () => {
  const { client } = owner;
  const published: [path: string, asked: object, words: string][] = [
    ['account/balance', {}, 'totalEq adjEq imr mmr uTime details'],
    [
      'account/positions',
      {},
      'instId instType pos avgPx markPx liqPx upl mgnMode posSide lever imr mmr ccy cTime uTime',
    ],
    ['account/leverage-info', { instId: SWAP, mgnMode: 'cross' }, 'instId mgnMode posSide lever'],
    ['account/trade-fee', { instType: 'SPOT', instId: 'BTC-USDT' }, 'level maker taker feeGroup'],
    ['account/trade-fee', { instType: 'SWAP', instFamily: 'BTC-USDT' }, 'level makerU takerU feeGroup'],
    ['account/bills', {}, 'billId type subType ts balChg bal sz px ccy pnl fee instId ordId execType tradeId clOrdId'],
    ['trade/fills', {}, 'tradeId billId ordId clOrdId side fillPx fillSz fee feeCcy execType posSide subType ts'],
    ['trade/orders-pending', {}, 'ordId clOrdId state px sz accFillSz avgPx uTime cTime cancelSource category feeCcy'],
  ];
  await taken(BTC, 'buy', 1);
  const clOrdId = await resting(BTC, 1);
  for (const [path, asked, words] of published) {
    const { data } = await client.request(path, 'private', 'GET', asked);
    const [row] = data as [Record<string, unknown>];
    for (const word of words.split(' ')) expect(row).toHaveProperty(word);
    expect(Object.values(row).filter((value) => typeof value !== 'object' && typeof value !== 'string')).toEqual([]);
  }
  await client.cancelOrder('', BTC, { clOrdId });
});

test('all orders that nobody watches are cancelled when the countdown ends', async () => {
  const { client } = owner;
  const clOrdId = await resting(BTC, 1);
  await resting(SPOT, 0.01);
  await expect(client.privatePostTradeCancelAllAfter({ timeOut: '5' })).rejects.toThrow('51000');
  ahead += 2000 - (clock() % 1000);
  const set = await Promise.allSettled([1, 2, 3].map(() => client.privatePostTradeCancelAllAfter({ timeOut: '60' })));
  const refused = set.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every((text) => text.includes('50011'))).toBe(true);
  expect(await client.fetchOpenOrders()).toHaveLength(2);
  ahead += MINUTE_MS;
  await waitFor('no open orders', 60_000, () => owner.account.live(null).length === 0);
  expect((await client.fetchOrder('', BTC, { clOrdId })).info.cancelSource).toBe('20');
});

test('a position pays funding when it settles, and a bill says so', async () => {
  const { client, exchange, account } = owner;
  await taken(BTC, 'buy', 10);
  const { fundedAt, quantity } = account.positions.get('BTCUSDT')!;
  ahead += fundedAt! - clock() + 2000;
  await waitFor('funding', 60_000, () => account.income.some(({ kind }) => kind === 'funding'));
  const { settledFundingRate, mark } = exchange.market.listed('BTCUSDT', fundedAt!)!.ticker;
  const [bill] = (await client.privateGetAccountBillsArchive({ type: '8' })).data;
  expect(Number(bill.balChg)).toBeCloseTo(Number(quantity) * -1 * mark! * settledFundingRate!, 6);
  const [subType, sz] = [bill.balChg.startsWith('-') ? '173' : '174', quantity.div('0.01').toFixed()];
  expect(bill).toMatchObject({ instId: SWAP, ccy: 'USDT', pnl: bill.balChg, subType, px: String(mark), sz });
  expect(bill.bal).toBe(account.freeOf('USDT').toFixed());
});
