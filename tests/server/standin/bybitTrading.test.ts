import { createHmac } from 'node:crypto';
import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { best } from '../../support/askedClient';
import { bybitClientOf, bybitCustomer } from '../../support/bybitClient';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { waitFor } from '../../support/waitFor';

const BTC = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const LINEAR = { category: 'linear', symbol: 'BTCUSDT' };
/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;
let owner: Awaited<ReturnType<typeof bybitCustomer>>;
let orders = 0;
const ownId = () => `own-${++orders}`;

beforeAll(async () => {
  owner = await bybitCustomer(clock);
});

// What may be asked is counted by the second.
beforeEach(() => {
  ahead += 1000;
});

afterAll(async () => {
  await owner.client.close();
  await owner.standIn.close();
});

const at = (symbol: string, price: number) => Number(owner.client.priceToPrecision(symbol, price));
const categoryOf = (symbol: string) => (symbol === SPOT ? 'spot' : 'linear');
type Row = Record<string, string>;
const rows = (answer: unknown) => (answer as { result: { list: Row[]; nextPageCursor: string } }).result;

/** What the exchange says of an order, by its client id. */
async function told(symbol: string, orderLinkId: string) {
  return rows(await owner.client.privateGetV5OrderRealtime({ category: categoryOf(symbol), orderLinkId })).list[0];
}

/** @returns what the exchange says of what was sent */
async function sent(symbol: string, side: 'buy' | 'sell', amount: number, price: number, params = {}) {
  const clientOrderId = ownId();
  await owner.client.createOrder(symbol, 'limit', side, amount, at(symbol, price), { clientOrderId, ...params });
  return told(symbol, clientOrderId);
}

/** An order at a price that it meets at once, IOC. */
async function taken(symbol: string, side: 'buy' | 'sell', amount: number, params = {}) {
  const { bid, ask } = await best(owner.client, symbol);
  return sent(symbol, side, amount, side === 'buy' ? ask * 1.01 : bid * 0.99, { timeInForce: 'IOC', ...params });
}

/** An order that rests, three percent below the market. */
const resting = async (symbol: string, amount: number, params = {}) =>
  sent(symbol, 'buy', amount, (await best(owner.client, symbol)).bid * 0.97, { postOnly: true, ...params });

/** How a question about the own key is signed, with what differs. */
async function signed(differs: Record<string, string>) {
  const { key, standIn } = owner;
  const headers: Record<string, string> = {
    ...{ 'X-BAPI-API-KEY': key.key, 'X-BAPI-TIMESTAMP': String(clock()), 'X-BAPI-RECV-WINDOW': '5000', ...differs },
  };
  const text = headers['X-BAPI-TIMESTAMP']! + key.key + headers['X-BAPI-RECV-WINDOW'];
  const sign = createHmac('sha256', key.secret).update(text).digest('hex');
  const answer = await fetch(`${standIn.url}/v5/user/query-api`, { headers: { 'X-BAPI-SIGN': sign, ...headers } });
  return { status: answer.status, code: ((await answer.json()) as { retCode: number }).retCode };
}

test('who asks is looked at', async () => {
  expect(await signed({})).toEqual({ status: 200, code: 0 });
  expect(await signed({ 'X-BAPI-SIGN': '' })).toEqual({ status: 401, code: 10001 });
  expect(await signed({ 'X-BAPI-API-KEY': 'nobody' })).toEqual({ status: 401, code: 10003 });
  expect(await signed({ 'X-BAPI-SIGN': 'ab' })).toMatchObject({ code: 10004 });
  expect(await signed({ 'X-BAPI-TIMESTAMP': String(clock() - 6000) })).toMatchObject({ code: 10002 });
  expect(await signed({ 'X-BAPI-TIMESTAMP': String(clock() - 6000), 'X-BAPI-RECV-WINDOW': '9000' })).toMatchObject({
    code: 0,
  });
  expect(await signed({ 'X-BAPI-TIMESTAMP': String(clock() + MINUTE_MS) })).toMatchObject({ code: 10002 });
});

