import Big from 'big.js';
import { liveSource, type OrderExchange } from '#contract/candle';
import { MINUTE_MS } from '#contract/duration';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { strategies as api } from '#contract/strategies';
import type { Order } from '../../standin/core/account';
import { bendable } from '../../support/bentMarket';
import { answered, PERPETUAL, REAL_PATIENCE_MS } from '../../support/realCarry';
import { realStrategy } from '../../support/realStrategy';
import { fileDatabase } from '../../support/testDatabase';

const CELLS = 8;
const SYMBOL = PERPETUAL!;

async function gridAt(name: OrderExchange) {
  const db = await fileDatabase();
  const params: GridParams = {
    ...{ ...DEFAULT_GRID, source: liveSource(name), symbol: SYMBOL, direction: 'neutral', cells: CELLS },
    ...{ lower: 96, upper: 104, legNotional: 4_000, leverage: 2, stopLoss: null, dailyLossLimit: null },
  };
  return {
    name,
    params,
    grid: await realStrategy(db, { kind: 'grid', at: [name], symbols: [SYMBOL, `${SYMBOL}_SPOT`], params }),
  };
}
const AT = await Promise.all((['binance', 'okx'] as const).map(gridAt));

describe.each(AT)('at $name', ({ params, grid }) => {
  const { started, until, close, end, dealsOf, restart, wait, preview, clock } = grid;
  const [{ exchange, customer }] = grid.places as [(typeof grid.places)[0]];
  const market = bendable(exchange.market);
  const price = exchange.market.listed!(SYMBOL, clock())!.ticker.price;
  Object.assign(params, { lower: Math.round(price * 0.96), upper: Math.round(price * 1.04) });

  const resting = (): Order[] =>
    [...customer.orders.values()].filter(({ state }) => state === 'new' || state === 'partly');
  const levels = () => resting().map((order) => `${order.side} ${order.price!.toFixed()}`);
  const held = () => customer.positionOf(SYMBOL).toNumber();
  /** Each level has one order, no two of them the same. */
  const rests = () => answered('it rests', async () => resting().length === CELLS && new Set(levels()).size === CELLS);
  const isCalm = async (id: string) => (await dealsOf(id))[0]!.frozen === null;

  async function begun(): Promise<string> {
    const id = await started();
    await until(id, 'open');
    await rests();
    return id;
  }
  async function closed(id: string): Promise<void> {
    expect(await isCalm(id)).toBe(true);
    expect((await close(id)).code).toBe(200);
    await until(id, 'closed');
    expect(await end(id)).toEqual([]);
  }

  beforeAll(async () => {
    // Bybit's countdown is for those alone that it has agreed it with.
    customer.dcp.set('derivatives', 10);
    await grid.open();
  }, 2 * REAL_PATIENCE_MS);
  afterEach(() => {
    exchange.faults.clear();
    market.bend(1);
  });

  test('the cap of its account is held against the whole ladder, once', async () => {
    const { targets, accounts } = (await preview()).data;
    expect(targets).toMatchObject([{ block: null }]);
    expect(accounts).toMatchObject([{ notional: 4_000, room: 5_000 }]);
  });

  test('none of spot is made: there nothing would cancel what rests', async () => {
    const spot = { ...params, market: 'spot', symbol: `${SYMBOL}_SPOT`, direction: 'long', leverage: 1 };
    const body = { kind: 'grid', name: '现货', mode: 'live', params: spot, typed: spot.symbol } as const;
    for (const asked of [grid.owner.call(api.create, { body }), grid.owner.call(api.preview, { body })])
      expect(await asked).toMatchObject({ code: 400, data: { fields: [{ field: 'mode' }] } });
  });

  test('what a person cancels at the exchange is laid again, once', async () => {
    const id = await begun();
    const before = levels();
    const gone = resting()[2]!;
    exchange.trading.cancel(customer, gone);
    await rests();
    expect(levels().sort()).toEqual(before.sort());
    expect(resting().map((order) => order.id)).not.toContain(gone.id);
    await closed(id);
  });

  test('what is filled in part and cancelled then is booked, and what was filled is laid to be sold, once', async () => {
    const id = await begun();
    const buys = resting().filter(({ side }) => side === 'buy');
    const order = buys.reduce((one, other) => (one.price!.gt(other.price!) ? one : other));
    const level = order.price!;
    const others = levels().filter((one) => one !== `buy ${level.toFixed()}`);
    exchange.faults.fillShare = 0.4;
    order.price = new Big(price).times(1.05).round(0);
    await answered('some of it is filled', async () => order.filled.gt(0));
    order.price = level;
    exchange.faults.fillShare = 0;
    exchange.trading.cancel(customer, order);
    await answered('it is turned around', async () => resting().length === CELLS);
    const [turned, ...more] = resting().filter((one) => !others.includes(`${one.side} ${one.price!.toFixed()}`));
    expect(more).toEqual([]);
    expect(turned).toMatchObject({ side: 'sell', reduceOnly: true });
    expect(turned!.price!.gt(level)).toBe(true);
    expect(turned!.quantity.toFixed()).toBe(order.filled.toFixed());
    expect(held()).toBe(order.filled.toNumber());
    exchange.faults.clear();
    await closed(id);
  });

  test('what the exchange cancels while nobody is there rests again when somebody is, and none twice', async () => {
    const id = await begun();
    const before = levels();
    await restart(async () => {
      wait(2 * MINUTE_MS);
      await answered('it is cancelled', async () => resting().length === 0);
    });
    await rests();
    expect(levels()).toHaveLength(before.length);
    await closed(id);
  });

  test.each(['noAnswer', 'cut'] as const)('orders of a grid that are taken, and then %s, rest once', async (kind) => {
    exchange.faults.next(/^POST .*\/orders?$|^POST .*order\/create$/, { kind }, 3);
    const id = await begun();
    await answered('none is in doubt', () => isCalm(id));
    await rests();
    await closed(id);
  });

  // Prices that it bends are old for a while.
  test('a grid rests at the exchange, is filled there as the price moves, and closes', async () => {
    const id = await begun();
    // What rests takes room as what is held does.
    const { room } = (await preview()).data.accounts[0]!;
    expect(room).toBeLessThan(1_500);
    // The same strategy's own is part of what it takes when all of it is open: it is not held against the cap twice.
    const own = await grid.owner.call(api.preview, { body: { kind: 'grid', mode: 'live', params, id } });
    const [account] = own.data.accounts;
    expect(account!.room).toBeGreaterThan(account!.notional!);
    expect(account!.room).toBeLessThan(5_100);
    market.bend(0.985);
    await answered('it is filled', async () => held() > 0 && resting().length === CELLS);
    market.bend(1.012);
    await answered('it is sold again', async () => held() <= 0 && resting().length === CELLS);
    await closed(id);
  });
});
