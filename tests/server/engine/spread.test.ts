import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { and, asc, eq } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_SPREAD, type SpreadParams } from '#contract/kinds/spread/params';
import { fill, ledger, strategy } from '#server/base/db/schema';
import { targetsOfStrategies } from '#server/base/db/strategies/target';
import { closeDeal, rollDeal, setExitTarget, startStrategy } from '#server/desk/strategy/strategyIntents';
import { dealRows } from '#server/desk/strategy/strategyRows';
import { rollQuote, spreadDates, spreadFigures } from '#server/kinds/spread/desk';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
const EXPIRY = Date.UTC(2026, 8, 25, 8);
const SPOT = 'BTCUSDT_SPOT';
const FUTURE = 'BTCUSDT_260925';
const NEXT = 'BTCUSDT_261225';

const db = await fileDatabase();

type Options = NonNullable<Parameters<typeof strategyDesk>[4]>;

async function spreadDesk(over: Partial<SpreadParams> = {}, options: Options = {}) {
  const params = { ...DEFAULT_SPREAD, near: SPOT, far: FUTURE, exitLevel: null, ...over };
  const desk = await strategyDesk(db, simulatedMarket(START), 'spread', params, options);
  return {
    ...desk,
    standing: async () => (await desk.targets()).filter(({ removedAt }) => removedAt === null),
    fills: (symbol: string) =>
      db
        .select()
        .from(fill)
        .where(and(eq(fill.userId, desk.userId), eq(fill.symbol, symbol))),
  };
}

test('a cash and carry held through delivery settles at the index mean with clean books', async () => {
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
  await desk.netOf(held!.id);
});

test('enters at its net APR, exits on convergence or before expiry', async () => {
  const patient = await spreadDesk({ entryApr: 5 });
  await patient.run(3);
  expect(await patient.deals()).toEqual([]);
  expect((await patient.preview()).block).toBe('waitsForApr');
  await patient.retire();

  // The basis of 24 days is some per mille: a level above it is met at once, and nothing is opened for that.
  const near = await spreadDesk({ entryApr: 0, exitLevel: 0.2 });
  await near.run(3);
  expect(await near.deals()).toEqual([]);
  expect((await near.preview()).block).toBe('exitTooNear');
  await near.retire();

  const meets = await spreadDesk({ entryApr: 0, roundStep: 1 });
  await meets.run(10);
  await meets.ask(async (tx, who) => setExitTarget(tx, who, (await meets.deals())[0]!.id, 0.2));
  await meets.run(10);
  expect((await meets.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
    ['closed', 'converged'],
  ]);
  await meets.retireClean();

  const early = await spreadDesk({ entryApr: 0, closeBeforeHours: 48, roundStep: 1 });
  await early.run(8);
  early.clock.now = EXPIRY - 49 * HOUR_MS;
  await early.run(3);
  expect((await early.deals())[0]!.state).toBe('open');
  early.clock.now = EXPIRY - 47 * HOUR_MS;
  await early.run(15);
  expect((await early.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'expiry']]);
  early.clock.now += DAY_MS;
});

/** That the strategy went on in the next expiry: the near leg was not traded, and what both deals made is their cash. */
async function expectRolled(desk: Awaited<ReturnType<typeof spreadDesk>>, bought: number) {
  const [before, after, ...more] = await desk.deals();
  expect(more).toEqual([]);
  expect(before).toMatchObject({ state: 'closed', closeReason: 'rolled' });
  expect(after).toMatchObject({ state: 'open', rolledFrom: before!.id });
  expect([after!.long.symbol, after!.short.symbol]).toEqual([SPOT, NEXT]);
  expect([before!.long.quantity, before!.short.quantity].map(Number)).toEqual([0, 0]);
  // All of the coin came along, down to what no order could sell, and nothing of it was bought or sold.
  expect(after!.long.quantity).toBe(before!.long.opened);
  expect(await desk.fills(SPOT)).toHaveLength(bought);
  expect(new Big(after!.long.quantity).plus(after!.short.quantity).abs().lt(0.001)).toBe(true);
  for (const { id } of [before!, after!]) await desk.netOf(id);
  expect(await desk.strategy()).toMatchObject({ version: 2, updatedBy: '引擎', params: { near: SPOT, far: NEXT } });
  expect((await desk.standing()).map(({ legs, id }) => [id, legs.map(({ symbol }) => symbol)])).toEqual([
    [after!.targetId, [SPOT, NEXT]],
  ]);
  expect(await desk.findings()).toEqual([]);
}

