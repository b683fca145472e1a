import Big from 'big.js';
import { eq } from 'drizzle-orm';
import { account as accountApi } from '#contract/account';
import * as codes from '#contract/codes';
import { DAY_MS } from '#contract/duration';
import type { FieldErrors } from '#contract/envelope';
import { hedge } from '#contract/kinds/hedge/desk';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { notification } from '#contract/notification';
import { order } from '#contract/order';
import { strategies as api } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { venueAccount } from '#contract/venueAccount';
import { deal, tradeOrder } from '#server/base/db/schema';
import { newestDealsOf } from '#server/base/db/strategies/deal';
import { answered, PERPETUAL, REAL_PATIENCE_MS, realCarry, SPOT } from '../../support/realCarry';
import { REAL_VENUE } from '../../support/realProduct';
import { fileDatabase } from '../../support/testDatabase';

/** The expiries that are listed at the time. */
const [FUTURE, NEXT] = ['BTCUSDT_261225', 'BTCUSDT_270326'];
const ROOM = { LIVE_MAX_NOTIONAL: '8000' };

const db = await fileDatabase();
const carry = await realCarry(db, [FUTURE, NEXT]);
const { exchange, customer, owner, restart, body, rowOf, made, start, sent, stop, until, dealsOf } = carry;
const { call } = owner;

let id = '';
/** Its deals, the newest first, without asking the exchange about them, which counts what it is asked. */
const stored = () => newestDealsOf(db, id, 10);
const held = async () => (await dealsOf(id))[0]!;
const legOf = ({ legs }: DealRow, leg: 'long' | 'short') => new Big(legs.find((one) => one.leg === leg)!.quantity);
const there = (symbol: string) => customer.positionOf(symbol);
const coin = () => customer.free.get('BTC') ?? new Big(0);
/** Whoever has proved nothing of late is asked for it first; then the act is done. */
async function askedFor<A extends { code: number }>(act: () => Promise<A>): Promise<A> {
  const before = sent().length;
  await owner.proved(DAY_MS / 24);
  expect((await act()).code).toBe(codes.freshNeeded.code);
  expect(sent().length).toBe(before);
  await owner.proved();
  const answer = await act();
  expect(answer.code).toBe(200);
  return answer;
}
let traded = 0;
/** What somebody does on the same account at the exchange itself. */
const byHand = (symbol: string, side: 'buy' | 'sell', quantity: string) => {
  traded += 1;
  exchange.trading.place(customer, {
    ...{ symbol, wallet: symbol === SPOT ? 'spot' : 'derivatives', clientId: `web_${traded}`, side, type: 'market' },
    ...{ timeInForce: 'IOC', price: null, quantity: new Big(quantity), reduceOnly: false },
  });
};
/** Nothing is streamed of the account: what happens is found late, by what it is asked for. */
const untold = () => {
  const ofAccount = /ORDER_TRADE_UPDATE|ACCOUNT_UPDATE|executionReport|outboundAccountPosition|balanceUpdate/;
  exchange.faults.onStream = (messages) => messages.filter((one) => !ofAccount.test(JSON.stringify(one)));
};
/** The deal holds what the exchange has, to the last digit and with its sign. @param before coin that was there already */
async function agrees(before: Big): Promise<void> {
  const row = await held();
  expect(there(PERPETUAL).toFixed()).toBe(legOf(row, 'short').toFixed());
  expect(coin().minus(before).toFixed()).toBe(legOf(row, 'long').toFixed());
  expect(legOf(row, 'short').lt(0)).toBe(true);
}

beforeAll(() => carry.open(ROOM), 2 * REAL_PATIENCE_MS);
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});
afterEach(() => exchange.faults.clear());

