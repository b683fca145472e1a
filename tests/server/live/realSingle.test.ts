import { liveSource } from '#contract/candle';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { strategies as api } from '#contract/strategies';
import { answered, PERPETUAL, payRate, REAL_PATIENCE_MS, SPOT } from '../../support/realCarry';
import { realStrategy } from '../../support/realStrategy';
import { fileDatabase } from '../../support/testDatabase';

const ORDER = /^POST .*\/orders?(\/create)?$/;
const OTHER = 'ETHUSDT';
const LEG = 1_500;

describe('one hedge of two coins', () => {
  const name = 'okx';
  const source = liveSource(name);
  const params = {
    ...{ ...DEFAULT_SETTINGS, source, legNotional: LEG, entry: 'immediate' as const, slippageCap: 100 },
    ...{ stopLoss: null, takeProfit: null, maxHoldingHours: null, dailyLossLimit: null, rebalance: null },
  };
  const pair = { long: PERPETUAL!, short: OTHER };
  let hedges: Awaited<ReturnType<typeof realStrategy<'hedge'>>>;
  const place = () => hedges.places[0]!;
  const heldOf = (symbol: string) => place().customer.positionOf(symbol).toNumber();
  const entries = () => [...place().customer.orders.values()].filter(({ reduceOnly }) => !reduceOnly).length;
  const nothingSent = async (answer: Promise<{ code: number }>) => {
    const before = entries();
    expect((await answer).code).not.toBe(200);
    expect(entries()).toBe(before);
  };

  beforeAll(async () => {
    const db = await fileDatabase();
    const symbols = [pair.long, pair.short] as const;
    hedges = await realStrategy(db, { kind: 'hedge', at: [name], symbols, params, single: pair, cap: 4_000 });
    await hedges.open();
  }, 2 * REAL_PATIENCE_MS);
  afterEach(() => place().exchange.faults.clear());

  test('is shown by the legs that would be sent, what they cost, and the cap that both count against', async () => {
    const { targets, accounts, real, fees } = (await hedges.preview()).data;
    const [row] = targets;
    expect(row).toMatchObject({ block: null, long: pair.long, short: pair.short });
    for (const leg of row!.ticket!.legs) expect(Math.abs(leg.notional! - LEG) / LEG).toBeLessThan(0.1);
    const once = row!.ticket!.legs.reduce((sum, { fee, slippage }) => sum + fee! + slippage!, 0);
    expect(fees).toBeCloseTo(2 * once, 6);
    expect(accounts).toMatchObject([{ source, notional: 2 * LEG, room: 4_000 }]);
    expect(real).toEqual({ cap: 4_000 });
  });

  test('is opened with both legs by what its owner typed and proved, and closed; the desk has no pair of it', async () => {
    await nothingSent(hedges.once({ typed: OTHER }));
    const id = await hedges.started();
    await hedges.until(id, 'open');
    expect(heldOf(pair.long)).toBeGreaterThan(0);
    expect(heldOf(pair.short)).toBeLessThan(0);
    const { call } = hedges.owner;
    const [row] = (await call(hedge.list, { query: {} })).data.list;
    expect(row).toMatchObject({ ...pair, mode: 'live', state: 'open' });
    // It is one deal: nothing is opened after it.
    expect((await call(hedge.close, { query: { id: row!.id } })).code).toBe(200);
    await hedges.until(id, 'closed');
    await answered('it has stopped', async () => (await call(api.list)).data.list[0]?.state === 'stopped');
    expect(await hedges.end(id)).toEqual([]);
  });

  test('an order that is taken without an answer is not sent again', async () => {
    place().exchange.faults.next(ORDER, { kind: 'noAnswer' });
    const before = entries();
    const id = await hedges.started();
    await hedges.until(id, 'open');
    expect(entries()).toBe(before + 2);
    place().exchange.faults.next(ORDER, { kind: 'noAnswer' });
    await hedges.close(id);
    await hedges.until(id, 'closed');
    expect(await hedges.end(id)).toEqual([]);
  });

  test('what is more than the cap has room for is not sent', async () => {
    await hedges.owner.proved();
    await nothingSent(hedges.once({ params: { ...params, legNotional: 2_500 } }));
  });
});

describe('one deal of a kind with a scanner', () => {
  const params = {
    ...{ ...DEFAULT_SPREAD, source: liveSource('bybit') as never, near: SPOT!, far: PERPETUAL!, legNotional: LEG },
    ...{ entryApr: 0, exitLevel: null, slippageCap: 100 },
    ...{ stopLoss: null, dailyLossLimit: null, maxHoldingHours: null },
  };

  test(
    'is opened with real money once, by its ticket, and closed',
    async () => {
      const db = await fileDatabase();
      const symbols = [SPOT!, PERPETUAL!] as const;
      const spreads = await realStrategy(db, { kind: 'spread', at: ['bybit'], symbols, params, single: true });
      const [{ exchange, customer }] = spreads.places as [(typeof spreads.places)[0]];
      await payRate(db, exchange, liveSource('bybit'), 0.003);
      await spreads.open();
      const id = await spreads.started();
      await spreads.until(id, 'open');
      expect(customer.positionOf(PERPETUAL!).toNumber()).toBeLessThan(0);
      const { call } = spreads.owner;
      expect((await call(api.list)).data.list).toMatchObject([{ id, mode: 'live', single: { refused: null } }]);
      await spreads.close(id);
      await spreads.until(id, 'closed');
      expect(await spreads.end(id)).toEqual([]);
    },
    2 * REAL_PATIENCE_MS,
  );
});