test('a manual roll moves to the next expiry without trading the coin', async () => {
  const desk = await spreadDesk({ entryApr: 0 });
  await desk.run(10);
  const [held] = await desk.deals();
  const bought = (await desk.fills(SPOT)).length;
  await desk.ask((tx, who) => setExitTarget(tx, who, held!.id, 0.0005));
  expect((await desk.deals())[0]!.params).toMatchObject({ exitLevel: 0.0005 });
  const needs = { db, markets: desk.markets, venue: desk.venue };
  const quote = await rollQuote(needs, desk.userId, held!.id, desk.clock.now);
  expect(quote).toMatchObject({ from: FUTURE, to: NEXT, obstacles: [], quantity: Number(held!.long.quantity) });
  expect(quote.cost!).toBeCloseTo(quote.fees! + quote.slippage!, 9);
  expect(quote.refusal).toBeNull();
  // Between the two steps the account holds one leg more, against margin of its own.
  const known = await desk.venue.margin(held!.long.accountId);
  const margin = async () => ({ ...known, initialMargin: String(Number(known.marginBalance) - 1) });
  const tight = await rollQuote({ ...needs, venue: { margin } }, desk.userId, held!.id, desk.clock.now);
  expect(tight.refusal).toMatch(/^移仓其间多持一腿：还要保证金 .+，账户可用保证金只余 1\.00 USDT$/);
  await desk.ask((tx, who) => rollDeal(tx, who, held!.id));
  await desk.run(15);
  await expectRolled(desk, bought);
  const [before, after] = await desk.deals();
  // What was quoted is about what was paid.
  const paid = [...(await desk.fills(NEXT)), ...(await desk.fills(FUTURE)).slice(-1)];
  expect(paid.reduce((sum, { fee }) => sum + Number(fee), 0) / quote.fees!).toBeCloseTo(1, 1);
  const figures = await spreadFigures(needs, desk.userId, desk.id, desk.clock.now);
  expect(figures).toMatchObject({ opened: 2, unmatched: 0, edgeOpen: expect.any(Number), secondFillMs: 0 });
  expect(figures.expiries.map(({ far, deals, running }) => [far, deals, running])).toEqual([
    [NEXT, 1, 1],
    [FUTURE, 1, 0],
  ]);
  // The chart of either expiry tells of it, and of nobody else's.
  const pairOf = (far: string) => ({ source: 'simulated', near: SPOT, far });
  const rolled = { at: after!.openedAt, from: FUTURE, to: NEXT };
  expect(await spreadDates(needs, desk.userId, pairOf(FUTURE), desk.clock.now)).toEqual({
    expiries: [{ symbol: FUTURE, at: EXPIRY }],
    rolls: [{ ...rolled, way: 'out' }],
  });
  expect((await spreadDates(needs, desk.userId, pairOf(NEXT), desk.clock.now)).rolls).toEqual([
    { ...rolled, way: 'in' },
  ]);
  expect((await spreadDates(needs, randomUUID(), pairOf(NEXT), desk.clock.now)).rolls).toEqual([]);
  expect((await spreadDates(needs, desk.userId, pairOf(NEXT), desk.clock.now + 91 * DAY_MS)).rolls).toEqual([]);
  // Held to its expiry it makes about the edge that it was opened at, less the fees that it has paid and will pay.
  const [next] = figures.expiries;
  const notional = Number(after!.long.notional);
  const made = next!.edgeTaken! * notional - next!.fees!;
  expect(next!.expected!).toBeLessThan(made);
  expect(next!.expected!).toBeGreaterThan(made - notional * 0.003);
  expect(await desk.events(after!.id)).toEqual(
    expect.arrayContaining(['created', 'registered', 'filled', 'rolled', 'opened']),
  );
  expect((await desk.events(before!.id)).slice(-3)).toEqual(expect.arrayContaining(['closed']));
  await expect(desk.ask((tx, who) => rollDeal(tx, who, before!.id))).rejects.toMatchObject({ code: 5109 });
  // Closed by a person, it is the pair of the new expiry that stays closed.
  await desk.ask((tx, who) => closeDeal(tx, who, after!.id));
  await desk.run(10);
  expect((await desk.deals()).map(({ state }) => state)).toEqual(['closed', 'closed']);
  const standing = await targetsOfStrategies(db, [desk.id]);
  expect(standing.map(({ legs, hold }) => [legs[1]!.symbol, hold])).toEqual([[NEXT, 'closed']]);
});

