import Big from 'big.js';
import { and, eq } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { type CexRateParams, DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { equityPoint, ledger, tradeOrder } from '#server/base/db/schema';
import { closeDeal } from '#server/desk/strategy/strategyIntents';
import { rateDeals } from '#server/kinds/cexRate/deals';
import { gatherNews } from '#server/people/notification/gatherNews';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
/** OKX is out until 11:26, the first venue from 11:28 to 11:31. */
const OUT_AT = Date.UTC(2026, 8, 3, 11, 15);
const COIN = 'POLUSDT';

const db = await fileDatabase();

type Options = NonNullable<Parameters<typeof strategyDesk>[4]>;

async function rateDesk(
  over: Partial<CexRateParams> = {},
  { start = START, ...options }: Options & { start?: number } = {},
) {
  const params = { ...DEFAULT_CEX_RATE, coins: ['POL'], planHours: 48, ...over };
  const desk = await strategyDesk(db, simulatedMarket(start), 'cexRate', params, { second: 100_000, ...options });
  return { ...desk, deskOf: () => rateDeals(desk.needs, desk.userId, desk.id, desk.clock.now) };
}

test('a cross-venue carry holds equal quantities and exits as rates converge', async () => {
  const desk = await rateDesk({ exitApr: 0.5 });
  const tried = await desk.preview();
  expect(tried).toMatchObject({ block: null, places: { long: { symbol: COIN }, short: { symbol: COIN } } });
  expect(tried.signal).toBeGreaterThan(0.1);
  await desk.run(8);
  const [held] = await desk.deals();
  expect(held).toMatchObject({ state: 'open', long: { source: 'simulated' }, short: { source: 'simulated-okx' } });
  expect(held!.long.accountId).not.toBe(held!.short.accountId);
  expect(new Big(held!.long.quantity).plus(held!.short.quantity).toNumber()).toBe(0);
  expect(Number(held!.long.quantity)).toBeGreaterThan(0);

  for (let hours = 0; hours < 96 && (await desk.deals())[0]!.state !== 'closed'; hours += 1) {
    desk.clock.now += HOUR_MS;
    await desk.run(8);
  }
  const [closed] = await desk.deals();
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'rateGap' });
  expect(closed!.closedAt! - closed!.openedAt!).toBeGreaterThanOrEqual(8 * HOUR_MS);
  const rows = await db.select().from(ledger).where(eq(ledger.dealId, held!.id));
  for (const [leg, venue] of [
    [held!.long, desk.venues[0]!],
    [held!.short, desk.venues[1]!],
  ] as const) {
    const { time, rate: rates } = (await venue.funding(COIN))!;
    const due = [...time].flatMap((at, n) => (at > closed!.openedAt! && at <= closed!.closedAt! ? [rates[n]!] : []));
    const own = rows.filter(({ kind, accountId }) => kind === 'funding' && accountId === leg.accountId);
    expect(own).toHaveLength(due.length);
    expect(due.length).toBeGreaterThan(0);
    own
      .sort((a, b) => a.at - b.at)
      .forEach(({ amount, price, rate }, i) => {
        expect(Number(rate)).toBe(due[i]!);
        expect(Number(amount)).toBeCloseTo(-Number(leg.quantity) * Number(price) * due[i]!, 8);
      });
  }
  await desk.netOf(held!.id);
});

test('while one venue is down neither leg is traded; both close once it is back', async () => {
  const desk = await rateDesk({ exitApr: null, minHoldingHours: 0 });
  await desk.run(8);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  const [shown] = await desk.deskOf();
  expect(shown).toMatchObject({ state: 'open', balance: 'neutral', lacking: null, aprOpen: expect.any(Number) });
  const { steps } = shown!.waterfall;
  const [netNow, netClosed] = steps.slice(3).map(({ sum }) => sum);
  expect(steps.every(({ sum }) => sum !== null)).toBe(true);
  // The first four are what the deal is worth at the marks.
  expect(netNow).toBeCloseTo(
    steps.slice(0, 4).reduce((sum, { amount }) => sum + amount!, 0),
    9,
  );
  expect(netClosed!).toBeLessThan(netNow!);
  desk.clock.now = OUT_AT;
  await desk.run(2);
  const told = await desk.told();
  const outage = told.find(({ word }) => word === 'out simulated-okx')!;
  expect(outage.text).toMatch(/（币安）多 \/ \w+（OKX）空：OKX 没有回应，/);
  const { news } = await gatherNews(db, { eventId: 0, ledgerId: 0 }, desk.clock.now);
  const heard = news.find(({ userId, title }) => userId === desk.userId && title === '交易所断线')!;
  expect(heard.text).toContain(outage.text);
  await desk.ask((tx, asker) => closeDeal(tx, asker, held!.id));
  const sent = (await desk.orders()).length;
  for (let minutes = 0; minutes < 10; minutes += 1) {
    desk.clock.now += MINUTE_MS;
    await desk.run(1);
  }
  expect((await desk.orders()).length).toBe(sent);
  expect((await desk.deals())[0]!.state).toBe('open');
  const points = await db.select().from(equityPoint).where(eq(equityPoint.userId, desk.userId));
  expect(points.filter(({ at }) => at >= OUT_AT).length).toBeGreaterThan(0);
  for (const { equity } of points) expect(equity).toBeGreaterThan(90_000);

  desk.clock.now = Date.UTC(2026, 8, 3, 11, 32);
  await desk.run(10);
  const [closed] = await desk.deals();
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'manual' });
  const exits = await db
    .select()
    .from(tradeOrder)
    .where(and(eq(tradeOrder.dealId, held!.id), eq(tradeOrder.purpose, 'exit')));
  expect(exits).toHaveLength(2);
});