test(
  'what a person closed is opened again by who arms it and proves it, once, on the real account',
  async () => {
    ({ id } = await made());
    expect((await start(id)).code).toBe(200);
    await until(id, 'open');
    const first = await held();
    // Real spot does not rest on its way out.
    const rests = await call(api.closeDeal, { body: { id: first.id, maker: true } });
    expect(rests).toMatchObject({ code: 400, data: { fields: [{ field: 'maker' }] } });
    expect((await call(api.closeQuote, { query: { id: first.id, maker: 'true' } })).data.refusal).toContain('现货');
    expect((await call(api.closeDeal, { body: { id: first.id } })).code).toBe(200);
    await until(id, 'closed');
    expect(there(PERPETUAL).toFixed()).toBe('0');
    const [target] = (await rowOf(id)).targets;
    expect(target!.held).toMatchObject({ hold: 'closed' });
    const before = coin();
    untold();
    const armed = { ids: [target!.id], open: [target!.id] };
    // Nothing real opens by a click: what it buys is typed.
    const untyped = await call(api.armTargets, { body: armed });
    expect(untyped).toMatchObject({ code: 400, data: { fields: [{ field: 'typed' }] } });
    await askedFor(() => call(api.armTargets, { body: { ...armed, typed: SPOT } }));
    await until(id, 'open');
    expect((await dealsOf(id)).map(({ state }) => state)).toEqual(['open', 'closed']);
    await agrees(before);
  },
  6 * REAL_PATIENCE_MS,
);

test(
  'a leg of which the exchange took a part is filled up by who proves it, by one order, and never beyond the other',
  async () => {
    const [whole, before] = [await held(), sent().length];
    expect(whole.mendable).toBeUndefined();
    exchange.trading.force(customer, PERPETUAL, 'adl', 0.5);
    await answered('it is known', async () => legOf(await held(), 'short').gt(legOf(whole, 'short')));
    expect(legOf(await held(), 'short').toFixed()).toBe(there(PERPETUAL).toFixed());
    expect((await held()).state).toBe('open');
    await answered('it says so', async () => (await held()).uneven === true);
    expect((await held()).mendable).toBe(true);
    untold();
    // Its answer is lost: it is looked up, and not sent again.
    exchange.faults.next(/^POST \/fapi\/v1\/order$/, { kind: 'cut' });
    await askedFor(() => call(api.rebalanceLegs, { body: { id: whole.id, way: 'complete' } }));
    await answered('it is filled up', async () => legOf(await held(), 'short').eq(legOf(whole, 'short')));
    await answered('it says so no more', async () => (await held()).uneven === undefined);
    expect(there(PERPETUAL).toFixed()).toBe(legOf(whole, 'short').toFixed());
    expect(sent().length).toBe(before + 1);
    expect(sent().at(-1)).toMatchObject({ symbol: PERPETUAL, side: 'sell', reduceOnly: false });
  },
  6 * REAL_PATIENCE_MS,
);

test(
  'a frozen deal is let go on by who proves it, by whichever server is there, and nothing is sent for it meanwhile',
  async () => {
    const [whole, before] = [await held(), sent().length];
    await restart(ROOM, () => db.update(deal).set({ frozen: '风控拦截：测试' }).where(eq(deal.id, whole.id)));
    await answered('it is frozen', async () => (await held()).mayThaw && (await held()).frozen !== null);
    await askedFor(() => call(api.unfreezeDeal, { body: { id: whole.id, reason: '已核对' } }));
    await answered('it goes on', async () => (await held()).frozen === null);
    expect(sent().length).toBe(before);
    expect(await held()).toMatchObject({ id: whole.id, state: 'open' });
    expect(there(PERPETUAL).toFixed()).toBe(legOf(whole, 'short').toFixed());
    await stop(id);
    await until(id, 'closed');
    expect(there(PERPETUAL).toFixed()).toBe('0');
  },
  6 * REAL_PATIENCE_MS,
);

