import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { openJournal } from '#server/base/db/accounts/liveJournal';
import { exchangeIdOf } from '#server/market/live/orders/orderId';
import { UserStream } from '#server/market/live/orders/userStream';
import { type VenueEvent, type VenueFill, type VenueOrder, VenueRefused } from '#server/market/venue';
import { cashAt, cashOf } from '../../support/journalCash';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const db = await fileDatabase();
const live = await liveAccount(db, {}, 'gate');
const { exchange, customer, account, wait, process, order, resting, there, priceOf } = live;
const SPOT = { symbol: 'BTCUSDT_SPOT', leverage: 1 };

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'nothing',
    (error) => (error instanceof VenueRefused ? error.reason : error),
  );
const labelled = (label: string, message = '') => answerOf(400, { label, message });

type Process = Awaited<ReturnType<typeof process>>;
let [venue, journal, orders] = [] as unknown as [Process['venue'], Process['journal'], Process['orders']];
beforeEach(async () => {
  ({ venue, journal, orders } = await process());
});
afterEach(() => {
  exchange.faults.clear();
  // What a customer may ask within a while is not all used by one test file.
  wait(MINUTE_MS);
});

describe('orders', () => {
  test('a perpetual is sent in contracts, below zero where it is sold, and reported in coin', async () => {
    const bought = order();
    expect(await venue.submit(bought)).toMatchObject({ state: 'filled', filledQuantity: '0.01' });
    const name = `t-${exchangeIdOf(bought.clientId)}`;
    expect(there(bought)).toMatchObject({ clientId: name, type: 'limit', timeInForce: 'IOC' });
    expect(there(bought)!.price!.toFixed()).toBe(bought.limitPrice);
    expect(customer.leverage.get('BTCUSDT')).toBe(5);
    exchange.faults.fillShare = 0.4;
    const part = order({ side: 'sell', quantity: '0.1', leverage: 3 });
    expect(await venue.submit(part)).toMatchObject({ state: 'expired', filledQuantity: '0.04' });
    exchange.faults.fillShare = 1;
    const out = order({ quantity: '0.05', reduceOnly: true });
    expect(await venue.submit(out)).toMatchObject({ state: 'expired', filledQuantity: '0.03' });
    expect(there(out)!.reduceOnly).toBe(true);
    expect(customer.positions.size).toBe(0);
  });

  test('what ended is found: of spot, whose names are known while it rests, among the orders that ended', async () => {
    const bought = order(SPOT);
    expect(await venue.submit(bought)).toMatchObject({ state: 'filled', filledQuantity: '0.01' });
    const rests = resting(SPOT);
    expect(await venue.submit(rests)).toMatchObject({ state: 'open', filledQuantity: '0' });
    expect((await venue.cancel(account, rests.clientId)).report).toMatchObject({ state: 'cancelled' });
    const place = { clientId: bought.clientId, symbol: SPOT.symbol, signedAt: live.clock() - MINUTE_MS };
    expect(await orders.find(place)).toMatchObject({ state: 'filled', filledQuantity: '0.01' });
    // Another hand was quicker.
    expect(await orders.cancel({ ...place, clientId: rests.clientId })).toMatchObject({ state: 'cancelled' });
    expect(await orders.find({ ...place, clientId: randomUUID() })).toBeNull();
    const perpetual = resting();
    await venue.submit(perpetual);
    exchange.trading.cancel(customer, there(perpetual)!);
    wait(2 * MINUTE_MS);
    const found = orders.find({ ...place, clientId: perpetual.clientId, symbol: 'BTCUSDT' });
    expect(await found).toMatchObject({ state: 'cancelled', filledQuantity: '0' });
  });

  test('what comes after its time is not taken, and what has no answer is looked up', async () => {
    const late = order();
    const signedAt = (await orders.prepare(late)) - 6 * SECOND_MS;
    await expect(orders.submit(late, signedAt)).rejects.toMatchObject({ code: 'REQUEST_EXPIRED' });
    expect(there(late)).toBeUndefined();
    for (const over of [{}, SPOT]) {
      const { venue: own, hurried } = await process();
      await own.submit(order(over));
      const sent = order(over);
      exchange.faults.next(/^POST .*\/orders$/, { kind: 'noAnswer' });
      await expect(hurried(() => own.submit(sent))).rejects.toThrow('no answer');
      expect(await own.lookup(account, sent.clientId)).toMatchObject({ found: true, report: { state: 'filled' } });
    }
  });

  test.each<[string, Partial<VenueOrder>]>([
    ['wouldCross', { type: 'maker' }],
    ['nothingToReduce', { symbol: 'ETHUSDT', side: 'sell', quantity: '0.1', reduceOnly: true }],
    ['insufficientMargin', { quantity: '50', leverage: 1 }],
    ['insufficientBalance', { ...SPOT, side: 'sell', quantity: '5' }],
    ['belowMinNotional', { symbol: 'ADAUSDT_SPOT', quantity: '1', leverage: 1 }],
    ['badStep', { quantity: '0.0100000001' }],
    ['tooMuchLeverage', { leverage: 1_000 }],
    ['noDeadline', { symbol: 'BTCUSDT_261225' }],
    ['priceBand', { type: 'maker', limitPrice: priceOf('BTCUSDT', 0.5) }],
  ])('%s is a refusal for certain', async (reason, over) => {
    const refused = order(over);
    expect(await refusalOf(venue.submit(refused))).toBe(reason);
    expect(there(refused)).toBeUndefined();
  });

  test.each([
    ['unknownSymbol', labelled('CONTRACT_NOT_FOUND')],
    ['suspended', labelled('CONTRACT_IN_DELISTING')],
    ['notPermitted', answerOf(403, { label: 'READ_ONLY', message: 'API key is read-only' })],
    ['noLiquidity', labelled('CONTRACT_NO_COUNTER')],
    ['badStep', labelled('INVALID_PARAM_VALUE', 'invalid argument: size')],
    ['rejected', labelled('INVALID_PARAM_VALUE', 'invalid argument: text')],
  ])('%s is told by its label, and by its words where one stands for many things', async (reason, fault) => {
    exchange.faults.next(/^POST .*\/orders$/, fault);
    expect(await refusalOf(venue.submit(order()))).toBe(reason);
  });

  test.each([
    ['SERVER_ERROR', answerOf(500, { label: 'SERVER_ERROR', message: '' })],
    ['TOO_MANY_REQUESTS', answerOf(429, { label: 'TOO_MANY_REQUESTS', message: '' })],
    ['SOMETHING_NEW', labelled('SOMETHING_NEW')],
  ])('%s says nothing of the order', async (code, fault) => {
    const sent = order();
    exchange.faults.next(/^POST .*\/orders$/, fault);
    expect(await refusalOf(venue.submit(sent))).toMatchObject({ name: 'Unanswered', code });
  });

  test('one countdown is of all perpetuals, and is taken back', async () => {
    const rests = resting();
    await venue.submit(rests);
    await orders.countDown('', MINUTE_MS);
    expect(customer.cancelsAt.size).toBe(1);
    await orders.countDown('', 0);
    expect(customer.cancelsAt.size).toBe(0);
    await orders.countDown('', 5 * SECOND_MS);
    wait(6 * SECOND_MS);
    await waitFor('it is cancelled', 60_000, () => there(rests)!.state === 'cancelled');
    const found = await (await process()).venue.lookup(account, rests.clientId);
    expect(found).toMatchObject({ found: true, report: { state: 'cancelled', filledQuantity: '0' } });
  });
});

