import Big from 'big.js';
import { and, eq } from 'drizzle-orm';
import { liveSource, type OrderExchange } from '#contract/candle';
import { MINUTE_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { legsOf } from '#server/base/db/hedges/pairLegs';
import { tradeOrder } from '#server/base/db/schema';
import { ownDeal } from '#server/base/db/strategies/deal';
import { takingTerms } from '#server/base/db/strategies/singleTerms';
import { closableLegs, closeQuote } from '#server/desk/strategy/closeQuote';
import { openSingle } from '#server/desk/strategy/strategyIntents';
import { type VenueOrder, VenueRefused } from '#server/market/venue';
import { UserStreams } from '../../standin/binance/userStreams';
import { OwnStreams } from '../../standin/core/ownStreams';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyAt } from '../../support/badLine';
import { addPair } from '../../support/bookRows';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { type LiveProcessOptions, liveProcess } from '../../support/liveProcess';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
const PAIR = { long: 'BTCUSDT', short: 'ETHUSDT' };
/** Nothing but a person closes it. */
const SETTINGS = { stopLoss: null, takeProfit: null, rebalance: null, dailyLossLimit: null };

/** An account, and the line to its exchange. */
async function world(name: OrderExchange) {
  const db = await fileDatabase();
  const owner = await liveAccount(db, { ...SETTINGS, source: liveSource(name) }, name);
  const line = await badLineTo(owner.url, onlyAt[name](...Object.values(PAIR)));
  atEnd(() => line.close());
  return { name, db, owner, line };
}
/** Whether somebody listens to what happens to futures at binance: spot has a connection of its own there, and may be asked for twice before. */
function connected() {
  const connecting = jest.spyOn(UserStreams.prototype, 'connect');
  return { isSo: () => connecting.mock.calls.length > 0, end: () => connecting.mockRestore() };
}
/** The same at OKX: it says so itself. */
function subscribed() {
  let isSo = false;
  const { serve } = OwnStreams.prototype;
  const serving = jest.spyOn(OwnStreams.prototype, 'serve').mockImplementation(function (this: OwnStreams, connection) {
    const send = (message: unknown) => {
      isSo ||= (message as { event?: string }).event === 'subscribe';
      connection.send(message);
    };
    serve.call(this, { ...connection, send });
  });
  return { isSo: () => isSo, end: () => serving.mockRestore() };
}

/** What is asked of exchanges. */
const AT = [
  {
    ...{ ...(await world('binance')), listened: connected },
    ...{ place: /^POST \/fapi\/v1\/order$/, look: /^GET \/fapi\/v1\/order$/, rights: /apiRestrictions/ },
    ...{ money: /income/, reads: /(income|v3\/account)$/ },
  },
  {
    ...{ ...(await world('okx')), listened: subscribed },
    ...{ place: /^POST \/api\/v5\/trade\/order$/, look: /^GET \/api\/v5\/trade\/order$/, rights: /trade-fee/ },
    ...{ money: /account\/bills/, reads: /account\/(bills|balance)$/ },
  },
];