test(
  'a real spread is rolled by who proves it: the far leg goes to the next expiry, and the near one is not traded',
  async () => {
    // Who is short of the perpetual is paid its rate, whatever the basis is at the moment.
    const params = {
      ...{ ...DEFAULT_SPREAD, source: REAL_VENUE, near: PERPETUAL, far: FUTURE, direction: 'buyFar', entryApr: 0 },
      ...{ legNotional: 1_000, exitLevel: null, stopLoss: null, dailyLossLimit: null, slippageCap: 100 },
    };
    const answer = await call(api.create, { body: body({ kind: 'spread', params, typed: FUTURE }) });
    expect(answer.code).toBe(200);
    ({ id } = answer.data);
    expect((await start(id, FUTURE)).code).toBe(200);
    await until(id, 'open');
    const earlier = await held();
    expect(there(FUTURE).toFixed()).toBe(legOf(earlier, 'long').toFixed());
    const quote = () => call(spreadDesk.rollQuote, { query: { id: earlier.id } });
    await answered('its books', async () => (await quote()).data?.cost != null);
    const before = sent().length;
    untold();
    await askedFor(() => call(spreadDesk.roll, { body: { id: earlier.id } }));
    await answered('it is rolled', async () => {
      const [after, old] = await stored();
      return after?.rolledFrom === earlier.id && after.state === 'open' && old?.state === 'closed';
    });
    const rolled = await held();
    expect(there(FUTURE).toFixed()).toBe('0');
    expect(there(NEXT).toFixed()).toBe(legOf(rolled, 'long').toFixed());
    expect(legOf(rolled, 'long').gt(0)).toBe(true);
    expect(there(PERPETUAL).toFixed()).toBe(legOf(earlier, 'short').toFixed());
    expect(legOf(rolled, 'short').toFixed()).toBe(legOf(earlier, 'short').toFixed());
    expect(
      new Set(
        sent()
          .slice(before)
          .map(({ symbol }) => symbol),
      ),
    ).toEqual(new Set([FUTURE, NEXT]));
    exchange.faults.clear();
    await stop(id);
    await answered('all of it is closed', async () => (await stored()).every(({ state }) => state === 'closed'));
    for (const symbol of [NEXT, PERPETUAL]) expect(there(symbol).toFixed()).toBe('0');
  },
  6 * REAL_PATIENCE_MS,
);

