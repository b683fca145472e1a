import Big from 'big.js';
import { asc, eq } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_SPREAD, type SpreadParams } from '#contract/spread';
import { deal, dealLeg, fill, ledger } from '#server/db/schema';
import { PairModels } from '#server/engine/pairModel';
import { previewTargets, targetsOf } from '#server/engine/preview';
import { createSimulatedVenues } from '#server/exchange/simulated';
import { createStrategy, startStrategy } from '#server/strategy/strategyIntents';
import { testDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const START = Date.UTC(2026, 8, 1, 4, 30);
const EXPIRY = Date.UTC(2026, 8, 25, 8);
const SPOT = 'BTCUSDT_SPOT';
const FUTURE = 'BTCUSDT_260925';

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function spreadDesk(over: Partial<SpreadParams> = {}, start = START) {
  const clock = { now: start };
  const venues = createSimulatedVenues({ clock: () => clock.now });
  const markets = { list: async () => venues, get: async (s: string) => venues.find(({ source }) => source === s) };
  const wait = (ms = 1000) => {
    clock.now += ms;
  };
  const desk = await tradingDesk(db, { clock: () => clock.now, wait, markets });
  const params: SpreadParams = { ...DEFAULT_SPREAD, near: SPOT, far: FUTURE, exitLevel: null, ...over };
  const asker = { user: { id: desk.userId, name: 'desk' }, now: clock.now };
  const { legs } = await targetsOf(markets, 'spread', params);
  const { id } = await db.transaction((tx) =>
    createStrategy(tx, asker, 'spread', { name: 'BTC', params, targets: legs }),
  );
  await db.transaction((tx) => startStrategy(tx, asker, id));
  await desk.engine.wake(desk.userId);
  const needs = { clock: () => clock.now, markets, venue: desk.venue, pairModels: new PairModels() };
  return {
    ...desk,
    clock,
    market: venues[0]!,
    preview: async () => (await previewTargets(needs, 'spread', params, legs)).rows[0]!,
    deals: async () => {
      const rows = await db.select().from(deal).where(eq(deal.strategyId, id)).orderBy(asc(deal.createdAt));
      return Promise.all(
        rows.map(async (row) => {
          const own = await db.select().from(dealLeg).where(eq(dealLeg.dealId, row.id));
          return {
            ...row,
            long: own.find(({ leg }) => leg === 'long')!,
            short: own.find(({ leg }) => leg === 'short')!,
          };
        }),
      );
    },
  };
}

test('cash and carry is held through the delivery: the index mean, its fee booked, the coin sold, the books clean', async () => {
  const desk = await spreadDesk({ entryApr: 0 });
  expect((await desk.preview()).signal).toBeGreaterThan(0);
  await desk.run(10);
  const [held] = await desk.deals();
  expect(held).toMatchObject({ state: 'open', long: { symbol: SPOT }, short: { symbol: FUTURE } });
  expect(new Big(held!.long.quantity).plus(held!.short.quantity).abs().lt(0.001)).toBe(true);

  desk.clock.now = EXPIRY - MINUTE_MS;
  await desk.run(2);
  expect((await desk.deals())[0]!.state).toBe('open');
  desk.clock.now = EXPIRY + MINUTE_MS;
  await desk.run(20);
  const [closed] = await desk.deals();
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'delivery' });
  expect([closed!.long.quantity, closed!.short.quantity].map(Number)).toEqual([0, 0]);
  const fills = await db.select().from(fill).where(eq(fill.dealId, held!.id)).orderBy(asc(fill.at));
  const delivered = fills.find(({ at, symbol }) => symbol === FUTURE && at >= EXPIRY)!;
  expect(delivered.price).toBe(new Big(desk.market.deliveryPrice(FUTURE)!).toFixed());
  const { deliveryFee } = desk.market.terms(FUTURE, START)!;
  expect(Number(delivered.fee)).toBeCloseTo(Number(delivered.quantity) * Number(delivered.price) * deliveryFee!, 6);
  const rows = await db.select().from(ledger).where(eq(ledger.dealId, held!.id));
  expect(rows.some(({ kind }) => kind === 'funding')).toBe(false);
  const total = (figure: 'realised' | 'fees') => new Big(closed!.long[figure]).plus(closed!.short[figure]);
  const cash = rows.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  expect(total('realised').minus(total('fees')).toFixed()).toBe(cash.toFixed());
  expect(await desk.findings()).toEqual([]);
  expect(desk.troubles).toEqual([]);
  await desk.retire();
});

test('it waits for its net APR, leaves when the prices have met, and before an expiry where it is told to', async () => {
  const patient = await spreadDesk({ entryApr: 5 });
  await patient.run(3);
  expect(await patient.deals()).toEqual([]);
  expect((await patient.preview()).block).toBe('waitsForApr');
  await patient.retire();

  // The basis of 24 days is some per mille: a level above it is met at once.
  const meets = await spreadDesk({ entryApr: 0, exitLevel: 0.2, roundStep: 1 });
  await meets.run(20);
  expect((await meets.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
    ['closed', 'converged'],
  ]);
  expect(await meets.findings()).toEqual([]);
  await meets.retire();

  const early = await spreadDesk({ entryApr: 0, closeBeforeHours: 48, roundStep: 1 });
  await early.run(8);
  early.clock.now = EXPIRY - 49 * HOUR_MS;
  await early.run(3);
  expect((await early.deals())[0]!.state).toBe('open');
  early.clock.now = EXPIRY - 47 * HOUR_MS;
  await early.run(15);
  expect((await early.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'expiry']]);
  early.clock.now += DAY_MS;
  expect(await early.findings()).toEqual([]);
  await early.retire();
});