test('a key tells what it may and from where, an account how it trades', async () => {
  const { client, exchange, standIn, account } = owner;
  const said = async (of = client) => ((await of.privateGetV5UserQueryApi()) as { result: Row }).result;
  expect(await said()).toMatchObject({
    ...{ userID: account.uid, uta: 1, readOnly: 0, ips: ['*'] },
    permissions: { Wallet: ['AccountTransfer'] },
  });
  const words = { secret: 's', account: 'owner' };
  const bound = exchange.keys.add({ ...words, key: 'bound', canTrade: false, addresses: ['127.0.0.1'] });
  const reader = await bybitClientOf(standIn, bound);
  expect(await said(reader)).toMatchObject({ readOnly: 1, ips: ['127.0.0.1'] });
  await expect(reader.cancelOrder('1', BTC)).rejects.toThrow('10005');
  const elsewhere = exchange.keys.add({ ...words, key: 'elsewhere', addresses: ['10.0.0.1'] });
  await expect((await bybitClientOf(standIn, elsewhere)).fetchBalance()).rejects.toThrow('10010');
  const info = async () => ((await client.privateGetV5AccountInfo()) as { result: Row }).result;
  expect(await info()).toMatchObject({ marginMode: 'REGULAR_MARGIN', unifiedMarginStatus: 6, dcpStatus: 'OFF' });
  account.level = 1;
  expect(await info()).toMatchObject({ marginMode: 'ISOLATED_MARGIN' });
  account.level = 2;
});

test('an order is filled from the book, and position, wallet, executions and log say so to the last digit', async () => {
  const { client, account } = owner;
  const order = await taken(BTC, 'buy', 0.05);
  expect(order).toMatchObject({
    orderStatus: 'Filled',
    cumExecQty: '0.05',
    timeInForce: 'IOC',
    createType: 'CreateByUser',
  });
  const mine = await client.fetchMyTrades(BTC);
  expect(mine.reduce((sum, { amount }) => sum + amount!, 0)).toBeCloseTo(0.05, 9);
  expect(mine[0]).toMatchObject({ order: order!.orderId, takerOrMaker: 'taker', fee: { currency: 'USDT' } });
  const [position] = await client.fetchPositions([BTC]);
  expect(position).toMatchObject({ contracts: 0.05, contractSize: 1, side: 'long', leverage: 20 });
  const { list } = rows(await client.privateGetV5AccountTransactionLog({ accountType: 'UNIFIED' }));
  const left = list.reduce((sum, { change }) => sum.plus(change!), new Big(50_000));
  expect(left.toFixed()).toBe(account.freeOf('USDT').toFixed());
  expect(list[0]).toMatchObject({ type: 'TRADE', cashBalance: left.toFixed(), cashFlow: '0', currency: 'USDT' });
  const [wallet] = rows(await client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED' })).list as unknown as [
    Row & { coin: Row[] },
  ];
  expect(wallet.coin[0]).toMatchObject({ coin: 'USDT', walletBalance: left.toFixed() });
  expect(Number(wallet.totalInitialMargin)).toBeCloseTo(position!.initialMargin!, 1);
});