test('a roll needs margin for the new leg, not once more for the one that it takes over', async () => {
  const desk = await spreadDesk({ entryApr: 0, legNotional: 30_000, leverage: 1 });
  await desk.run(30);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  const bought = (await desk.fills(SPOT)).length;
  const needs = { db, markets: desk.markets, venue: desk.venue };
  const quote = await rollQuote(needs, desk.userId, held!.id, desk.clock.now);
  expect(quote.refusal).toBeNull();
  await desk.ask((tx, who) => rollDeal(tx, who, held!.id));
  await desk.run(30);
  await expectRolled(desk, bought);
});

test('rolls automatically, retries after a refusal and survives a crash', async () => {
  const box = { refuse: true, kill: true };
  const desk = await spreadDesk(
    { entryApr: 0, rollDays: 5, roundStep: 1 },
    {
      venue: { faults: { reject: ({ symbol }) => box.refuse && symbol === NEXT } },
      engine: {
        notify: (notice) => {
          // The new leg is filled and booked, and nothing else has happened yet.
          const isIn = notice.kind === 'order' && notice.order.symbol === NEXT && notice.order.state === 'filled';
          if (!box.kill || !isIn) return;
          box.kill = false;
          throw new Error('killed');
        },
      },
    },
  );
  await desk.run(10);
  const bought = (await desk.fills(SPOT)).length;
  desk.clock.now = EXPIRY - 6 * DAY_MS;
  await desk.run(3);
  expect(await desk.deals()).toHaveLength(1);
  desk.clock.now = EXPIRY - 5 * DAY_MS;
  await desk.run(25);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
    ['open', null],
    ['failed', 'refused'],
  ]);
  expect((await desk.strategy()).version).toBe(1);
  expect(await desk.findings()).toEqual([]);

  // What came to nothing is no part of what follows.
  const [, failed] = await desk.deals();
  box.refuse = false;
  desk.clock.now += HOUR_MS;
  await desk.run(20);
  expect(box.kill).toBe(false);
  const deals = await desk.deals();
  await expectRolled({ ...desk, deals: async () => deals.filter(({ id }) => id !== failed!.id) }, bought);
});

describe('a deal that ends during its roll', () => {
  const begun = async (seconds: number) => {
    const desk = await spreadDesk({ entryApr: 0, roundStep: 0 }, { venue: { faults: { eventsLateMs: () => 2000 } } });
    await desk.run(20);
    const [held] = await desk.deals();
    expect(held!.state).toBe('open');
    const bought = (await desk.fills(SPOT)).filter(({ side }) => side === 'buy').length;
    await desk.ask((tx, who) => rollDeal(tx, who, held!.id));
    await desk.run(seconds);
    return { desk, id: held!.id, bought };
  };

  test.each([
    ['before the new leg is in', 1, ['open', 'opening']],
    ['when it was just taken over', 2, ['closing', 'open']],
  ])('closed by a person %s, both deals stay closed', async (_when, seconds, states) => {
    const { desk, id, bought } = await begun(seconds);
    expect((await desk.deals()).map(({ state }) => state)).toEqual(states);
    await desk.ask((tx, who) => closeDeal(tx, who, id));
    await desk.run(25);
    expect((await desk.deals()).map(({ closedAt }) => closedAt !== null)).toEqual([true, true]);
    expect((await desk.fills(SPOT)).filter(({ side }) => side === 'buy')).toHaveLength(bought);
    expect((await desk.standing()).map(({ hold }) => hold)).toEqual(['closed']);
  });

  test('closed by its exit rule, is not replaced', async () => {
    const { desk, id } = await begun(1);
    await desk.ask((tx, who) => setExitTarget(tx, who, id, 1));
    await desk.run(25);
    const [earlier, follower] = await desk.deals();
    expect([earlier!.closeReason, follower!.rolledFrom]).toEqual(['converged', id]);
    expect([follower!.closedAt !== null, Number(follower!.long.opened)]).toEqual([true, 0]);
  });
});