test('entry needs an account at each venue, its net APR and a gap above the exit level', async () => {
  const lacking = await rateDesk({}, { second: null });
  await lacking.run(2);
  expect([(await lacking.targets())[0]!.block, await lacking.deals()]).toEqual(['noAccount', []]);
  await lacking.retire();
  const patient = await rateDesk({ entryApr: 9 });
  await patient.run(2);
  expect([(await patient.targets())[0]!.block, await patient.deals()]).toEqual(['waitsForApr', []]);
  await patient.retire();
  const narrow = await rateDesk({ exitApr: 4 });
  expect((await narrow.preview()).block).toBe('waitsForGap');
  narrow.clock.now += DAY_MS;
});

/** It fills within a quarter of a minute from the first instant, and not for a minute from the other one. */
const FILLS_AT = START + 14 * MINUTE_MS;
const STANDS_AT = START;
/** So long before the first venue is out, which the other one is not. */
const SOON_OUT = Date.UTC(2026, 8, 3, 11, 27, 25);
const RESTS = { orderType: 'maker', convertSeconds: 60, exitApr: null, entryApr: 0 } as const;

type Desk = Awaited<ReturnType<typeof rateDesk>>;

const toldOf = async (desk: Pick<Desk, 'orders'>) =>
  (await desk.orders()).map(({ source, leg, type, state }) => [source, leg, type, state]);

/** Both legs hold one quantity, and about what was asked for. */
function expectMatched(
  held: Awaited<ReturnType<Desk['deals']>>[number] | undefined,
  notional = DEFAULT_CEX_RATE.legNotional,
): void {
  expect(held!.state).toBe('open');
  expect(new Big(held!.long.quantity).plus(held!.short.quantity).toNumber()).toBe(0);
  expect(Number(held!.long.notional) / notional).toBeCloseTo(1, 1);
}