/** What somebody does by hand on the same account. */
const byHand = (symbol: string, side: 'buy' | 'sell', quantity: string) =>
  exchange.trading.place(customer, {
    ...{ symbol, wallet: symbol.endsWith('_SPOT') ? 'spot' : 'derivatives', clientId: 'web', side, type: 'market' },
    ...{ timeInForce: 'IOC', price: null, quantity: new Big(quantity), reduceOnly: false },
  });

test('streams of both wallets are signed, and tell whose orders moved', async () => {
  const ending = new AbortController();
  const line = await live.line({ signal: ending.signal });
  const heard = new Set<string>();
  await line.uid();
  new UserStream({ line, onHeard: (symbol) => heard.add(symbol) });
  // Nobody tells when they are listened to.
  const isHeard = () => {
    byHand('SOLUSDT', 'buy', '0.1');
    byHand('ETHUSDT_SPOT', 'buy', '0.01');
    return heard.has('SOLUSDT') && heard.has('ETHUSDT_SPOT');
  };
  await waitFor('both are heard', 60_000, isHeard, 250);
  ending.abort();
});

describe('records', () => {
  let seen = 0;
  /** What is new since the last look; money is right to the last digit. */
  async function readOn(): Promise<VenueEvent[]> {
    await journal.read(account);
    const events = await journal.events(account, 0);
    expect(cashOf(events)).toBe(cashAt(customer));
    const fresh = events.slice(seen);
    seen = events.length;
    return fresh;
  }
  const fillsOf = (events: VenueEvent[]) => events.filter((event): event is VenueFill => event.kind === 'fill');
  beforeAll(async () => {
    ({ journal } = await process());
    byHand('ETHUSDT', 'sell', '0.5');
    const { since, events } = await journal.found(account);
    await openJournal(db, { accountId: account, since }, events);
    const sold = { kind: 'fill', symbol: 'ETHUSDT', side: 'sell', quantity: '0.5', isOutside: true };
    expect(await readOn()).toContainEqual(expect.objectContaining(sold));
  });

  test('trades of both wallets are told under our id, in coin, with their fees', async () => {
    const sent = [order(), order(SPOT), order({ ...SPOT, side: 'sell', quantity: '0.005' })];
    for (const one of sent) await venue.submit(one);
    const fills = fillsOf(await readOn());
    for (const one of sent) {
      const theirs = customer.fills.filter((fill) => fill.order === there(one));
      const ours = fills.filter(({ clientId }) => clientId === one.clientId);
      expect(ours.map(({ price, quantity }) => [price, quantity])).toEqual(
        theirs.map(({ price, quantity }) => [price.toFixed(), quantity.toFixed()]),
      );
      const isCoin = one.symbol === SPOT.symbol && one.side === 'buy';
      expect(ours[0]!.feeInBase).toBe(isCoin ? theirs[0]!.fee.toFixed() : undefined);
    }
    expect(await readOn()).toEqual([]);
  });

  test('a fee in GT counts as what it was worth, and no USDT has gone', async () => {
    const { market } = exchange;
    const listed = market.listed.bind(market);
    market.listed = (symbol, at) => listed(symbol === 'GTUSDT' ? 'BNBUSDT' : symbol, at);
    customer.deposit('spot', 'GT', '5');
    customer.feeAsset = 'GT';
    exchange.faults.next(/candlesticks/, answerOf(200, [['1', '1', '8', '8', '8', '8', '1', 'true']]));
    const sent = order(SPOT);
    await venue.submit(sent);
    customer.feeAsset = null;
    const [row] = customer.fills.filter((fill) => fill.order === there(sent));
    const events = await readOn();
    expect(fillsOf(events)[0]).toMatchObject({ feePaid: { asset: 'GT', amount: row!.fee.toFixed() } });
    expect(events.filter(({ kind }) => kind === 'transfer')).toMatchObject([{ amount: row!.fee.times(8).toFixed() }]);
  });

  test('what others do is outside, and what Gate closes by itself is forced', async () => {
    byHand('SOLUSDT', 'buy', '3');
    expect(fillsOf(await readOn())).toMatchObject([{ symbol: 'SOLUSDT', clientId: null, isOutside: true }]);
    exchange.trading.force(customer, 'SOLUSDT', 'adl', 0.5);
    exchange.trading.force(customer, 'SOLUSDT', 'liquidation', 1);
    const forced = fillsOf(await readOn()).map(({ forced, isOutside }) => [forced, isOutside]);
    expect(new Set(forced)).toEqual(
      new Set([
        ['adl', undefined],
        ['liquidation', undefined],
      ]),
    );
  });

  test('money between the own wallets is none from outside; a deposit is, a bonus is a part of the result', async () => {
    exchange.trading.transfer(customer, 'USDT', new Big(500), 'derivatives');
    exchange.trading.transfer(customer, 'USDT', new Big('0.5'), 'spot');
    expect(await readOn()).toEqual([]);
    for (const [i, kind] of (['transfer', 'insurance'] as const).entries()) {
      const amount = new Big(i === 0 ? '12.5' : '2.5');
      customer.deposit('derivatives', 'USDT', amount.toFixed());
      customer.income.push({
        id: 900_000 + i,
        kind,
        amount,
        symbol: '',
        asset: 'USDT',
        at: exchange.now(),
        fill: null,
      });
    }
    const told = (await readOn()).map((event) => [event.kind, 'amount' in event && event.amount]);
    expect(new Set(told)).toEqual(
      new Set([
        ['transfer', '12.5'],
        ['bailout', '2.5'],
      ]),
    );
  });

  test('a settlement is told with its rate and what was held', async () => {
    const held = await journal.heldThen(account);
    const before = customer.income.length;
    // No further than the next one: the stand-in settles one after the other.
    wait(7 * HOUR_MS);
    const paid = () => customer.income.slice(before).filter(({ kind }) => kind === 'funding');
    await waitFor('both are settled', 60_000, () => new Set(paid().map(({ symbol }) => symbol)).size === 2);
    ({ journal } = await process());
    const told = (await readOn()).filter((event) => event.kind === 'funding');
    const sums = (rows: { symbol: string; amount: string | Big }[]) =>
      new Set(rows.map(({ symbol, amount }) => `${symbol} ${amount}`));
    expect(sums(told)).toEqual(sums(paid()));
    for (const { symbol, quantity } of told) expect(quantity).toBe(held.get(symbol));
    expect(await readOn()).toEqual([]);
  });
});