type Desk = Awaited<ReturnType<typeof spreadDesk>>;
/** A perpetual against a future that still nets something once its funding counts. */
const PERPETUAL = 'ETHUSDT';
const LATER = 'ETHUSDT_261225';
const FAR = { near: PERPETUAL, far: LATER, entryApr: 0, stopLoss: null };

const imbalanceOf = ({ long, short }: Awaited<ReturnType<Desk['deals']>>[number]): number =>
  Math.abs(Number(long.quantity) + Number(short.quantity));

/** What was filled of a symbol: base currency, average price and fees, USDT. */
function filledOf(fills: Awaited<ReturnType<Desk['fills']>>) {
  const sum = (of: (one: (typeof fills)[number]) => number) => fills.reduce((total, one) => total + of(one), 0);
  const quantity = sum((one) => Number(one.quantity));
  return {
    quantity,
    price: sum((one) => Number(one.quantity) * Number(one.price)) / quantity,
    fee: sum((one) => Number(one.fee)),
  };
}

/** Turns of the engine at this very instant: fills meet the book that a dry run was made on. */
async function turns({ engine }: Desk, times = 6) {
  for (let turn = 0; turn < times; turn += 1) await engine.tick();
}

describe('the dry run of an entry', () => {
  test.each([
    ['spot against a future', { entryApr: 0, legNotional: 20_000 }],
    ['a perpetual against a future', { ...FAR, legNotional: 15_000 }],
  ])('%s, states what is filled, each leg on its own lots', async (_, over) => {
    const desk = await spreadDesk({ stopLoss: null, ...over }, { begins: false });
    const { ticket } = await desk.preview();
    expect(ticket!.legs.map(({ leg, way }) => [leg, way])).toEqual([
      ['long', 'takes'],
      ['short', 'takes'],
    ]);
    const [bought, sold] = await Promise.all(
      ticket!.legs.map(({ source, symbol }) => desk.venue.quote(source, symbol)),
    );
    const quotes = { long: bought, short: sold };
    await desk.start();
    await turns(desk);
    const [held] = await desk.deals();
    expect(held!.state).toBe('open');
    for (const told of ticket!.legs) {
      const filled = filledOf(await desk.fills(told.symbol));
      expect(filled.quantity).toBeCloseTo(Number(told.quantity), 10);
      expect(filled.price / told.price!).toBeCloseTo(1, 6);
      expect(filled.fee / told.fee!).toBeCloseTo(1, 5);
      // Entering is no gain: what is bought is above the middle, what is sold below it.
      const { bid, ask } = quotes[told.leg]!;
      const worse = (told.price! - (bid + ask) / 2) * (told.leg === 'long' ? 1 : -1);
      expect(told.slippage!).toBeCloseTo(Number(told.quantity) * worse, 6);
      expect(told.slippage!).toBeGreaterThan(0);
      expect(told.notional!).toBeCloseTo(Number(told.quantity) * told.price!, 6);
      expect(Math.abs(Number(held![told.leg].quantity))).toBeCloseTo(Number(told.held), 10);
      expect(new Big(told.quantity).mod(told.lotSize).toNumber()).toBe(0);
      expect(Number(told.fillable)).toBe(Number(told.partQuantity));
    }
    expect(imbalanceOf(held!) * ticket!.legs[0]!.price!).toBeCloseTo(ticket!.gap, 1);
  });

  test('states the first TWAP slice', async () => {
    const desk = await spreadDesk({ ...FAR, legNotional: 15_000, slices: 3, sliceSeconds: 5 }, { begins: false });
    const { ticket } = await desk.preview();
    await desk.start();
    await turns(desk);
    for (const { symbol, partQuantity, quantity } of ticket!.legs) {
      expect(filledOf(await desk.fills(symbol)).quantity).toBeCloseTo(Number(partQuantity), 10);
      expect(Number(partQuantity) / Number(quantity)).toBeCloseTo(1 / 3, 1);
    }
    expect((await desk.deals())[0]!.state).toBe('opening');
    await desk.run(14);
    for (const { symbol, quantity } of ticket!.legs) {
      expect(filledOf(await desk.fills(symbol)).quantity).toBeCloseTo(Number(quantity), 10);
    }
    expect((await desk.deals())[0]!.state).toBe('open');
  });

  test('states price and fee of a resting order', async () => {
    const desk = await spreadDesk({ ...FAR, orderType: 'maker', convertSeconds: 30 }, { begins: false });
    const { ticket } = await desk.preview();
    const rests = ticket!.legs.find(({ way }) => way === 'rests')!;
    // The future is traded less than the perpetual.
    expect(rests).toMatchObject({ symbol: LATER, fillable: null });
    // It is taken from the book later: the limit is the one of then.
    const toLimit = (rests.limitPrice! - rests.price!) * (rests.leg === 'long' ? 1 : -1);
    expect(toLimit).toBeGreaterThan(0);
    const { makerFee } = (await desk.venue.terms('simulated', LATER))!;
    expect(rests.fee!).toBeCloseTo(rests.notional! * makerFee, 8);
    await desk.start();
    await turns(desk, 3);
    const [order, ...more] = await desk.orders();
    expect(more).toEqual([]);
    expect(order).toMatchObject({ symbol: LATER, type: 'maker', quantity: rests.quantity });
    expect(Number(order!.limitPrice)).toBe(rests.price);
  });
});