describe('an entry whose first leg is a resting order', () => {
  test('is previewed, then hedged at the other venue as it fills', async () => {
    const desk = await rateDesk(RESTS, { start: FILLS_AT });
    const { ticket } = await desk.preview();
    expect(ticket!.legs.map(({ leg, source, way }) => [leg, source, way])).toEqual([
      ['long', 'simulated', 'hedges'],
      // Less is traded there.
      ['short', 'simulated-okx', 'rests'],
    ]);
    expect(ticket).toMatchObject({ slices: 1, payUpTicks: null, convertSeconds: 60, gap: 0 });
    const rests = ticket!.legs[1]!;
    expect(rests.fee! / rests.notional!).toBeCloseTo((await desk.venue.terms('simulated-okx', COIN))!.makerFee, 10);
    // At this very instant, on the book that it was told by.
    for (let turn = 0; turn < 3; turn += 1) await desk.engine.tick();
    const [begun] = await desk.deals();
    const [first] = await desk.orders();
    expect(Number(first!.limitPrice)).toBe(rests.price);
    expect(first!.quantity).toBe(rests.quantity);
    const resting = { legs: ['short'], isOut: false, convertsAt: begun!.stateAt + 60_000 };
    expect((await desk.deskOf())[0]).toMatchObject({ state: 'opening', resting, balance: null, lacking: null });
    await desk.run(20);
    expect(await toldOf(desk)).toEqual([
      ['simulated-okx', 'short', 'maker', 'filled'],
      ['simulated', 'long', 'market', 'filled'],
    ]);
    expectMatched((await desk.deals())[0]);
    expect((await desk.deskOf())[0]).toMatchObject({ state: 'open', resting: null, balance: 'neutral' });
  });

  test('is re-pegged until it converts to a taker order', async () => {
    const desk = await rateDesk(RESTS, { start: STANDS_AT });
    await desk.run(70);
    const rested = ['simulated-okx', 'short', 'maker', 'cancelled'];
    expect(await toldOf(desk)).toEqual([
      ...[rested, rested, rested],
      ['simulated-okx', 'short', 'market', 'filled'],
      ['simulated', 'long', 'market', 'filled'],
    ]);
    const [held] = await desk.deals();
    const orders = await desk.orders();
    expect(orders[3]!.createdAt - held!.createdAt).toBeGreaterThanOrEqual(60_000);
    expect(orders[3]!.createdAt - held!.createdAt).toBeLessThan(63_000);
    expectMatched(held);
  });

  test('rests until it is filled where no conversion time is set', async () => {
    const desk = await rateDesk({ ...RESTS, convertSeconds: null }, { start: STANDS_AT });
    await desk.run(70);
    expect((await desk.deskOf())[0]).toMatchObject({
      state: 'opening',
      resting: { legs: ['short'], isOut: false, convertsAt: null },
    });
    expect((await toldOf(desk)).every(([, , type]) => type === 'maker')).toBe(true);
    await desk.run(30);
    expectMatched((await desk.deals())[0]);
    expect((await toldOf(desk)).slice(-2)).toEqual([
      ['simulated-okx', 'short', 'maker', 'filled'],
      ['simulated', 'long', 'market', 'filled'],
    ]);
  });

  test('hedges each partial fill', async () => {
    const legNotional = 60_000;
    const desk = await rateDesk({ ...RESTS, legNotional }, { start: FILLS_AT });
    const parts = new Set<string>();
    for (let second = 0; second < 20; second += 1) {
      await desk.run(1);
      const [now] = await desk.deals();
      // Nothing stands alone from one turn to the next.
      expect(new Big(now!.long.quantity).plus(now!.short.quantity).toNumber()).toBe(0);
      parts.add(now!.long.quantity);
    }
    // Nothing, a part, the whole.
    expect(parts.size).toBeGreaterThanOrEqual(3);
    expectMatched((await desk.deals())[0], legNotional);
  });

  test.each([
    ['as it fills', FILLS_AT],
    ['as its time is over', STANDS_AT],
  ])('late and duplicate fill events cause no second order %s', async (_, start) => {
    const faults = { eventsLateMs: () => 3_000, repeatFills: () => true };
    const desk = await rateDesk({ ...RESTS, convertSeconds: 30 }, { start, venue: { faults } });
    await desk.run(60);
    expectMatched((await desk.deals())[0]);
    const filled = (await desk.orders()).filter(({ filledQuantity }) => Number(filledQuantity) > 0);
    expect(filled.map(({ leg }) => leg)).toEqual(['short', 'long']);
    await desk.run(5);
  });

  test('keeps resting after a restart, with the remaining conversion time', async () => {
    const desk = await rateDesk({ ...RESTS, convertSeconds: 30 }, { start: STANDS_AT });
    await desk.run(10);
    const before = await desk.orders();
    const [begun] = await desk.deals();
    await desk.engine.stop();
    const next = await desk.again();
    await next.run(5);
    expect((await next.orders()).map(({ id, state }) => [id, state])).toEqual([[before[0]!.id, 'open']]);
    expect((await desk.deskOf())[0]!.resting).toEqual({
      legs: ['short'],
      isOut: false,
      convertsAt: begun!.stateAt + 30_000,
    });
    await next.run(25);
    expectMatched((await desk.deals())[0]);
    const filled = (await next.orders()).filter(({ filledQuantity }) => Number(filledQuantity) > 0);
    expect(filled.map(({ leg, type }) => [leg, type])).toEqual([
      ['short', 'market'],
      ['long', 'market'],
    ]);
    expect(filled[0]!.createdAt).toBeGreaterThanOrEqual(begun!.stateAt + 30_000);
  });

  test('rests nowhere while the other venue is down', async () => {
    // Another coin: the rates of the usual one have met by then.
    const desk = await rateDesk({ ...RESTS, convertSeconds: 400, coins: ['APT'] }, { start: SOON_OUT });
    await desk.run(4);
    expect(await toldOf(desk)).toEqual([['simulated-okx', 'short', 'maker', 'open']]);
    await desk.run(4);
    expect(await toldOf(desk)).toEqual([['simulated-okx', 'short', 'maker', 'cancelled']]);
    await desk.run(150);
    expect(await desk.orders()).toHaveLength(1);
    expect((await desk.deals())[0]!.state).toBe('opening');
    await desk.run(270);
    expectMatched((await desk.deals())[0]);
  });

  test('ends flat at both venues when its hedge is refused', async () => {
    const faults = { reject: ({ source }: { source: string }) => source === 'simulated' };
    const desk = await rateDesk(RESTS, { start: FILLS_AT, venue: { faults } });
    await desk.run(50);
    const [ended] = await desk.deals();
    expect(ended).toMatchObject({ state: 'failed', closeReason: 'oneLeg' });
    expect([ended!.long.quantity, ended!.short.quantity].map(Number)).toEqual([0, 0]);
    expect(Number(ended!.short.opened)).toBeGreaterThan(0);
    const own = (await desk.orders()).filter(({ dealId }) => dealId === ended!.id);
    expect(own.filter(({ state }) => state === 'open')).toEqual([]);
  });
});

test('a strategy saved before order types existed takes at both venues', async () => {
  const desk = await rateDesk({ orderType: undefined, convertSeconds: undefined });
  expect((await desk.preview()).ticket!.legs.map(({ way }) => way)).toEqual(['takes', 'takes']);
  await desk.run(4);
  expect((await toldOf(desk)).map(([, , type, state]) => [type, state])).toEqual([
    ['market', 'filled'],
    ['market', 'filled'],
  ]);
  expectMatched((await desk.deals())[0]);
});
