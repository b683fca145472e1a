import Big from 'big.js';
import { liveSource, type OrderExchange } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import { LEGS } from '#contract/lifecycle';

import { killSwitch } from '#server/base/db/schema';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import type { VenueFill, VenueOrder, VenueRefused } from '#server/market/venue';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyAt } from '../../support/badLine';
import { addPair, changeHedges } from '../../support/bookRows';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { liveProcess } from '../../support/liveProcess';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
const PAIR = { long: 'BTCUSDT', short: 'ETHUSDT' };
/** It rests at the best price of its side. */
const SETTINGS = {
  ...{ stopLoss: null, takeProfit: null, rebalance: null, dailyLossLimit: null },
  orderType: 'maker' as const,
};
/** Longer than the exchange waits for a word. */
const UNHEARD_MS = 61 * SECOND_MS;

/** Another look, and less than the exchange waits for a word. */
const TAKEN_BACK_MS = 30_000;

const SYMBOLS = Object.values(PAIR);

/** An account, and the line to its exchange. */
async function world(name: OrderExchange) {
  const db = await fileDatabase();
  const owner = await liveAccount(db, { ...SETTINGS, source: liveSource(name) }, name);
  const line = await badLineTo(owner.url, onlyAt[name](...SYMBOLS));
  atEnd(() => line.close());
  return { name, db, owner, line };
}
/** At OKX one countdown is of the whole account. */
const AT = [
  { ...(await world('binance')), countdown: /countdownCancelAll/, countedFor: (symbols: string[]) => symbols },
  { ...(await world('okx')), countdown: /cancel-all-after/, countedFor: (): (string | null)[] => [null] },
];

