import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import type { OrderExchange } from '#contract/candle';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { LiveOrders } from '#server/market/live/orders/liveOrders';
import { exchangeIdOf, ourIdOf } from '#server/market/live/orders/orderId';
import type { RealOrders } from '#server/market/live/orders/realExchange';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { type VenueOrder, VenueRefused } from '#server/market/venue';
import { wide as bybitWide } from '../../standin/bybit/names';
import type { Order } from '../../standin/core/account';
import type { RestFault } from '../../standin/core/faults';
import { wide } from '../../standin/okx/instruments';
import { answerOf as answer, liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

type Doubt = [string, RestFault, boolean];

/** OKX refuses a question whole, or what was asked for under its own code. */
const saidBy = (code: string, msg: string, status = 200) => answer(status, { code, msg, data: [] });
const refusedBy = (sCode: string, sMsg: string) =>
  answer(200, { code: '1', msg: 'All operations failed', data: [{ ordId: '', clOrdId: '', sCode, sMsg }] });

/** Bybit refuses with 200 whatever it was asked. */
const bybitSays = (retCode: number, retMsg: string, result: object = {}, status = 200) =>
  answer(status, { retCode, retMsg, result, retExtInfo: {}, time: Date.now() });

const db = await fileDatabase();
/** What exchanges say in words of their own. */
const PLACES = [
  {
    name: 'binance',
    live: await liveAccount(db, {}, 'binance'),
    ...{ numberOf: String, takesAll: false, banded: 'BTCUSDT' },
    ...{ place: /^POST \/fapi\/v1\/order$/, look: /^GET \/fapi\/v1\/order$/, take: /^DELETE \/fapi\/v1\/order$/ },
    noKey: answer(401, { code: -2015, msg: 'Invalid API-key, IP, or permissions.' }),
    unknown: answer(400, { code: -2013, msg: 'Order does not exist.' }),
    tooOften: { code: -1003, fault: answer(429, { code: -1003, msg: 'Too many requests.' }) },
    wrongTime: { code: -1021, jumpMs: 90_000 },
    wrongTimeIsSaidAt: -1021,
    // What is unfit to trade, and what it is refused for.
    small: ['belowMinNotional', { symbol: 'ADAUSDT_SPOT', quantity: '1', leverage: 1 }] as const,
    row: (theirs: Order, at: number, filled: string) => ({
      ...{ orderId: theirs.id, clientOrderId: theirs.clientId, updateTime: at, executedQty: filled },
      status: Number(filled) > 0 ? 'PARTIALLY_FILLED' : 'NEW',
    }),
    faults: [
      ['502', answer(502, {}), false],
      ['503 with -1000', answer(503, { code: -1000, msg: 'An unknown error' }), false],
      ['-1007', answer(408, { code: -1007, msg: 'Send status unknown; execution status unknown.' }), false],
      ['429', answer(429, { code: -1003, msg: 'Too many requests.' }), false],
      ['418', answer(418, { code: -1003, msg: 'Way too many requests.' }), false],
      ['too many orders', answer(429, { code: -1015, msg: 'Too many new orders.' }), false],
      [
        'a wrong time',
        answer(400, { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' }),
        false,
      ],
      ['a code that nobody knows', answer(400, { code: -9999, msg: 'something new' }), false],
    ] satisfies Doubt[],
  },
  {
    name: 'okx',
    live: await liveAccount(db, {}, 'okx'),
    ...{ numberOf: wide, takesAll: true, banded: 'BTCUSDT' },
    place: /^POST \/api\/v5\/trade\/order$/,
    look: /^GET \/api\/v5\/trade\/order$/,
    take: /^POST \/api\/v5\/trade\/cancel-order$/,
    noKey: saidBy('50119', "API key doesn't exist", 401),
    unknown: saidBy('51603', 'Order does not exist.'),
    tooOften: { code: 50011, fault: saidBy('50011', 'Too Many Requests', 429) },
    // It has to be so far from what was said when the order was signed.
    wrongTime: { code: 50102, jumpMs: 90_000 },
    wrongTimeIsSaidAt: 50036,
    small: ['belowMinNotional', { quantity: '0.0001' }] as const,
    row: (theirs: Order, at: number, filled: string) => ({
      ...{ code: '0', msg: '' },
      data: [
        {
          ...{ ordId: wide(theirs.id), clOrdId: theirs.clientId, uTime: String(at), ordType: 'post_only' },
          ...{ accFillSz: String(Number(filled) * 100), state: Number(filled) > 0 ? 'partially_filled' : 'live' },
        },
      ],
    }),
    faults: [
      ['502', answer(502, {}), false],
      ['503 with 50001', saidBy('50001', 'Service temporarily unavailable.', 503), false],
      ['50004', saidBy('50004', 'API endpoint request timeout.', 400), false],
      ['50013', saidBy('50013', 'Systems are busy.', 429), false],
      ['50026', saidBy('50026', 'System error.', 500), false],
      ['429', saidBy('50011', 'Too Many Requests', 429), false],
      ['a time that is over', refusedBy('50036', "The expTime can't be earlier than the current system time."), false],
      ['a code that nobody knows', refusedBy('59999', 'something new'), false],
    ] satisfies Doubt[],
  },
  {
    name: 'bybit',
    live: await liveAccount(db, {}, 'bybit'),
    // Of contracts it moves the price instead.
    ...{ numberOf: (id: number) => bybitWide(id, false), takesAll: true, banded: 'BTCUSDT_SPOT' },
    ...{ place: /^POST \/v5\/order\/create$/, look: /^GET \/v5\/order\/realtime$/, take: /^POST \/v5\/order\/cancel$/ },
    noKey: bybitSays(10003, 'API key is invalid.'),
    // Of what it does not know it answers with nothing.
    unknown: bybitSays(0, 'OK', { list: [], nextPageCursor: '' }),
    tooOften: { code: 10006, fault: bybitSays(10006, 'Too many visits!') },
    wrongTime: { code: 10002, jumpMs: 90_000 },
    wrongTimeIsSaidAt: 10002,
    small: ['belowMinNotional', { symbol: 'ADAUSDT_SPOT', quantity: '1', leverage: 1 }] as const,
    row: (theirs: Order, at: number, filled: string) => ({
      ...{ retCode: 0, retMsg: 'OK' },
      result: {
        list: [
          {
            ...{ orderId: bybitWide(theirs.id, false), orderLinkId: theirs.clientId, updatedTime: String(at) },
            ...{ cumExecQty: filled, orderStatus: Number(filled) > 0 ? 'PartiallyFilled' : 'New' },
          },
        ],
      },
    }),
    faults: [
      ['502', answer(502, {}), false],
      ['10000', bybitSays(10000, 'Server Timeout'), false],
      ['10016', bybitSays(10016, 'Server error.'), false],
      ['170007', bybitSays(170007, 'Timeout waiting for response from backend server.'), false],
      ['10006', bybitSays(10006, 'Too many visits!'), false],
      ['a wrong time', bybitSays(10002, 'invalid request, please check your server timestamp'), false],
      ['a code that nobody knows', bybitSays(199999, 'something new'), false],
    ] satisfies Doubt[],
  },
];

const thrownBy = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'nothing',
    (error) => error,
  );
const refusalOf = async (asked: Promise<unknown>) => {
  const error = await thrownBy(asked);
  return error instanceof VenueRefused ? error.reason : error;
};
test('one form of an id fits every exchange, tells ours from those of others and leads back to ours', () => {
  const ids = [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ...Array.from({ length: 500 }, () => randomUUID()),
  ];
  for (const id of ids) {
    const theirs = exchangeIdOf(id);
    // Okx takes letters and digits, gate 28 of them after its own beginning.
    expect(theirs).toMatch(/^[a-z][0-9a-z]{1,27}$/);
    expect(ourIdOf(theirs)).toBe(id);
  }
  for (const other of ['web_abc', 'x-xcKtGhcu0123456789', 'autoclose-1', `h${'z'.repeat(25)}`, '', 'adl_autoclose'])
    expect(ourIdOf(other)).toBeNull();
  expect(() => exchangeIdOf('venue-1')).toThrow(TypeError);
});

describe.each(PLACES)('at $name', ({ name, live, place, look, take, faults, small, row, unknown, ...said }) => {
  const { numberOf, takesAll, banded, noKey, tooOften, wrongTime, wrongTimeIsSaidAt } = said;
  const { exchange, customer, account, clock, priceOf, order, resting, there, wait, process } = live;
  let venue: Awaited<ReturnType<typeof process>>['venue'];
  beforeAll(async () => {
    ({ venue } = await process());
  });

  afterEach(async () => {
    exchange.faults.clear();
    customer.isHedged = false;
    // What an address may ask within a minute is not all used by one test file.
    wait(MINUTE_MS);
    ({ venue } = await process());
  });

  test('an order at the market is a limit at its protection price: what is not filled at once expires', async () => {
    const whole = order();
    const report = await venue.submit(whole);
    const theirs = there(whole)!;
    expect(report).toMatchObject({ state: 'filled', filledQuantity: expect.stringMatching(/^0\.010*$/) });
    expect(report).toMatchObject({ clientId: whole.clientId, exchangeId: numberOf(theirs.id) });
    expect(theirs).toMatchObject({ type: 'limit', timeInForce: 'IOC' });
    expect(theirs.price!.toFixed()).toBe(whole.limitPrice);
    expect(customer.leverage.get('BTCUSDT')).toBe(5);

    exchange.faults.fillShare = 0.4;
    const part = await venue.submit(order({ quantity: '0.1', leverage: 3 }));
    expect(part).toMatchObject({ state: 'expired', filledQuantity: expect.stringMatching(/^0\.040*$/) });
    expect(customer.leverage.get('BTCUSDT')).toBe(3);
    exchange.faults.fillShare = 1;
    const out = order({ side: 'sell', quantity: '0.05', reduceOnly: true });
    expect(await venue.submit(out)).toMatchObject({ state: 'filled' });
    expect(there(out)!.reduceOnly).toBe(true);
    expect(customer.positions.size).toBe(0);
  });

  test('spot is bought, sold and rested under the name that it has there', async () => {
    const symbol = 'BTCUSDT_SPOT';
    const bought = order({ symbol, leverage: 1 });
    expect(await venue.submit(bought)).toMatchObject({ state: 'filled' });
    expect(there(bought)).toMatchObject({ wallet: 'spot', timeInForce: 'IOC' });
    const rests = resting({ symbol, leverage: 1 });
    expect(await venue.submit(rests)).toMatchObject({
      state: 'open',
      filledQuantity: expect.stringMatching(/^0(\.0*)?$/),
    });
    // The answer to a cancel calls itself otherwise.
    expect((await venue.cancel(account, rests.clientId)).report).toMatchObject({
      ...{ clientId: rests.clientId, state: 'cancelled' },
    });
    expect(await venue.lookup(account, bought.clientId)).toMatchObject({ found: true, report: { state: 'filled' } });
    const tooMuch = order({ symbol, side: 'sell', quantity: '5', leverage: 1 });
    expect(await refusalOf(venue.submit(tooMuch))).toBe('insufficientBalance');
  });

  test.each<[string, Partial<VenueOrder>]>([
    ['wouldCross', { type: 'maker' }],
    ['wouldCross', { type: 'maker', symbol: 'BTCUSDT_SPOT', leverage: 1 }],
    ['nothingToReduce', { side: 'sell', reduceOnly: true }],
    ['insufficientMargin', { quantity: '50', leverage: 1 }],
    [...small],
    ['badStep', { quantity: '0.0100000001' }],
    ['unknownSymbol', { symbol: 'NOBODYUSDT' }],
    ['tooMuchLeverage', { leverage: 1_000 }],
  ])('%s is a refusal for certain', async (reason, over) => {
    const symbol = over.symbol === 'NOBODYUSDT' ? { limitPrice: '1' } : {};
    const refused = over.symbol === 'NOBODYUSDT' ? { ...order(), ...over, ...symbol } : order(over);
    expect(await refusalOf(venue.submit(refused))).toBe(reason);
    // What may only rest and cannot is taken and ended at once where it is not refused.
    const isTaken = takesAll && reason === 'wouldCross';
    expect(there(refused)).toEqual(isTaken ? expect.objectContaining({ endedBy: 'wouldTake' }) : undefined);
  });

  test.each([
    ['priceBand', () => resting({ symbol: banded, limitPrice: priceOf(banded, 1.4) })],
    ['twoWay', () => order(), () => (customer.isHedged = true)],
    ['suspended', () => order({ symbol: 'ETHUSDT', quantity: '0.1' }), () => exchange.faults.delisted.add('ETHUSDT')],
    ['notPermitted', () => order(), () => exchange.faults.next(place, noKey)],
    // It is not sent where even what comes before it has no answer.
    ['unreachable', () => order({ leverage: 7 }), () => exchange.faults.next(/leverage/, { kind: 'cut' })],
  ])(
    '%s is a refusal for certain of what the account or the market is like',
    async (reason, made, before = () => {}) => {
      before();
      const refused = made();
      expect(await refusalOf(venue.submit(refused))).toBe(reason);
      expect(there(refused)).toBeUndefined();
    },
  );

  test.each<Doubt>([
    ['no answer', { kind: 'noAnswer' }, true],
    ['a line that is cut', { kind: 'cut' }, true],
    ['an answer that is no JSON', { kind: 'garbled' }, true],
    ...faults,
    ['an answer about nothing', answer(200, {}), false],
  ])('after %s the order is in doubt until it is looked up, and is not sent again', async (_what, fault, isDone) => {
    const { venue: own, hurried } = await process();
    await own.submit(resting());
    const sent = resting();
    exchange.faults.next(place, fault);
    // Only where no answer comes somebody gives up.
    const submitted = () => thrownBy(own.submit(sent));
    const error = (await (fault.kind === 'noAnswer' ? hurried(submitted) : submitted())) as Error;
    expect(error).toMatchObject({ name: 'Unanswered' });
    expect(String(error)).not.toMatch(/order-key|signature|http/);
    expect(there(sent) !== undefined).toBe(isDone);
    // Who was asked too often is asked again when it says so.
    const asked = isDone ? own : (await process()).venue;
    const first = await asked.lookup(account, sent.clientId);
    if (isDone) expect(first).toMatchObject({ found: true, report: { state: 'open' } });
    else {
      // It might come yet.
      expect(first).toMatchObject({ found: false, covered: false });
      wait(20_000);
      expect(await asked.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: true });
      expect(there(sent)).toBeUndefined();
    }
  });

  test('an order that arrived is found long before its own answer is given up', async () => {
    const { venue: own } = await process();
    exchange.faults.next(place, { kind: 'noAnswer' });
    const sent = order();
    const { filledQuantity, ...report } = await own.submit(sent);
    expect(report).toMatchObject({ clientId: sent.clientId, state: 'filled' });
    expect(Number(filledQuantity)).toBe(there(sent)!.filled.toNumber());
  });

  test('an order that was asked about too often is not sent while the exchange refuses', async () => {
    const first = await venue.submit(resting());
    exchange.faults.next(look, tooOften.fault);
    await expect(venue.lookup(account, first.clientId)).rejects.toThrow(String(tooOften.code));
    const refused = resting();
    expect(await refusalOf(venue.submit(refused))).toBe('tooOften');
    expect(there(refused)).toBeUndefined();
  });

  test('what arrives after its sender gave up, in time, is found: nothing was vouched for before', async () => {
    const { venue: own, hurried } = await process();
    await own.submit(resting());
    const late = resting();
    const heldUp = exchange.faults.holdUp(place);
    expect(await hurried(() => thrownBy(own.submit(late)))).toMatchObject({ name: 'Unanswered' });
    expect(await venue.lookup(account, late.clientId)).toMatchObject({ found: false, covered: false });
    await heldUp.arrive();
    expect(await venue.lookup(account, late.clientId)).toMatchObject({ found: true, report: { state: 'open' } });
  });

  test('what arrives after it was vouched for is refused by the exchange', async () => {
    const { venue: own, hurried } = await process();
    await own.submit(resting());
    const late = resting();
    const heldUp = exchange.faults.holdUp(place);
    expect(await hurried(() => thrownBy(own.submit(late)))).toMatchObject({ name: 'Unanswered' });
    wait(12_000);
    expect(await venue.lookup(account, late.clientId)).toMatchObject({ found: false, covered: true });
    await heldUp.arrive();
    expect(there(late)).toBeUndefined();
  });

  if (customer.hasOneWallet)
    test('an order that was taken and is not told of yet is neither done nor vouched for', async () => {
      exchange.faults.lagMs = MINUTE_MS;
      const sent = order();
      expect(await venue.submit(sent)).toMatchObject({ state: 'open', filledQuantity: '0' });
      wait(20_000);
      expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: false });
      wait(MINUTE_MS);
      expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: true, report: { state: 'filled' } });
    });

  test('a clock that jumps refuses one request, and the next order goes', async () => {
    await venue.submit(resting());
    exchange.faults.clockAheadMs = wrongTime.jumpMs;
    const sent = resting();
    expect(await thrownBy(venue.submit(sent))).toMatchObject({ name: 'Unanswered', code: wrongTime.code });
    expect(await venue.submit(resting())).toMatchObject({ state: 'open' });
    // By the exchange's clock: ours would have to wait for longer, or not long enough.
    expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: true });
  });

  describe('with two processes', () => {
    test('what one found unsent the other never sends', async () => {
      const { venue: other } = await process();
      const sent = resting();
      expect(await other.lookup(account, sent.clientId, false)).toMatchObject({ found: false, covered: false });
      expect(await other.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: true });
      expect(await refusalOf(venue.submit(sent))).toBe('duplicateClientId');
      expect(there(sent)).toBeUndefined();
      expect(await other.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: true });
    });

    test('one that hangs between its row and the wire sends nothing that was vouched for', async () => {
      const { orders } = await process();
      const sent = resting();
      let isVouched: unknown;
      const hanging = new LiveOrders({
        db,
        exchange: REAL_EXCHANGES[name as OrderExchange],
        ordersOf: async () =>
          ({
            prepare: (wanted: VenueOrder) => orders.prepare(wanted),
            submit: async (wanted: VenueOrder, signedAt: number) => {
              wait(15_000);
              isVouched = await venue.lookup(account, sent.clientId);
              return orders.submit(wanted, signedAt);
            },
          }) as RealOrders,
      });
      expect(await thrownBy(hanging.submit(sent))).toMatchObject({ name: 'Unanswered', code: wrongTimeIsSaidAt });
      expect(isVouched).toMatchObject({ found: false, covered: true });
      expect(there(sent)).toBeUndefined();
    });

    test('an order that was sent is not sent by both', async () => {
      const { venue: other } = await process();
      const sent = resting();
      const outcomes = await Promise.all([venue, other].map((one) => refusalOf(one.submit(sent))));
      expect(outcomes.sort()).toEqual(['duplicateClientId', 'nothing']);
    });
  });

  test('a cancel tells what is left of the order; one that ended before stays as it was', async () => {
    const sent = resting();
    await venue.submit(sent);
    expect(await venue.cancel(account, sent.clientId)).toMatchObject({ report: { state: 'cancelled' } });
    expect(await venue.cancel(account, sent.clientId)).toMatchObject({ report: { state: 'cancelled' } });
    const byHand = resting();
    await venue.submit(byHand);
    exchange.trading.cancel(customer, there(byHand)!);
    expect(await venue.cancel(account, byHand.clientId)).toMatchObject({ report: { state: 'cancelled' } });
    const unknown = randomUUID();
    expect(await thrownBy(venue.cancel(account, unknown))).toMatchObject({ name: 'Unanswered' });
  });

  test('a cancel without an answer is in doubt, and a lookup tells what became of it', async () => {
    const { venue: own, hurried } = await process();
    const sent = resting();
    await own.submit(sent);
    exchange.faults.next(take, { kind: 'noAnswer' });
    const cancelled = () => thrownBy(own.cancel(account, sent.clientId));
    expect(await hurried(cancelled)).toMatchObject({ name: 'Unanswered' });
    expect(await own.lookup(account, sent.clientId)).toMatchObject({ found: true, report: { state: 'cancelled' } });
  });

  test('an answer from before does not take back what was told since', async () => {
    const sent = resting({ quantity: '0.1' });
    await venue.submit(sent);
    const theirs = there(sent)!;
    theirs.filled = new Big('0.04');
    exchange.faults.next(look, answer(200, row(theirs, clock(), '0.04')));
    exchange.faults.next(look, answer(200, row(theirs, clock(), '0.00')));
    exchange.faults.next(look, unknown);
    const partly = { found: true, report: { filledQuantity: '0.04', state: 'open' } };
    expect(await venue.lookup(account, sent.clientId)).toMatchObject(partly);
    expect(await venue.lookup(account, sent.clientId)).toMatchObject(partly);
    expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: false });
    await venue.cancel(account, sent.clientId);
    // Once it has ended nobody is asked any more.
    exchange.faults.next(look, answer(200, row(theirs, clock(), '0.04')));
    expect(await venue.lookup(account, sent.clientId)).toMatchObject({ report: { state: 'cancelled' } });
  });

  test('an order that rested and that the exchange forgets after days was cancelled', async () => {
    const sent = resting();
    await venue.submit(sent);
    wait(4 * DAY_MS);
    exchange.trading.cancel(customer, there(sent)!);
    exchange.faults.next(look, unknown);
    const found = await venue.lookup(account, sent.clientId);
    expect(found).toMatchObject({
      found: true,
      report: { state: 'cancelled', filledQuantity: expect.stringMatching(/^0/) },
    });
  });

  test('an order that is not found and that the exchange lists all the same rests, however old it is', async () => {
    // Nobody meets it.
    exchange.faults.fillShare = 0;
    const sent = resting();
    await venue.submit(sent);
    wait(4 * DAY_MS);
    exchange.faults.next(look, unknown);
    expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: false });
    // What was listed a moment ago and is not found now has not been forgotten.
    customer.orders.delete(there(sent)!.id);
    expect(await venue.lookup(account, sent.clientId)).toMatchObject({ found: false, covered: false });
  });

  test('who stops waits for no answer', async () => {
    const stop = new AbortController();
    const { venue: stopping } = await process({ signal: stop.signal });
    await stopping.submit(resting());
    exchange.faults.next(place, { kind: 'noAnswer' });
    const sent = stopping.submit(resting());
    setImmediate(() => stop.abort());
    expect(await thrownBy(sent)).toMatchObject({ name: 'Unanswered' });
  });
});