/** The orders that were filled at all, in their order. */
const doneOf = async (desk: Pick<Desk, 'orders'>) =>
  (await desk.orders())
    .filter(({ filledQuantity }) => Number(filledQuantity) > 0)
    .map(({ symbol, type, purpose }) => [symbol, type, purpose]);

test('a resting leg is hedged as it fills or taken at its conversion time', async () => {
  const desk = await spreadDesk({ ...FAR, orderType: 'maker', convertSeconds: 7 });
  await desk.run(1);
  const [begun] = await desk.deals();
  const rowNow = async () => (await dealRows({ db, markets: desk.markets }, desk.id, desk.clock.now, 5))[0]!;
  expect((await rowNow()).resting).toEqual({ legs: ['short'], isOut: false, convertsAt: begun!.stateAt + 7_000 });
  await desk.run(12);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(imbalanceOf(held!)).toBeLessThan(0.001);
  const [first, ...later] = (await desk.orders()).filter(({ symbol }) => symbol === LATER);
  expect(first).toMatchObject({ type: 'maker' });
  for (const { type, createdAt } of later) {
    if (type === 'market') expect(createdAt).toBeGreaterThanOrEqual(begun!.stateAt + 7_000);
  }
  expect((await rowNow()).resting).toBeNull();
});

test.each(['maker', 'market'] as const)('late fill events cause no second order (%s)', async (orderType) => {
  const over = { ...FAR, orderType, convertSeconds: 10, slices: 2, sliceSeconds: 6, legNotional: 15_000 };
  const desk = await spreadDesk(over, { venue: { faults: { eventsLateMs: () => 3_000, repeatFills: () => true } } });
  await desk.run(60);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(imbalanceOf(held!)).toBeLessThan(0.001);
  for (const { notional } of [held!.long, held!.short]) {
    expect(Number(notional)).toBeGreaterThan(15_000 * 0.97);
    expect(Number(notional)).toBeLessThan(15_000 * 1.03);
  }
  await desk.run(5);
});

test('after a restart between TWAP slices only the missing ones are sent', async () => {
  const desk = await spreadDesk({ ...FAR, legNotional: 15_000, slices: 3, sliceSeconds: 10 });
  await desk.run(4);
  const before = await desk.orders();
  const [first] = await desk.deals();
  expect(first!.state).toBe('opening');
  const part = Number(first!.short.quantity);
  await desk.engine.stop();
  const next = await desk.again();
  await next.run(2);
  expect(await next.orders()).toHaveLength(before.length);
  expect(Number((await desk.deals())[0]!.short.quantity)).toBe(part);
  await next.run(25);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(Number(held!.short.quantity) / part).toBeCloseTo(3, 1);
  expect(imbalanceOf(held!)).toBeLessThan(0.001);
  // Three parts of two legs.
  expect(await doneOf(next)).toHaveLength(6);
});