describe.each(AT)('at $name', ({ name, db, owner, line, countdown, countedFor }) => {
  const { source, exchange, customer, account, clock, resting, there, userId, wait } = owner;
  const processOf = () => liveProcess(db, owner, line.url);
  let first: Awaited<ReturnType<typeof processOf>>;
  beforeAll(async () => {
    owner.key.addresses = ['127.0.0.1'];
    first = await processOf();
    await (await first.real.opening(account, await owner.keyRecord())).write(db);
    await first.venue.open(owner.paperAccount, '50000');
  });
  afterAll(() => first.end());

  const armed = () => [...customer.cancelsAt.keys()];
  /** A look of the engine at an account whose resting orders it knows of. */
  async function tended(): Promise<void> {
    await first.real.tend(account);
    await first.real.idle();
  }
  /** What was on its way while the clock jumped is late for the exchange; it is asked again. */
  const late = REAL_EXCHANGES[name]!.wrongTime.map((code) => `error ${code}`);
  const isLate = (what: string) => late.some((code) => what.endsWith(code));
  const isLive = (order: VenueOrder) => ['new', 'partly'].includes(there(order)!.state);
  const fillsOf = async ({ clientId }: VenueOrder) =>
    (await first.real.events(account, 0)).filter(
      (event): event is VenueFill => event.kind === 'fill' && event.clientId === clientId,
    );
  const both = () => SYMBOLS.map((symbol) => resting({ symbol, quantity: symbol === 'BTCUSDT' ? '0.01' : '0.2' }));

  afterEach(() => exchange.faults.clear());

  test('while orders rest a countdown runs for each symbol, for as long as somebody is there; then it is taken back', async () => {
    const orders = both();
    for (const order of orders) await first.real.submit(order);
    expect(armed().sort()).toEqual(countedFor(SYMBOLS));
    for (let i = 0; i < 8; i += 1) {
      wait(21 * SECOND_MS);
      await tended();
    }
    expect(orders.map(isLive)).toEqual([true, true]);
    expect(first.troubles.filter((what) => !isLate(what))).toEqual([]);
    await first.real.cancel(account, orders[0]!.clientId);
    wait(21 * SECOND_MS);
    await tended();
    expect(armed()).toEqual(countedFor(['ETHUSDT']));
    // Whoever cancels by hand is not seen until it is asked for.
    exchange.trading.cancel(customer, there(orders[1]!)!);
    wait(21 * SECOND_MS);
    await tended();
    expect(armed()).toEqual([]);
    expect(await first.real.lookup(account, orders[1]!.clientId)).toMatchObject({ report: { state: 'cancelled' } });
  });

  test('no order rests without a countdown; what is filled at once needs none', async () => {
    exchange.faults.next(countdown, answerOf(502, {}));
    const refused = resting();
    expect(await first.real.submit(refused).catch((error: VenueRefused) => error.reason)).toBe('unreachable');
    expect(there(refused)).toBeUndefined();
    await first.real.submit(owner.order({ quantity: '0.002' }));
    await first.real.submit(owner.order({ quantity: '0.002', side: 'sell', reduceOnly: true }));
    expect(armed()).toEqual([]);
  });

  test('a countdown that could not be taken back is taken back with the next look', async () => {
    const order = resting();
    await first.real.submit(order);
    await first.real.cancel(account, order.clientId);
    exchange.faults.next(countdown, answerOf(502, {}));
    wait(21 * SECOND_MS);
    await tended();
    expect(armed()).not.toEqual([]);
    await waitFor('it is taken back', TAKEN_BACK_MS, async () => {
      await tended();
      return armed().length === 0;
    });
  });

  test('spot has no countdown: nothing is sent there that would rest', async () => {
    const refused = resting({ symbol: 'BTCUSDT_SPOT', leverage: 1 });
    expect(await first.real.submit(refused).catch((error: VenueRefused) => error.reason)).toBe('spotRests');
    expect(there(refused)).toBeUndefined();
  });

  test('where nobody is there any more the exchange cancels, and who takes over books what was filled before', async () => {
    const orders = both();
    for (const order of orders) await first.real.submit(order);
    const [partly, unfilled] = orders as [VenueOrder, VenueOrder];
    exchange.faults.fillShare = 0.4;
    there(partly)!.price = new Big(owner.priceOf('BTCUSDT', 1.05));
    await waitFor('some of it is filled', PATIENCE_MS, () => there(partly)!.filled.gt(0));
    there(partly)!.price = new Big(owner.priceOf('BTCUSDT', 0.9));
    exchange.faults.fillShare = 1;
    const filled = there(partly)!.filled;
    expect(isLive(partly)).toBe(true);
    await first.end();
    // Nothing is told of an order that lives but that it does.
    wait(UNHEARD_MS / 2);
    first = await processOf();
    expect(await first.real.lookup(account, unfilled.clientId)).toMatchObject({
      found: true,
      report: { state: 'open' },
    });
    wait(UNHEARD_MS);
    await waitFor('both are cancelled', PATIENCE_MS, () => !orders.some(isLive));
    for (const order of orders)
      expect(await first.real.lookup(account, order.clientId)).toMatchObject({ report: { state: 'cancelled' } });
    await waitFor('it is written', PATIENCE_MS, async () => (await fillsOf(partly)).length > 0);
    await first.real.idle();
    const written = (await fillsOf(partly)).reduce((sum, { quantity }) => sum.plus(quantity), new Big(0));
    expect(written.toFixed()).toBe(filled.toFixed());
    expect(await fillsOf(unfilled)).toEqual([]);
    await first.real.submit(owner.order({ quantity: filled.toFixed(), side: 'sell', reduceOnly: true }));
  });

  describe('a hedge that is entered with orders that rest', () => {
    const deal = async () => (await first.desk.hedges()).at(-1)!;
    const ours = () => [...customer.orders.values()].filter(({ clientId }) => clientId.startsWith('h'));
    const live = () => ours().filter(({ state }) => state === 'new' || state === 'partly');
    async function rests(): Promise<void> {
      // Nobody meets it but the test.
      exchange.faults.fillShare = 0;
      await db.execute('update target set removed_at = 1');
      await addPair(db, { userId, ...PAIR, source, createdAt: clock(), armedAt: clock() });
      await first.desk.engine.wake(userId);
      await first.until('it rests', () => live().length > 0);
    }

    test('is not doubled by who takes over after its order was cancelled by the exchange', async () => {
      await rests();
      const [before] = live();
      await first.end();
      wait(UNHEARD_MS);
      await waitFor('it is cancelled', PATIENCE_MS, () => live().length === 0);
      exchange.faults.clear();
      first = await processOf();
      await first.until(
        'it goes on',
        async () => ['open', 'failed'].includes((await deal()).state) || live().length > 0,
      );
      expect(ours().filter(({ id }) => id === before!.id)).toHaveLength(1);
      await first.desk.close((await deal()).id);
      await first.until('it ends', async () => ['closed', 'failed'].includes((await deal()).state));
      expect(live()).toEqual([]);
      for (const symbol of SYMBOLS) expect(customer.positionOf(symbol).toFixed()).toBe('0');
      expect(await first.findings()).toEqual([]);
    });

    test.each<[string, () => Promise<unknown>]>([
      [
        'entries are paused for everybody',
        async () => db.insert(killSwitch).values({ id: 'all', pausedAt: clock(), pausedBy: 'm', reason: '' }),
      ],
      ['all is closed', async () => changeHedges(db, [(await deal()).id], { flattenAskedAt: clock() })],
    ])('is cancelled at the exchange where %s', async (_what, stop) => {
      await rests();
      await stop();
      await first.desk.engine.wake(userId);
      await first.until('it is cancelled', async () => live().length === 0 && (await deal()).state === 'failed');
      await db.delete(killSwitch);
      wait(21 * SECOND_MS);
      // A look that began before the clock went on may be under way still, or be refused for its time. The exchange itself
      // would end the countdown later.
      await waitFor('it is taken back', TAKEN_BACK_MS, async () => {
        await first.desk.engine.tick();
        await first.real.idle();
        return armed().length === 0;
      });
      expect(LEGS.map((leg) => customer.positionOf(PAIR[leg]).toFixed())).toEqual(['0', '0']);
    });
  });
});
