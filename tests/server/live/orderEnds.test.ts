import Big from 'big.js';
import type { OrderExchange } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import { liveOrderOf } from '#server/base/db/accounts/liveOrder';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import type { VenueEvent, VenueOrder } from '#server/market/venue';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyAt } from '../../support/badLine';
import { cashAt, cashOf } from '../../support/journalCash';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { liveProcess } from '../../support/liveProcess';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
/** A look is due again after so long. */
const LOOK_MS = 21 * SECOND_MS;
/** Longer than the exchange waits for a word. */
const UNHEARD_MS = 61 * SECOND_MS;
/** Where an order is looked up by its name. */
const LOOKUPS = {
  binance: /^GET \/fapi\/v1\/order$/,
  okx: /^GET .*trade\/order$/,
  bybit: /^GET .*order\/(realtime|history)/,
  gate: /^GET .*futures\/usdt\/orders\/t-/,
} as const satisfies Record<OrderExchange, RegExp>;

async function world(name: OrderExchange) {
  const db = await fileDatabase();
  const owner = await liveAccount(db, {}, name);
  const line = await badLineTo(owner.url, onlyAt[name]('BTCUSDT', 'ETHUSDT'));
  atEnd(() => line.close());
  return { name, db, owner, line };
}
const AT = await Promise.all((Object.keys(REAL_EXCHANGES) as OrderExchange[]).map(world));