test('what is not filled at once ends, rests, and is cancelled for what it was asked for as', async () => {
  const { client } = owner;
  const { bid, ask } = await best(owner.client, BTC);
  const none = { orderStatus: 'Cancelled', cumExecQty: '0', cancelType: 'UNKNOWN' };
  expect(await sent(BTC, 'buy', 0.01, bid * 0.98, { timeInForce: 'IOC' })).toMatchObject({
    ...none,
    rejectReason: 'EC_NoImmediateQtyToFill',
  });
  expect(await sent(BTC, 'buy', 0.01, bid * 0.98, { timeInForce: 'FOK' })).toMatchObject(none);
  for (const [symbol, price] of [
    [BTC, ask],
    [SPOT, (await best(owner.client, SPOT)).ask],
  ] as const)
    expect(await sent(symbol, 'buy', 0.01, price * 1.01, { postOnly: true })).toMatchObject({
      ...none,
      rejectReason: 'EC_PostOnlyWillTakeLiquidity',
    });
  const { orderLinkId } = (await resting(BTC, 0.01))!;
  expect((await client.fetchOpenOrders(BTC)).map(({ clientOrderId }) => clientOrderId)).toEqual([orderLinkId]);
  const cancel = () => client.cancelOrder('', BTC, { orderLinkId });
  await cancel();
  expect(await told(BTC, orderLinkId!)).toMatchObject({ orderStatus: 'Cancelled', cancelType: 'CancelByUser' });
  await expect(cancel()).rejects.toThrow('110001');
  await expect(client.cancelOrder('1', SPOT)).rejects.toThrow('170213');
  const history = async () => rows(await client.privateGetV5OrderHistory({ ...LINEAR, orderLinkId })).list;
  expect(await history()).toHaveLength(1);
  ahead += DAY_MS + MINUTE_MS;
  expect([await history(), await told(BTC, orderLinkId!)]).toEqual([[], undefined]);
});

test.each([
  ['what is not listed', { symbol: 'NOSUCHUSDT' }, '10001'],
  ['no size', { qty: '' }, '10001'],
  ['a client id that is too long', { orderLinkId: 'x'.repeat(37) }, '10001'],
  ['a side of a position', { positionIdx: 1 }, '10001'],
  ['less than the minimum', { qty: '0.0001' }, '10001'],
  ['a part of a step', { qty: '0.0015' }, '10001'],
  ['a part of a tick', { price: '100000.05' }, '10001'],
  ['more than the margin', { qty: '20' }, '110007'],
  ['more than the leverage allows', { qty: '900' }, '110090'],
  ['one that would add, reduce-only', { reduceOnly: true }, '110017'],
  ['spot far above the market', { category: 'spot', factor: 1.2 }, '170193'],
  ['spot far below the market', { category: 'spot', side: 'Sell', factor: 0.8 }, '170194'],
  ['more than there is at spot', { category: 'spot', qty: '5' }, '170131'],
  ['too little worth', { symbol: 'DOGEUSDT', qty: '1' }, '110094'],
  ['too little worth at spot', { symbol: 'DOGEUSDT', category: 'spot', qty: '1' }, '170140'],
  ['spot on credit', { category: 'spot', isLeverage: 1 }, '170036'],
  ['spot at the market by its worth', { category: 'spot', orderType: 'Market' }, '10001'],
])('%s is refused', async (_name, differs: Record<string, unknown>, code) => {
  const { client, exchange } = owner;
  const { factor = 1, ...rest } = differs;
  const [id, symbol] = rest.symbol === 'DOGEUSDT' ? ['DOGEUSDT', 'DOGE/USDT:USDT'] : ['BTCUSDT', BTC];
  const price = String(at(symbol, exchange.listed(id)!.ticker.price * Number(factor)));
  const order = { ...LINEAR, side: 'Buy', orderType: 'Limit', price, qty: '0.01', ...rest };
  await expect(client.privatePostV5OrderCreate(order)).rejects.toThrow(`"retCode":${code}`);
});

test('a price beyond the band is moved there; a client id is kept apart among all orders that rest', async () => {
  const { client, exchange } = owner;
  const order = (await sent(BTC, 'sell', 0.01, exchange.listed('BTCUSDT')!.ticker.price * 0.5, {
    timeInForce: 'IOC',
  }))!;
  expect(Number(order.price)).toBeGreaterThan(Number(order.avgPrice) * 0.9);
  const { orderLinkId } = (await resting(BTC, 0.01))!;
  await expect(resting(SPOT, 0.01, { clientOrderId: orderLinkId })).rejects.toThrow('170141');
  await client.cancelOrder('', BTC, { orderLinkId });
});

test('a request that arrives after its time does nothing', async () => {
  const { client } = owner;
  const late = String(Math.ceil(clock()) - 6000);
  const nonce = client.nonce;
  client.nonce = () => Number(late);
  await expect(resting(BTC, 0.01)).rejects.toThrow('10002');
  client.nonce = nonce;
  expect(await told(BTC, `own-${orders}`)).toBeUndefined();
});