test('after a restart slices wait for an account that is not read yet, and are not given up', async () => {
  const desk = await spreadDesk({ ...FAR, legNotional: 15_000, slices: 3, sliceSeconds: 10 });
  await desk.run(4);
  const [first] = await desk.deals();
  expect(first!.state).toBe('opening');
  const part = Number(first!.short.quantity);
  await desk.engine.stop();
  const next = await desk.again();
  // As a real account is to a process that has just begun: what happened to it is read beside the first looks.
  const tend = next.venue.tend.bind(next.venue);
  next.venue.tend = async () => 'journalBehind';
  await next.run(2);
  next.venue.tend = tend;
  await next.run(27);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(Number(held!.short.quantity) / part).toBeCloseTo(3, 1);
});

describe('a refused hedging leg', () => {
  const hedgeDesk = async (over: Partial<SpreadParams>) => {
    const box = { refuse: true };
    const faults = { reject: ({ symbol }: { symbol: string }) => box.refuse && symbol === PERPETUAL };
    return { box, desk: await spreadDesk({ ...FAR, ...over }, { venue: { faults } }) };
  };

  test('holds back the next slice until it is filled', async () => {
    // The far leg is bought and sold first: it is traded less.
    const { box, desk } = await hedgeDesk({ legNotional: 15_000, slices: 3, sliceSeconds: 5 });
    await desk.run(8);
    expect((await desk.orders()).filter(({ symbol }) => symbol === LATER)).toHaveLength(1);
    box.refuse = false;
    await desk.run(25);
    const [held] = await desk.deals();
    expect(held!.state).toBe('open');
    expect(imbalanceOf(held!)).toBeLessThan(0.001);
    expect(Number(held!.short.notional)).toBeGreaterThan(15_000 * 0.97);
  });

  test('ends an entry that cannot complete, flat', async () => {
    const { desk } = await hedgeDesk({ orderType: 'maker', convertSeconds: 5, slices: 2, sliceSeconds: 20 });
    await desk.run(40);
    const [ended] = await desk.deals();
    expect(ended).toMatchObject({ state: 'failed', closeReason: 'oneLeg' });
    expect([ended!.long.quantity, ended!.short.quantity].map(Number)).toEqual([0, 0]);
    const own = (await desk.orders()).filter(({ dealId }) => dealId === ended!.id);
    expect(own.filter(({ state }) => state === 'open')).toEqual([]);
    expect(own.some(({ state, symbol }) => state === 'refused' && symbol === PERPETUAL)).toBe(true);
    // The half that was due and no more of it was ever held.
    expect(Number(ended!.short.opened) * ended!.short.midOpen!).toBeLessThan(DEFAULT_SPREAD.legNotional * 0.51);
  });
});

test('no entry order goes beyond its ticks', async () => {
  const desk = await spreadDesk({ ...FAR, payUpTicks: 2 }, { begins: false });
  const { ticket } = await desk.preview();
  await desk.start();
  await turns(desk);
  const orders = await desk.orders();
  for (const { leg, symbol, limitPrice } of ticket!.legs) {
    const { bids, asks, tickSize } = desk.market.book!(symbol, desk.clock.now)!;
    const worst = tickSize.times(leg === 'long' ? asks[0]!.ticks + 2 : bids[0]!.ticks - 2);
    expect(limitPrice).toBe(worst.toNumber());
    const first = orders.find((one) => one.symbol === symbol);
    expect(Number(first!.limitPrice)).toBe(worst.toNumber());
  }
});

test('a strategy saved before order types existed enters as before', async () => {
  const { orderType: _a, convertSeconds: _b, slices: _c, sliceSeconds: _d, payUpTicks: _e, ...old } = DEFAULT_SPREAD;
  const desk = await spreadDesk({}, { begins: false });
  const params = { ...old, near: SPOT, far: FUTURE, entryApr: 0 };
  await db.update(strategy).set({ params }).where(eq(strategy.id, desk.id));
  await desk.engine.stop();
  const next = await desk.again();
  await desk.ask((tx, who) => startStrategy(tx, who, desk.id));
  await next.run(6);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(await doneOf(next)).toEqual([
    [FUTURE, 'market', 'entry'],
    [SPOT, 'market', 'entry'],
  ]);
});