describe.each(AT)('at $name', ({ db, owner, line, listened, place, look, rights, money, reads }) => {
  const { source, exchange, customer, account, clock, order, priceOf, resting, there, userId, wait } = owner;
  const processOf = (options: LiveProcessOptions = {}) => liveProcess(db, owner, line.url, options);
  type Process = Awaited<ReturnType<typeof processOf>>;

  let first: Process;
  const deal = async () => (await first.desk.hedges()).at(-1)!;
  const isState = (state: string) => async () => (await deal())?.state === state;
  const refusalOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'nothing',
      (error) => (error instanceof VenueRefused ? error.reason : error),
    );
  /** The same; what is not answered in time is asked again. */
  async function refusalNamed(reason: string, ask: () => Promise<unknown>) {
    let refusal = await refusalOf(ask());
    for (let again = 0; again < 5 && refusal === 'unreachable' && reason !== refusal; again += 1)
      refusal = await refusalOf(ask());
    return refusal;
  }
  /** Orders of ours that the exchange took. */
  const sent = () => [...customer.orders.values()].filter(({ clientId }) => clientId.startsWith('h'));

  beforeAll(async () => {
    first = await processOf();
  });
  afterAll(() => first.end());
  afterEach(() => {
    exchange.faults.clear();
    customer.isHedged = false;
    for (const symbol of customer.isolated) customer.positions.delete(symbol);
    customer.isolated.clear();
    owner.key.canWithdraw = false;
    owner.key.addresses = ['127.0.0.1'];
    // What a customer may ask within two seconds is not all used by one test.
    wait(2_500);
  });

  test.each<[string, () => void]>([
    ['openKey', () => (owner.key.addresses = [])],
    ['mayWithdraw', () => (owner.key.canWithdraw = true)],
    ['notPermitted', () => (owner.key.addresses = ['203.0.113.7'])],
    ['twoWay', () => (customer.isHedged = true)],
    [
      'isolated',
      () => {
        customer.isolated.add('ETHUSDT');
        // What is held says it where each order does.
        if (customer.hasOneWallet) customer.trade('ETHUSDT', new Big(1), new Big(1), clock(), null);
      },
    ],
    ['unreachable', () => exchange.faults.next(rights, { kind: 'cut' }, 9)],
  ])('an account is not opened, nor added to, where it is %s', async (reason, set) => {
    set();
    const key = await owner.keyRecord();
    expect(await refusalNamed(reason, () => first.real.opening(account, key))).toBe(reason);
    const refused = resting();
    expect(await refusalNamed(reason, () => first.real.submit(refused))).toBe(reason);
    expect(there(refused)).toBeUndefined();
    expect(await first.venue.events(account, 0)).toEqual([]);
  });

  test('a hedge opens with real orders: what the exchange filled is what the deal holds', async () => {
    await first.venue.open(owner.paperAccount, '50000');
    await (await first.real.opening(account, await owner.keyRecord())).write(db);
    await addPair(db, { userId, ...PAIR, source, createdAt: clock(), armedAt: clock() });
    await first.until('it is open', isState('open'));
    const { longQuantity, shortQuantity } = await deal();
    expect(new Big(longQuantity).eq(customer.positionOf('BTCUSDT'))).toBe(true);
    expect(new Big(shortQuantity).eq(customer.positionOf('ETHUSDT'))).toBe(true);
    expect(sent().length).toBe((await first.desk.orders()).length);
    expect(await first.venue.positions(owner.paperAccount)).toEqual([]);
    expect(await first.findings()).toEqual([]);
  });

  const sellByHand = (clientId: string) =>
    exchange.trading.place(customer, {
      ...{ symbol: 'BTCUSDT', wallet: 'derivatives', clientId, side: 'sell', type: 'market' },
      ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.004'), reduceOnly: false },
    });

  test("what somebody trades by hand is nobody's, and the deal closes no more than is there", async () => {
    const held = await deal();
    sellByHand('web_manual');
    const outside = () =>
      db
        .select()
        .from(tradeOrder)
        .where(and(eq(tradeOrder.userId, userId), eq(tradeOrder.purpose, 'outside')));
    // The account is asked about every ten seconds while nothing is expected.
    wait(11_000);
    await first.until('it is told', async () => (await outside()).length > 0);
    expect(await outside()).toMatchObject([{ dealId: null, symbol: 'BTCUSDT', side: 'sell' }]);
    const { longQuantity, shortQuantity, frozen } = await deal();
    expect([longQuantity, shortQuantity, frozen]).toEqual([held.longQuantity, held.shortQuantity, null]);
    // So it is told before it is closed.
    const columns = (await ownDeal(db, userId, held.id))!;
    const needs = { db, markets: first.markets, venue: first.venue };
    const { legs } = await closeQuote(needs, columns, { closable: await closableLegs(needs, columns) });
    const [long] = legs;
    expect(long).toMatchObject({ symbol: 'BTCUSDT', gone: '0.004', left: '0' });
    expect(new Big(long!.quantity).plus('0.004').toFixed()).toBe(held.longQuantity);
    await first.desk.close(held.id);
    await first.until('it is closed', isState('closed'));
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) expect(customer.positionOf(symbol).toFixed()).toBe('0');
    const exits = (await first.desk.orders()).filter(({ purpose }) => purpose === 'exit');
    expect(exits.every(({ reduceOnly }) => reduceOnly)).toBe(true);
    expect(await first.findings()).toEqual([]);
  });

  test('what was traded by hand is taken over without an order: as much as the exchange has, and flat once it is closed', async () => {
    sellByHand('web_again');
    exchange.trading.place(customer, {
      ...{ symbol: 'ETHUSDT', wallet: 'derivatives', clientId: 'web_other', side: 'buy', type: 'market' },
      ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.1'), reduceOnly: false },
    });
    wait(11_000);
    const outside = () => db.select().from(tradeOrder).where(eq(tradeOrder.purpose, 'outside'));
    await first.until('it is told', async () => (await outside()).some(({ symbol }) => symbol === 'ETHUSDT'));
    const before = sent().length;
    const quantity = { long: '0.1', short: '0.004' };
    const params = { ...DEFAULT_SETTINGS, ...SETTINGS, source, maxHoldingHours: null };
    const plan = { name: '接管', mode: 'live' as const, params };
    const targets = [legsOf({ source, long: 'ETHUSDT', short: 'BTCUSDT' })];
    const terms = takingTerms({ accountId: account, quantity }, clock() + MINUTE_MS);
    const asker = { user: { id: userId, name: 'owner' }, now: clock() };
    await db.transaction((tx) => openSingle(tx, asker, 'hedge', { ...plan, targets }, terms));
    await first.until('it is taken over', async () => (await deal()).long === 'ETHUSDT' && (await isState('open')()));
    expect(sent().length).toBe(before);
    const { id, longQuantity, shortQuantity, mode } = await deal();
    expect([mode, longQuantity, shortQuantity]).toEqual(['live', '0.1', '-0.004']);
    expect(await first.findings()).toEqual([]);
    await first.desk.close(id);
    await first.until('it is closed', isState('closed'));
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) expect(customer.positionOf(symbol).toFixed()).toBe('0');
    expect(await first.findings()).toEqual([]);
  });

  test('an order without an answer is not sent again, also by who takes over: it is found, and the hedge opens', async () => {
    await db.execute('update target set removed_at = 1');
    const before = sent().length;
    exchange.faults.next(place, { kind: 'cut' });
    exchange.faults.next(look, { kind: 'cut' }, 99);
    await addPair(db, { userId, ...PAIR, source, createdAt: clock(), armedAt: clock() });
    await first.desk.engine.wake(userId);
    await first.until('something is in doubt', async () =>
      (await first.desk.orders()).some(({ state }) => state === 'inDoubt'),
    );
    await first.end();
    exchange.faults.clear();
    first = await processOf();
    await first.until('it is open', isState('open'));
    const ours = (await first.desk.orders()).filter(({ dealId, purpose }) => dealId !== null && purpose !== 'outside');
    expect(sent().length).toBe(ours.length);
    expect(sent().length).toBeGreaterThan(before);
    expect(await first.findings()).toEqual([]);
  });

  test('margin, positions and what is settled are told by the exchange, and a silent one is never taken for flat', async () => {
    const { equity, marginBalance, spendable } = await first.venue.margin(account);
    const { balance } = exchange.trading.margin(customer);
    expect(Math.abs(Number(marginBalance) - Number(balance))).toBeLessThan(50);
    // Of one wallet for all what contracts leave may be spent, and is equity once.
    const beside = customer.hasOneWallet ? '0' : customer.freeOf('USDT').toFixed();
    expect(new Big(equity).minus(marginBalance).toFixed()).toBe(beside);
    const free = customer.hasOneWallet ? exchange.trading.spendable(customer, 'USDT') : customer.freeOf('USDT');
    expect(Math.abs(Number(spendable) - Number(free))).toBeLessThan(customer.hasOneWallet ? 50 : 1e-9);
    const positions = await first.venue.positions(account);
    for (const symbol of ['BTCUSDT', 'ETHUSDT'])
      expect(positions.find((one) => one.symbol === symbol)!.quantity).toBe(customer.positionOf(symbol).toFixed());
    expect(await first.venue.settled(account, source)).toBeGreaterThan(0);
    exchange.faults.isRestDown = true;
    await expect(first.venue.positions(account)).rejects.toThrow();
    await expect(first.venue.settled(account, source)).rejects.toThrow();
    await expect(first.venue.margin(account)).rejects.toThrow();
  });

  test('where an account cannot be read for a minute nothing is opened in it, and nothing else of the book waits for it', async () => {
    await first.until('it is read', async () => (await first.real.tend(account)) === null);
    exchange.faults.next(reads, answerOf(502, {}), 999);
    first.troubles.splice(0);
    const failed = () => first.desk.troubles.length;
    const before = failed();
    wait(MINUTE_MS);
    await first.until('it is not read', () => first.troubles.length > 0);
    wait(2 * MINUTE_MS);
    await first.until('it says so', async () => (await first.real.tend(account)) === 'journalBehind');
    for (let i = 0; i < 3; i += 1) {
      // Often enough that what the account is worth would be told.
      wait(10_000);
      await first.desk.engine.tick();
    }
    expect(failed()).toBe(before);
    expect((await deal()).state).toBe('open');
    exchange.faults.clear();
    await first.until('it is read again', async () => (await first.real.tend(account)) === null);
  });

  test('what an account may hold together is limited, with what is on its way; what takes away always goes', async () => {
    const held = [...customer.positions.values()].reduce((sum, { cost }) => sum.plus(cost.abs()), new Big(0));
    await first.end();
    first = await processOf({ maxNotional: held.plus(1_000).toFixed() });
    const some = (over: Partial<VenueOrder> = {}) => resting({ quantity: '0.008', ...over });
    const both = [some(), some()];
    const outcomes = await Promise.all(both.map((one) => refusalOf(first.venue.submit(one))));
    expect(outcomes.sort()).toEqual(['nothing', 'overCap']);
    expect(both.filter((one) => there(one) !== undefined)).toHaveLength(1);
    const out = order({ side: 'sell', quantity: '0.001', reduceOnly: true });
    expect(await refusalOf(first.venue.submit(out))).toBe('nothing');
    const [rests] = both.filter((one) => there(one) !== undefined);
    await first.venue.cancel(account, rests!.clientId);
    // What was just filled counts once, whether it is written or not.
    const filled = () => order({ quantity: '0.004' });
    expect(await refusalOf(first.venue.submit(filled()))).toBe('nothing');
    expect(await refusalOf(first.venue.submit(filled()))).toBe('nothing');
    expect(await refusalOf(first.venue.submit(filled()))).toBe('overCap');
    await waitFor('it is written', PATIENCE_MS, async () => {
      const events = await first.venue.events(account, 0);
      return events.filter((event) => event.kind === 'fill' && event.quantity === '0.004').length > 1;
    });
    expect(await refusalOf(first.venue.submit(filled()))).toBe('overCap');
    // An order that closes more than there is holds less than before, whatever it is called.
    expect(await refusalOf(first.venue.submit(order({ side: 'sell', quantity: '0.008' })))).toBe('nothing');
  });

  describe('what is streamed', () => {
    const fills = async () => (await first.venue.events(account, 0)).filter(({ kind }) => kind === 'fill');
    /** An order that rests, and that somebody meets then. */
    async function met(meanwhile: () => void): Promise<VenueOrder> {
      await waitFor('prices', PATIENCE_MS, async () => (await first.venue.quote(source, 'BTCUSDT')) !== undefined);
      const sent = resting({ quantity: '0.002', side: 'buy' });
      await first.venue.submit(sent);
      meanwhile();
      there(sent)!.price = new Big(priceOf('BTCUSDT', 1.05));
      await waitFor('it is met', PATIENCE_MS, () => there(sent)!.state === 'filled');
      return sent;
    }
    const written = async ({ clientId }: VenueOrder) =>
      (await fills()).filter((event) => 'clientId' in event && event.clientId === clientId).length;
    const theirs = (of: VenueOrder) => customer.fills.filter(({ order: own }) => own === there(of)).length;

    test('has a fill of a resting order read at once, and once, however often and in which order it is told', async () => {
      await first.end();
      const { isSo, end } = listened();
      first = await processOf();
      await waitFor('it listens', PATIENCE_MS, async () => {
        await fills();
        return isSo();
      });
      end();
      await first.real.idle();
      const sent = await met(() => {
        // Whatever is read beside what is heard has no answer.
        exchange.faults.next(money, { kind: 'cut' }, 999);
        exchange.faults.onStream = (messages) => [...messages, ...messages].reverse();
      });
      await waitFor('it is written', PATIENCE_MS, async () => (await written(sent)) > 0).catch((error: Error) => {
        throw new Error(`${error.message}; ${first.troubles.slice(-5).join(', ')}`);
      });
      await first.real.idle();
      expect(await written(sent)).toBe(theirs(sent));
    });

    test.each([
      ['ended without a word', () => (exchange.faults.onStream = () => [])],
      ['was cut', () => (exchange.faults.areStreamsDown = true)],
    ])('is not needed: where it %s, the fill is found by asking', async (_what, end) => {
      const sent = await met(end);
      wait(11_000);
      await waitFor('it is written', PATIENCE_MS, async () => (await written(sent)) > 0);
      await first.real.idle();
      expect(await written(sent)).toBe(theirs(sent));
    });
  });

  const whereItIsToldLater = customer.hasOneWallet ? test : () => undefined;
  whereItIsToldLater('what is told later than it happened is waited for, and nothing is sent twice', async () => {
    await first.desk.close((await deal()).id);
    await first.until('the one before is closed', isState('closed'));
    const others = Object.values(PAIR).map((symbol) => customer.positionOf(symbol));
    /** What is held beside what others do. */
    const held = () => Object.values(PAIR).map((symbol, i) => customer.positionOf(symbol).minus(others[i]!).toFixed());
    await db.execute('update target set removed_at = 1');
    exchange.faults.lagMs = 1_500;
    const before = new Set(sent().map(({ id }) => id));
    await addPair(db, { userId, ...PAIR, source, createdAt: clock(), armedAt: clock() });
    await first.desk.engine.wake(userId);
    await first.until('it is open', isState('open'));
    const { id, longQuantity, shortQuantity } = await deal();
    expect(held()).toEqual([longQuantity, shortQuantity].map((quantity) => new Big(quantity).toFixed()));
    const fresh = sent().filter((one) => !before.has(one.id));
    const ours = (await first.desk.orders()).filter(({ dealId }) => dealId === id);
    expect(fresh).toHaveLength(ours.length);
    await first.desk.close(id);
    await first.until('it is closed', isState('closed'));
    expect(held()).toEqual(['0', '0']);
    expect(await first.findings()).toEqual([]);
  });

  test('by a key of another account nothing is sent, read or booked', async () => {
    const before = await first.venue.events(account, 0);
    await first.end();
    first = await processOf({ uid: customer.uid + 1 });
    await first.until('it says so', async () => (await first.real.tend(account)) === 'keyRefused');
    const refused = resting();
    expect(await refusalOf(first.venue.submit(refused))).toBe('otherAccount');
    expect(there(refused)).toBeUndefined();
    expect(await refusalOf(first.venue.positions(account))).toBe('otherAccount');
    expect(await first.venue.events(account, 0)).toEqual(before);
  });

  test('what is real is not moved by paper', async () => {
    expect(await refusalOf(first.venue.move(account, { moveId: '1', amount: '5' }))).toBe('notPermitted');
  });
});