test('how an account trades decides what it may order', async () => {
  const { account, exchange } = owner;
  account.isHedged = true;
  await expect(taken(BTC, 'buy', 0.01)).rejects.toThrow('position idx');
  expect((await owner.client.fetchPositions([BTC]))[0]).toMatchObject({ side: 'long', hedged: true });
  account.isHedged = false;
  account.level = 0;
  await expect(taken(BTC, 'buy', 0.01)).rejects.toThrow('110088');
  account.level = 2;
  exchange.faults.delisted.add('BTCUSDT');
  const order = { ...LINEAR, side: 'Buy', orderType: 'Market', qty: '0.01' };
  await expect(owner.client.privatePostV5OrderCreate(order)).rejects.toThrow('110074');
  exchange.faults.clear();
});

test('a reduce-only order is made as large as what is there', async () => {
  const held = Number(owner.account.positionOf('BTCUSDT'));
  const order = await taken(BTC, 'sell', held + 0.03, { reduceOnly: true });
  expect(order).toMatchObject({ qty: String(held), cumExecQty: String(held), orderStatus: 'Filled', reduceOnly: true });
  const all = await owner.client.privateGetV5PositionList({ category: 'linear', settleCoin: 'USDT' });
  expect(rows(all).list).toEqual([]);
  // Who asks for a symbol is told of it all the same.
  expect((await owner.client.fetchPositions([BTC]))[0]).toMatchObject({ contracts: 0 });
});

test('leverage is set as far as it goes, and as far as there is margin for it', async () => {
  const { client } = owner;
  await client.setLeverage(50, BTC);
  await expect(client.setLeverage(50, BTC)).rejects.toThrow('110043');
  await expect(client.setLeverage(500, BTC)).rejects.toThrow('110013');
  await taken(BTC, 'buy', 10);
  await expect(client.setLeverage(5, BTC)).rejects.toThrow('110044');
  await taken(BTC, 'sell', 10, { reduceOnly: true });
});

