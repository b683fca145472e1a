import { jest } from '@jest/globals';
import Big from 'big.js';
import { and, eq } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/duration';
import { tradeOrder } from '#server/base/db/schema';
import { type VenueOrder, VenueRefused } from '#server/market/venue';
import { UserStreams } from '../../standin/binance/userStreams';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { addPair } from '../../support/bookRows';
import { answerOf, LIVE_SOURCE, liveAccount } from '../../support/liveAccount';
import { type LiveProcessOptions, liveProcess } from '../../support/liveProcess';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
const PLACES = { source: LIVE_SOURCE, long: 'BTCUSDT', short: 'ETHUSDT' };
/** Nothing but a person closes it. */
const SETTINGS = { source: LIVE_SOURCE, stopLoss: null, takeProfit: null, rebalance: null, dailyLossLimit: null };

const db = await fileDatabase();
const owner = await liveAccount(db, SETTINGS);
const { exchange, customer, account, clock, order, priceOf, resting, there, userId, url, wait } = owner;
const line = await badLineTo(url, onlyBinance('BTCUSDT', 'ETHUSDT'));
atEnd(() => line.close());

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
/** Orders of ours that the exchange took. */
const sent = () => [...customer.orders.values()].filter(({ clientId }) => clientId.startsWith('h'));

beforeAll(async () => {
  first = await processOf();
});
atEnd(() => first.end());
afterEach(() => {
  exchange.faults.clear();
  customer.isHedged = false;
  customer.isolated.clear();
  owner.key.canWithdraw = false;
  owner.key.addresses = ['127.0.0.1'];
});

test.each<[string, () => void]>([
  ['openKey', () => (owner.key.addresses = [])],
  ['mayWithdraw', () => (owner.key.canWithdraw = true)],
  ['notPermitted', () => (owner.key.addresses = ['203.0.113.7'])],
  ['twoWay', () => (customer.isHedged = true)],
  ['isolated', () => customer.isolated.add('ETHUSDT')],
  ['unreachable', () => exchange.faults.next(/apiRestrictions/, { kind: 'cut' }, 9)],
])('an account is not opened, nor added to, where it is %s', async (reason, set) => {
  set();
  expect(await refusalOf(first.real.opening(account, await owner.keyRecord()))).toBe(reason);
  const refused = resting();
  expect(await refusalOf(first.real.submit(refused))).toBe(reason);
  expect(there(refused)).toBeUndefined();
  expect(await first.venue.events(account, 0)).toEqual([]);
});

test('a hedge opens with real orders: what the exchange filled is what the deal holds', async () => {
  await first.venue.open(owner.paperAccount, '50000');
  await (await first.real.opening(account, await owner.keyRecord())).write(db);
  await addPair(db, { userId, ...PLACES, createdAt: clock(), armedAt: clock() });
  await first.until('it is open', isState('open'));
  const { longQuantity, shortQuantity } = await deal();
  expect(new Big(longQuantity).eq(customer.positionOf('BTCUSDT'))).toBe(true);
  expect(new Big(shortQuantity).eq(customer.positionOf('ETHUSDT'))).toBe(true);
  expect(sent().length).toBe((await first.desk.orders()).length);
  expect(await first.venue.positions(owner.paperAccount)).toEqual([]);
  expect(await first.findings()).toEqual([]);
});

test("what somebody trades by hand beside it is nobody's, and the deal closes what is its own", async () => {
  const held = await deal();
  exchange.trading.place(customer, {
    ...{ symbol: 'BTCUSDT', wallet: 'derivatives', clientId: 'web_manual', side: 'sell', type: 'market' },
    ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.004'), reduceOnly: false },
  });
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
  await first.desk.close(held.id);
  await first.until('it is closed', isState('closed'));
  expect(customer.positionOf('BTCUSDT').toFixed()).toBe('-0.004');
  expect(customer.positionOf('ETHUSDT').toFixed()).toBe('0');
  expect(await first.findings()).toEqual([]);
});

test('an order without an answer is not sent again, also by who takes over: it is found, and the hedge opens', async () => {
  await db.execute('update target set removed_at = 1');
  const before = sent().length;
  exchange.faults.next(/^POST \/fapi\/v1\/order$/, { kind: 'cut' });
  exchange.faults.next(/^GET \/fapi\/v1\/order$/, { kind: 'cut' }, 99);
  await addPair(db, { userId, ...PLACES, createdAt: clock(), armedAt: clock() });
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
  expect(new Big(equity).minus(marginBalance).toFixed()).toBe(customer.freeOf('USDT').toFixed());
  expect(spendable).toBe(customer.freeOf('USDT').toFixed());
  const positions = await first.venue.positions(account);
  for (const symbol of ['BTCUSDT', 'ETHUSDT'])
    expect(positions.find((one) => one.symbol === symbol)!.quantity).toBe(customer.positionOf(symbol).toFixed());
  expect(await first.venue.settled(account, LIVE_SOURCE)).toBeGreaterThan(0);
  exchange.faults.isRestDown = true;
  await expect(first.venue.positions(account)).rejects.toThrow();
  await expect(first.venue.settled(account, LIVE_SOURCE)).rejects.toThrow();
  await expect(first.venue.margin(account)).rejects.toThrow();
});

test('where an account cannot be read for a minute nothing is opened in it, and nothing else of the book waits for it', async () => {
  await first.until('it is read', async () => (await first.real.tend(account)) === null);
  exchange.faults.next(/(income|v3\/account)$/, answerOf(502, {}), 999);
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
    await waitFor('prices', PATIENCE_MS, async () => (await first.venue.quote(LIVE_SOURCE, 'BTCUSDT')) !== undefined);
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
    // Spot may be asked for twice before futures are: those have a connection of their own.
    const connecting = jest.spyOn(UserStreams.prototype, 'connect');
    first = await processOf();
    await waitFor('it listens to futures', PATIENCE_MS, async () => {
      await fills();
      return connecting.mock.calls.length > 0;
    });
    connecting.mockRestore();
    await first.real.idle();
    const sent = await met(() => {
      // Whatever is read beside what is heard has no answer.
      exchange.faults.next(/income/, { kind: 'cut' }, 999);
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