describe.each(AT)('at $name', ({ name, db, owner, line }) => {
  const { exchange, customer, account, resting, there, priceOf, wait } = owner;
  const processOf = () => liveProcess(db, owner, line.url);
  let first: Awaited<ReturnType<typeof processOf>>;
  beforeAll(async () => {
    owner.key.addresses = ['127.0.0.1'];
    // Bybit's countdown is for those alone that it has agreed it with.
    customer.dcp.set('derivatives', 10);
    first = await processOf();
    await (await first.real.opening(account, await owner.keyRecord())).write(db);
  });
  afterAll(() => first.end());
  afterEach(async () => {
    exchange.faults.clear();
    const events = await first.real.events(account, 0);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    await waitFor('the books are the exchange’s own', PATIENCE_MS, async () => {
      await first.real.idle();
      return cashOf(await first.real.events(account, 0)) === cashAt(customer);
    });
  });

  const eventsOf = async ({ clientId }: VenueOrder): Promise<VenueEvent[]> =>
    (await first.real.events(account, 0)).filter(
      (event) =>
        (event.kind === 'fill' && event.clientId === clientId) ||
        (event.kind === 'orderEnd' && event.report.clientId === clientId),
    );
  async function tended(): Promise<void> {
    await first.real.tend(account);
    await first.real.idle();
  }
  /** Whoever trades the account looks at it until an order is told to have ended. */
  const ends = (order: VenueOrder) =>
    waitFor('its end is told', PATIENCE_MS, async () => {
      await tended();
      return (await eventsOf(order)).some(({ kind }) => kind === 'orderEnd');
    });
  const byHand = (order: VenueOrder) => exchange.trading.cancel(customer, there(order)!);
  /** Several of one symbol: each is looked at, not the first alone. */
  async function laid(): Promise<[VenueOrder, VenueOrder, VenueOrder]> {
    const orders = [0.96, 0.965, 0.97].map((at) => resting({ limitPrice: priceOf('BTCUSDT', at), quantity: '0.01' }));
    for (const order of orders) await first.real.submit(order);
    return orders as [VenueOrder, VenueOrder, VenueOrder];
  }
  async function cancelAll(orders: readonly VenueOrder[]): Promise<void> {
    for (const { clientId } of orders) await first.real.cancel(account, clientId);
  }
  async function fillPart(order: VenueOrder): Promise<void> {
    exchange.faults.fillShare = 0.4;
    there(order)!.price = new Big(priceOf('BTCUSDT', 1.05));
    await waitFor('some of it is filled', PATIENCE_MS, () => there(order)!.filled.gt(0));
    there(order)!.price = new Big(priceOf('BTCUSDT', 0.9));
    exchange.faults.fillShare = 1;
  }
  const takeBack = (quantity: Big) =>
    first.real.submit(owner.order({ quantity: quantity.toFixed(), side: 'sell', reduceOnly: true }));

  test('what somebody cancels at the exchange is told to have ended, once, and what rests beside it is not', async () => {
    const orders = await laid();
    const [low, mid, high] = orders;
    byHand(mid);
    wait(LOOK_MS);
    await ends(mid);
    expect(await eventsOf(mid)).toMatchObject([
      { kind: 'orderEnd', account, source: owner.source, symbol: 'BTCUSDT', report: { state: 'cancelled' } },
    ]);
    for (let i = 0; i < 2; i += 1) {
      wait(LOOK_MS);
      await tended();
    }
    expect(await eventsOf(mid)).toHaveLength(1);
    for (const order of [low, high]) expect(await eventsOf(order)).toEqual([]);
    await cancelAll([low, high]);
  });

  test('what the stream tells is looked at without a wait', async () => {
    const orders = await laid();
    await tended();
    byHand(orders[1]);
    await ends(orders[1]);
    await cancelAll([orders[0], orders[2]]);
  });

  test('an end never comes before the fills of its order', async () => {
    const orders = await laid();
    await fillPart(orders[0]);
    byHand(orders[0]);
    wait(LOOK_MS);
    await ends(orders[0]);
    const told = await eventsOf(orders[0]);
    const filled = there(orders[0])!.filled;
    expect(told.at(-1)).toMatchObject({ kind: 'orderEnd', report: { filledQuantity: filled.toFixed() } });
    const fills = told.slice(0, -1).map((event) => (event.kind === 'fill' ? event.quantity : '0'));
    expect(fills.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toFixed()).toBe(filled.toFixed());
    await cancelAll(orders.slice(1));
    await takeBack(filled);
  });

  test('what is filled needs no end of its own', async () => {
    const [filled, ...others] = await laid();
    there(filled)!.price = new Big(priceOf('BTCUSDT', 1.05));
    await waitFor('it is filled', PATIENCE_MS, () => there(filled)!.state === 'filled');
    wait(LOOK_MS);
    await waitFor('it is written', PATIENCE_MS, async () => {
      await tended();
      return (await eventsOf(filled)).length > 0;
    });
    await waitFor('nobody looks at it any more', PATIENCE_MS, async () => {
      wait(LOOK_MS);
      await tended();
      return !(await liveOrderOf(db, account, filled.clientId))!.rests;
    });
    expect((await eventsOf(filled)).map(({ kind }) => kind)).not.toContain('orderEnd');
    await cancelAll(others);
    await takeBack(there(filled)!.filled);
  });

  test('what the countdown ends while nobody is there is told to who comes, also where it was looked up before', async () => {
    const orders = await laid();
    await fillPart(orders[1]);
    await first.end();
    wait(UNHEARD_MS);
    await waitFor('all are cancelled', PATIENCE_MS, () =>
      orders.every((order) => there(order)!.endedBy === 'countdown'),
    );
    first = await processOf();
    // Whoever looks and goes before it is written leaves it to the next.
    await first.real.lookup(account, orders[0].clientId, false);
    await first.end();
    first = await processOf();
    for (const order of orders) await ends(order);
    for (const order of orders)
      expect((await eventsOf(order)).filter(({ kind }) => kind === 'orderEnd')).toHaveLength(1);
    await takeBack(there(orders[1])!.filled);
  });

  test('two that read at the same time tell it once', async () => {
    const orders = await laid();
    const other = await processOf();
    byHand(orders[1]);
    wait(LOOK_MS);
    const tendBoth = () => Promise.all([first.real, other.real].map((real) => real.tend(account)));
    await waitFor('its end is told', PATIENCE_MS, async () => {
      await tendBoth();
      await Promise.all([first.real.idle(), other.real.idle()]);
      return (await eventsOf(orders[1])).length > 0;
    });
    expect(await eventsOf(orders[1])).toHaveLength(1);
    await cancelAll([orders[0], orders[2]]);
    await other.end();
  });

  test('an exchange that does not say what became of an order has not ended it', async () => {
    const orders = await laid();
    byHand(orders[1]);
    exchange.faults.next(LOOKUPS[name], answerOf(502, {}), 1_000);
    wait(LOOK_MS);
    await tended();
    for (const order of orders) expect(await eventsOf(order)).toEqual([]);
    exchange.faults.clear();
    wait(LOOK_MS);
    await ends(orders[1]);
    await cancelAll([orders[0], orders[2]]);
  });
});