test('coin is bought at spot, the fee in coin; sold, the fee in USDT; what rests keeps money back', async () => {
  const { client, account } = owner;
  const before = account.freeOf('BTC');
  const bought = (await taken(SPOT, 'buy', 0.1))!;
  expect(bought).not.toHaveProperty('createType');
  const { BTC: fee } = bought.cumFeeDetail as unknown as Row;
  expect((await client.fetchBalance()).BTC!.total).toBe(Number(before.plus('0.1').minus(fee!)));
  const sold = (await taken(SPOT, 'sell', 0.02))!;
  expect(Object.keys(sold.cumFeeDetail!)).toEqual(['USDT']);
  const { list } = rows(await client.privateGetV5AccountTransactionLog({ category: 'spot', limit: '2' }));
  expect(list.map(({ currency, qty }) => [currency, Number(qty) > 0])).toEqual([
    ['USDT', true],
    ['BTC', false],
  ]);
  const { orderLinkId, price } = (await resting(SPOT, 0.01))!;
  const [wallet] = rows(await client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED', coin: 'USDT' })).list;
  expect(Number((wallet as unknown as { coin: Row[] }).coin[0]!.locked)).toBeCloseTo(Number(price) * 0.01, 6);
  await client.cancelOrder('', SPOT, { orderLinkId });
});

test('rows come newest first, page by page, and of a stretch of times', async () => {
  const { client, exchange, account } = owner;
  await taken(BTC, 'buy', 0.01);
  exchange.trading.bring(account, 'USDT', new Big(-100));
  const ask = async (words: object) => rows(await client.privateGetV5AccountTransactionLog(words));
  const { list: all, nextPageCursor } = await ask({ limit: '50' });
  expect(all[0]).toMatchObject({ type: 'TRANSFER_OUT', change: '-100', cashFlow: '-100', symbol: '' });
  expect(all.at(-1)!.cashBalance).toBeDefined();
  const first = await ask({ limit: '2' });
  const second = await ask({ limit: '2', cursor: first.nextPageCursor });
  expect([...first.list, ...second.list]).toEqual(all.slice(0, 4));
  // The last page too says where the next would begin.
  expect(nextPageCursor).not.toBe('');
  expect(await ask({ limit: '50', cursor: nextPageCursor })).toEqual({ list: [], nextPageCursor: '' });
  const startTime = String(Number(all[0]!.transactionTime) + 1);
  expect((await ask({ startTime })).list).toEqual([]);
  await expect(ask({ startTime: '1', endTime: startTime })).rejects.toThrow('7 days');
  // A day is told where nothing else is asked for; what is held may have settled in it.
  ahead += DAY_MS;
  expect((await ask({})).list.filter((row) => row.transactionTime! < startTime)).toEqual([]);
  expect((await client.fetchMyTrades(BTC)).length).toBeGreaterThan(0);
});

test('answers have the published words', async () => {
  const { client } = owner;
  await taken(BTC, 'buy', 0.01);
  const { orderLinkId } = (await resting(BTC, 0.01))!;
  const published: [ask: () => Promise<unknown>, words: string][] = [
    [
      () => client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED' }),
      'accountType accountIMRate accountMMRate totalEquity totalWalletBalance totalMarginBalance totalAvailableBalance totalPerpUPL totalInitialMargin totalMaintenanceMargin coin',
    ],
    [
      () => client.privateGetV5PositionList(LINEAR),
      'positionIdx symbol side size avgPrice positionValue leverage markPrice liqPrice positionIM positionMM unrealisedPnl positionStatus adlRankIndicator isReduceOnly createdTime updatedTime',
    ],
    [() => client.privateGetV5AccountFeeRate(LINEAR), 'symbol takerFeeRate makerFeeRate'],
    [
      () => client.privateGetV5ExecutionList(LINEAR),
      'symbol orderId orderLinkId side orderPrice orderQty leavesQty createType orderType execFee execId execPrice execQty execType execValue execTime feeCurrency isMaker feeRate markPrice closedSize seq',
    ],
    [
      () => client.privateGetV5AccountTransactionLog({}),
      'id symbol category side transactionTime type transSubType qty size currency tradePrice funding fee cashFlow change cashBalance feeRate bonusChange tradeId orderId orderLinkId',
    ],
    [
      () => client.privateGetV5OrderRealtime(LINEAR),
      'orderId orderLinkId symbol price qty side positionIdx orderStatus createType cancelType rejectReason avgPrice leavesQty cumExecQty cumExecValue cumExecFee timeInForce orderType reduceOnly createdTime updatedTime cumFeeDetail',
    ],
  ];
  for (const [ask, words] of published)
    for (const word of words.split(' ')) expect(rows(await ask()).list[0]).toHaveProperty(word);
  await client.cancelOrder('', BTC, { orderLinkId });
});

test('a position pays funding when it settles, and executions and log say so, each with its own sign', async () => {
  const { client, exchange, account } = owner;
  await waitFor('earlier funding', 60_000, () => account.positions.get('BTCUSDT')!.fundedAt! > clock());
  const { fundedAt, quantity } = account.positions.get('BTCUSDT')!;
  ahead += fundedAt! - clock() + 2000;
  await waitFor('funding', 60_000, () => account.positions.get('BTCUSDT')!.fundedAt !== fundedAt);
  const { settledFundingRate, mark } = exchange.market.listed('BTCUSDT', fundedAt!)!.ticker;
  const paid = Number(quantity) * mark! * settledFundingRate!;
  const [entry] = rows(await client.privateGetV5AccountTransactionLog({ type: 'SETTLEMENT' })).list;
  expect(Number(entry!.funding)).toBeCloseTo(-paid, 6);
  expect(entry).toMatchObject({ change: entry!.funding, cashFlow: '0', side: 'Buy' });
  const [execution] = rows(await client.privateGetV5ExecutionList({ ...LINEAR, execType: 'Funding' })).list;
  expect(Number(execution!.execFee)).toBeCloseTo(paid, 6);
  ahead += HOUR_MS;
});