test(
  'what somebody traded by hand is taken over by its owner who proves it, without an order, and closed as any other',
  async () => {
    const accountId = (await call(venueAccount.list)).data.list.find(({ mode }) => mode === 'live')!.id;
    byHand(FUTURE, 'buy', '0.011');
    byHand(PERPETUAL, 'sell', '0.011');
    // Coin that the carries have left is no leg.
    const orphans = async () =>
      (await call(accountApi.state, { query: { accountId } })).data.account!.positions?.filter(
        ({ badges, symbol }) => badges.includes('orphan') && symbol !== SPOT,
      ) ?? [];
    const told = () => db.select().from(tradeOrder).where(eq(tradeOrder.purpose, 'outside'));
    await answered('it is booked', async () => (await told()).length === 2);
    const outside = async () => {
      const { list } = (await call(notification.list, { query: { kind: 'risk', pageSize: '100' } })).data;
      return list.filter(({ title }) => title === '实盘 · 外部成交').map(({ text }) => text);
    };
    const isTold = async (words: string) => (await outside()).some((text) => text.includes(words));
    await answered('it is told', () => isTold(`${FUTURE} 买入 0.011 @`));
    await answered('and so is the other', () => isTold(`${PERPETUAL} 卖出 0.011 @`));
    expect(await orphans()).toHaveLength(2);
    customer.leverage.set(FUTURE, 20).set(PERPETUAL, 10);
    const terms = (await call(hedge.takeOverTerms, { query: { accountId } })).data;
    expect(terms).toMatchObject({ mode: 'live', exits: { slippageCap: 30 } });
    expect(
      terms.positions.map(({ symbol, side, quantity, leverage }) => [symbol, side, quantity, leverage]).sort(),
    ).toEqual([
      [PERPETUAL, 'short', '0.011', 10],
      [FUTURE, 'long', '0.011', 20],
    ]);
    const wish = {
      ...{ accountId, source: REAL_VENUE, long: FUTURE, short: PERPETUAL, longQuantity: '0.011' },
      ...{ shortQuantity: '0.01', ...terms.exits, stopLoss: null, takeProfit: null, slippageCap: 100, typed: FUTURE },
    };
    const before = sent().length;
    const refusedAt = async (change: object) => {
      const { code, data } = await call(hedge.takeOver, { body: { ...wish, ...change } });
      return [code, (data as unknown as FieldErrors | null)?.fields[0]?.field];
    };
    expect(await refusedAt({ accountId: 'of-somebody-else' })).toEqual([404, undefined]);
    expect(await refusedAt({ typed: PERPETUAL })).toEqual([400, 'typed']);
    expect(await refusedAt({ long: PERPETUAL, typed: PERPETUAL })).toEqual([400, 'long']);
    expect(await refusedAt({ longQuantity: '0.012' })).toEqual([400, 'longQuantity']);
    expect(await refusedAt({ shortQuantity: '0.0105' })).toEqual([400, 'shortQuantity']);
    const { data } = await askedFor(() => call(hedge.takeOver, { body: wish }));
    expect(data).toMatchObject({ refused: null, hedgeId: expect.any(String) });
    const own = async () => (await call(hedge.detail, { query: { id: data.hedgeId! } })).data;
    expect((await own()).hedge).toMatchObject({ state: 'open', mode: 'live', longQuantity: '0.011' });
    // Each leg holds margin by the leverage that the exchange has for it.
    const { leverage } = (await own()).settings;
    expect(leverage).toBeGreaterThan(13.5);
    expect(leverage).toBeLessThan(14);
    // What is left of it is outside as before.
    expect((await orphans()).map(({ symbol, unexplained }) => [symbol, unexplained])).toEqual([[PERPETUAL, '-0.001']]);
    expect(sent().length).toBe(before);
    // Somebody trades a part of it away, and back.
    const running = async () => (await call(hedge.list, { query: { current: '1' } })).data.list;
    const ours = async () => (await running()).find(({ id }) => id === data.hedgeId)!;
    expect((await ours()).taken).toBeUndefined();
    byHand(PERPETUAL, 'buy', '0.004');
    await answered('it is said', async () => (await ours()).taken?.includes('0.003 已被外部成交抵掉') ?? false);
    byHand(PERPETUAL, 'sell', '0.004');
    await answered('it is there again', async () => (await ours()).taken === undefined);
    expect((await call(hedge.close, { query: { id: data.hedgeId! } })).code).toBe(200);
    await answered('it is closed', async () => (await own()).hedge.state === 'closed');
    expect([there(FUTURE).toFixed(), there(PERPETUAL).toFixed()]).toEqual(['0', '-0.001']);
    const orders = sent().slice(before);
    expect(orders.map(({ symbol, side }) => `${side} ${symbol}`).sort()).toEqual([
      `buy ${PERPETUAL}`,
      `sell ${FUTURE}`,
    ]);
    expect(orders.every(({ reduceOnly }) => reduceOnly)).toBe(true);
    byHand(PERPETUAL, 'buy', '0.001');
    const { totals, list } = (await call(hedge.list, { query: { current: '1' } })).data;
    expect([totals.mode, totals.hedges, list.length]).toEqual(['live', 1, 1]);
  },
  6 * REAL_PATIENCE_MS,
);

test('after all of it, and after coin bought by hand for a fee in coin, the books have what the exchange has', async () => {
  const before = coin();
  byHand(SPOT, 'buy', '0.01');
  expect(coin().minus(before).lt('0.01')).toBe(true);
  const bought = async () =>
    (await db.select().from(tradeOrder).where(eq(tradeOrder.symbol, SPOT))).filter(
      ({ purpose }) => purpose === 'outside',
    );
  await answered('it is told', async () => (await bought()).length === 1);
  const { list } = (await call(venueAccount.list)).data;
  const accountId = list.find(({ mode }) => mode === 'live')!.id;
  const theirs = customer.walletOf('USDT').plus(customer.free.get('USDT') ?? 0);
  await answered('it is read', async () => {
    const { account } = (await call(accountApi.state, { query: { accountId } })).data;
    const usdt = account!.balances.find(({ asset }) => asset === 'USDT')?.total;
    return usdt != null && new Big(usdt).minus(theirs).abs().lt('0.00001');
  });
  const [found] = (await call(order.reconcile, { query: { userId: owner.userId } })).data.accounts;
  expect(found).toMatchObject({ verdict: 'agrees', unknown: [], findings: [] });
  const real = found!.money.filter(({ mode }) => mode === 'live');
  expect(real.map(({ what }) => what)).toEqual(expect.arrayContaining(['wallet', 'fee', 'funding']));
  expect(Number(real.find(({ what }) => what === 'wallet')?.venue)).toBeCloseTo(theirs.toNumber(), 6);
});
