import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { PartClose } from '#contract/closeQuote';
import { deal, dealEvent, dealLeg } from '#server/base/db/schema';
import { ownDeal } from '#server/base/db/strategies/deal';
import { Refusal } from '#server/base/http/refusal';
import { askedOnce, closeQuote } from '#server/desk/strategy/closeQuote';
import { dealOutlook } from '#server/desk/strategy/dealOutlook';
import { reduceDeal } from '#server/desk/strategy/partClose';
import { cutOf, heldOf, legTermsOf } from '#server/desk/strategy/partQuote';
import { closeDeal, rebalanceLegs } from '#server/desk/strategy/strategyIntents';
import { PairModels } from '#server/engine/pairModel';
import { changeHedges } from '../../support/bookRows';
import { KIND_SAMPLES, kindDesk, kindMarket, type TradedKind } from '../../support/kindDesk';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
type Desk = Awaited<ReturnType<typeof tradingDesk>>;
type Options = Parameters<typeof tradingDesk>[2];

/** Asks for a part as the console does: what was seen of the legs goes along. */
async function ask(
  { userId, venue }: Pick<Desk, 'userId' | 'venue'>,
  id: string,
  now: number,
  { percent = 50, maker = false, held }: Partial<PartClose> = {},
) {
  const row = (await ownDeal(db, userId, id))!;
  const seen = held ?? heldOf(row);
  const terms = await legTermsOf(venue, row);
  const asker = { user: { id: userId, name: 'desk' }, now };
  return db.transaction((tx) => reduceDeal(tx, asker, { id, percent, maker, held: seen }, terms));
}

/** A hedge of 20 AAAUSDT against 40.01 BBBUSDT, 2,000 USDT a leg, that is open. */
async function held(options: Options = {}) {
  const moving = market();
  const desk = await tradingDesk(db, moving, options);
  await desk.addPair();
  await desk.engine.tick();
  const { id, state } = await desk.hedge();
  expect(state).toBe('open');
  return {
    ...desk,
    moving,
    id,
    reduce: (part: Partial<PartClose> = {}) => ask(desk, id, moving.clock(), part),
    lines: async (kind: string) =>
      (await db.select().from(dealEvent).where(eq(dealEvent.dealId, id)))
        .filter((one) => one.kind === kind)
        .map(({ detail }) => detail),
    exits: async () => (await desk.orders()).filter(({ purpose }) => purpose === 'exit'),
  };
}

const sizes = ({ longQuantity, shortQuantity }: { longQuantity: string; shortQuantity: string }) => [
  Number(longQuantity),
  Number(shortQuantity),
];

describe('what a part comes to', () => {
  const legs = (long: string, short: string) =>
    ({
      legs: [
        { leg: 'long', symbol: 'AAAUSDT', quantity: long },
        { leg: 'short', symbol: 'BBBUSDT', quantity: short },
      ],
    }) as Parameters<typeof cutOf>[0];
  const terms = (lots: [string, string], prices: [number, number]) => ({
    long: { lotSize: lots[0], minNotional: '5', price: prices[0] },
    short: { lotSize: lots[1], minNotional: '5', price: prices[1] },
  });
  const cut = (of: Parameters<typeof cutOf>) => {
    const found = cutOf(...of);
    return typeof found === 'string' ? found : [found.long.toFixed(), found.short.toFixed()];
  };

  test('is whole lots of the coarser leg, and the same share of the other', () => {
    expect(cut([legs('20', '-40'), terms(['0.01', '0.01'], [100, 50]), 25])).toEqual(['5', '10']);
    // Three lots: 75 % is two of them, which is two thirds of the other leg.
    expect(cut([legs('3', '-0.9'), terms(['1', '0.001'], [100, 333]), 75])).toEqual(['2', '0.6']);
    // Coin that a fee has taken from is no whole number of lots.
    expect(cut([legs('99.9', '-99.9'), terms(['1', '0.1'], [10, 10]), 50])).toEqual(['49', '49']);
  });

  test('is refused in words where it, or what is left, is too little for an order', () => {
    expect(cut([legs('3', '-3'), terms(['1', '1'], [100, 100]), 25])).toMatch(/^25% 不够 AAAUSDT 的一个最小数量 1/);
    expect(cut([legs('0.1', '-0.2'), terms(['0.01', '0.01'], [100, 50]), 25])).toMatch(
      /只有 2.00 USDT，低于最小下单额 5 USDT/,
    );
    expect(cut([legs('0.1', '-0.2'), terms(['0.01', '0.01'], [100, 50]), 75])).toMatch(/后 .* 只剩 3.00 USDT/);
    expect(cut([legs('0.1', '0'), terms(['0.01', '0.01'], [100, 50]), 50])).toMatch(/没有两腿都持有/);
    expect(cut([legs('1', '-1'), { ...terms(['1', '1'], [1, 1]), short: null }, 50])).toMatch(/BBBUSDT 现在没有报价/);
  });
});

test('half of both legs is closed together, once however often it is asked for, and the rest is held', async () => {
  const desk = await held();
  const { answer, after } = await desk.reduce();
  expect(answer.keep).toEqual({ long: '10', short: '-20' });
  expect(after).toMatchObject({ pair: 'AAAUSDT / BBBUSDT', percent: 50, long: '10', short: '-20' });
  // Before the engine has done it, and from another tab that has not seen it.
  await expect(desk.reduce()).rejects.toMatchObject({ status: 409 });
  await desk.engine.wake(desk.userId);
  await desk.run(3);
  expect(sizes(await desk.hedge())).toEqual([10, -20]);
  await expect(desk.reduce({ held: { long: '20', short: '-40.01' } })).rejects.toMatchObject({ status: 409 });
  await desk.run(90);
  const half = await desk.hedge();
  expect(half).toMatchObject({ state: 'open', frozen: null, oneLegSince: null });
  expect(sizes(half)).toEqual([10, -20]);
  expect((await desk.exits()).map(({ symbol, quantity, reduceOnly }) => [symbol, quantity, reduceOnly])).toEqual([
    ['AAAUSDT', '10', true],
    ['BBBUSDT', '20.01', true],
  ]);
  const [asked] = await desk.lines('reducing');
  expect(asked).toBe('平 50%（市价）：AAAUSDT 10，剩 10；BBBUSDT 20.01，剩 20，由 desk');
  expect(await desk.lines('reduced')).toEqual([expect.stringMatching(/^剩 AAAUSDT 10，BBBUSDT -20；/)]);

  // A quarter of what is left, asked for in the same instant that the first one was done in.
  await desk.reduce({ percent: 25 });
  await desk.run(2);
  expect(sizes(await desk.hedge())).toEqual([7.5, -15]);
  expect(await desk.findings()).toEqual([]);

  await desk.close(desk.id);
  await desk.run(3);
  expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'manual', longOpened: '20' });
});

test('stop and target stay those of the whole entry, and what was taken already counts', async () => {
  const desk = await held({ settings: { stopLoss: 0.1, takeProfit: 0.05 } });
  desk.moving.set('AAAUSDT', 108);
  await desk.engine.tick();
  const outlook = async () =>
    dealOutlook(
      { db, venue: desk.venue, markets: desk.moving.markets, clock: desk.moving.clock, pairModels: new PairModels() },
      (await ownDeal(db, desk.userId, desk.id))!,
    );
  const target = async () => {
    const { rules, limitBase } = await outlook();
    return { ...rules.find(({ reason }) => reason === 'takeProfit')!, limitBase };
  };
  const whole = await target();
  expect(whole.at).toBeCloseTo(0.05 * whole.limitBase, 8);
  await desk.reduce();
  await desk.run(2);
  const half = await target();
  expect(half).toMatchObject({ at: whole.at, limitBase: whole.limitBase });
  // 160 of price, half of it realised: only what going out has cost is missing.
  expect(whole.now!).toBeCloseTo(157.2, 0);
  expect(half.now!).toBeLessThan(whole.now!);
  expect(half.now!).toBeGreaterThan(whole.now! - 3);
  // At 113 the half that is held makes 130: with the 80 that were taken it is beyond the target of 200.
  desk.moving.set('AAAUSDT', 111);
  await desk.run(3);
  expect((await desk.hedge()).state).toBe('open');
  desk.moving.set('AAAUSDT', 113);
  await desk.run(3);
  expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'takeProfit' });
});

test('a quote of a part says what it brings, what it costs and what is left', async () => {
  const desk = await held();
  desk.moving.set('AAAUSDT', 110);
  const row = (await ownDeal(db, desk.userId, desk.id))!;
  const whole = await closeQuote({ db, venue: desk.venue, markets: desk.moving.markets }, row);
  const half = await closeQuote({ db, venue: desk.venue, markets: desk.moving.markets }, row, { percent: 50 });
  expect(half.legs.map(({ quantity, left }) => [quantity, left])).toEqual([
    ['10', '10'],
    ['20.01', '20'],
  ]);
  expect(half.realised!).toBeCloseTo(whole.realised! / 2, 0);
  expect(half.cost!).toBeCloseTo(whole.cost! / 2, 1);
  // The rest stays at the mid: only its own way out is not paid.
  expect(half.net! - whole.net!).toBeCloseTo(whole.cost! / 2, 1);
  const resting = await closeQuote({ db, venue: desk.venue, markets: desk.moving.markets }, row, {
    percent: 50,
    maker: true,
  });
  expect(resting.cost!).toBeLessThan(half.cost!);
  expect(
    (await closeQuote({ db, venue: desk.venue, markets: desk.moving.markets }, row, { percent: 1 })).refusal,
  ).toBeNull();
  await desk.reduce();
  await desk.run(2);
  const after = (await ownDeal(db, desk.userId, desk.id))!;
  const sum = (figure: 'realised' | 'fees') => after.legs.reduce((total, leg) => total + Number(leg[figure]), 0);
  const before = row.legs.reduce((total, leg) => total + Number(leg.fees), 0);
  expect(sum('realised') - (sum('fees') - before)).toBeCloseTo(half.realised!, 1);
});

test('a part without a price names the exchange that it is missing at', async () => {
  const desk = await held();
  const row = (await ownDeal(db, desk.userId, desk.id))!;
  const venue = { ...askedOnce(desk.venue), quote: async () => undefined };
  const { refusal } = await closeQuote({ db, venue, markets: desk.moving.markets }, row, { percent: 50 });
  expect(refusal).toMatch(/\S的 AAAUSDT 现在没有盘口/);
});

test('a part is refused where it cannot be done', async () => {
  const desk = await held();
  await expect(desk.reduce({ percent: 1, held: { long: '20', short: '-41' } })).rejects.toMatchObject({ status: 409 });
  const asker = { user: { id: randomUUID(), name: 'another' }, now: desk.moving.clock() };
  const row = (await ownDeal(db, desk.userId, desk.id))!;
  const terms = await legTermsOf(desk.venue, row);
  const body = { id: desk.id, percent: 50, maker: false, held: { long: '20', short: '-40.01' } };
  await expect(db.transaction((tx) => reduceDeal(tx, asker, body, terms))).rejects.toBeInstanceOf(Refusal);
  await changeHedges(db, [desk.id], { frozen: '风控拦截：x' });
  await expect(desk.reduce()).rejects.toMatchObject({ code: 5133 });
  await changeHedges(db, [desk.id], { frozen: null, closeAskedAt: desk.moving.clock() });
  await expect(desk.reduce()).rejects.toThrow('已请求平仓');
  await desk.run(3);
  await expect(desk.reduce({ held: { long: '0', short: '0' } })).rejects.toThrow('已请求平仓');
});

describe('with faults, a part is', () => {
  test('done by the one leg that was refused as soon as the venue takes it', async () => {
    let isRefusing = true;
    const desk = await held({
      venue: { faults: { reject: ({ symbol, reduceOnly }) => isRefusing && reduceOnly && symbol === 'BBBUSDT' } },
    });
    await desk.reduce();
    await desk.run(3);
    const apart = await desk.hedge();
    expect(sizes(apart)).toEqual([10, -40.01]);
    // The long leg is ahead: that is an unhedged leg, and told as one.
    expect(apart.oneLegSince).not.toBeNull();
    expect(apart.naked).toBeGreaterThan(900);
    // Crashed, and begun anew by another process.
    await desk.engine.stop();
    isRefusing = false;
    const next = await tradingDesk(db, desk.moving, { userId: desk.userId });
    await next.run(35);
    expect(sizes(await next.hedge())).toEqual([10, -20]);
    expect(await next.hedge()).toMatchObject({ state: 'open', oneLegSince: null });
  });

  test('not sent again while nobody knows what became of an order', async () => {
    let isLost = true;
    const desk = await held({
      venue: {
        faults: { timeOutAfterAccept: ({ symbol, reduceOnly }) => isLost && reduceOnly && symbol === 'AAAUSDT' },
      },
    });
    await desk.reduce();
    await desk.engine.wake(desk.userId);
    isLost = false;
    await desk.run(40);
    expect(sizes(await desk.hedge())).toEqual([10, -20]);
    expect(await desk.hedge()).toMatchObject({ state: 'open', frozen: null });
    expect((await desk.exits()).filter(({ state }) => state === 'filled')).toHaveLength(2);
  });

  test('done once by two processes, and not again after a restart', async () => {
    const desk = await held();
    await desk.reduce();
    const other = await tradingDesk(db, desk.moving, { userId: desk.userId });
    await Promise.all([desk.engine.tick(), other.engine.tick()]);
    await Promise.all([desk.run(2), other.run(2)]);
    await desk.engine.stop();
    await other.run(20);
    expect(sizes(await other.hedge())).toEqual([10, -20]);
    expect((await other.orders()).filter(({ purpose }) => purpose === 'exit')).toHaveLength(2);
  });

  test('no more once all of it is to be closed', async () => {
    let isRefusing = true;
    const desk = await held({
      venue: { faults: { reject: ({ symbol, reduceOnly }) => isRefusing && reduceOnly && symbol === 'BBBUSDT' } },
    });
    await desk.reduce({ percent: 25 });
    await desk.run(2);
    expect(sizes(await desk.hedge())).toEqual([15, -40.01]);
    isRefusing = false;
    await desk.close(desk.id);
    await desk.run(40);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0' });
  });
});
describe('what rests on its way out', () => {
  const resting = async (desk: Awaited<ReturnType<typeof held>>) =>
    (await desk.orders()).filter(({ state, type }) => state === 'open' && type === 'maker');

  test('stands at the best price of both sides, is placed anew, and what is left after a minute is taken', async () => {
    const desk = await held();
    await desk.reduce({ maker: true });
    await desk.run(2);
    const first = await resting(desk);
    expect(first.map(({ symbol, side, quantity, reduceOnly }) => [symbol, side, quantity, reduceOnly])).toEqual([
      ['AAAUSDT', 'sell', '10', true],
      ['BBBUSDT', 'buy', '20.01', true],
    ]);
    for (const { symbol, limitPrice, decisionMid } of first)
      expect(Math.sign(Number(limitPrice) - decisionMid)).toBe(symbol === 'AAAUSDT' ? 1 : -1);
    await desk.run(22);
    const again = await resting(desk);
    expect(again).toHaveLength(2);
    expect(again.map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
    expect(sizes(await desk.hedge())).toEqual([20, -40.01]);
    await desk.run(33);
    expect(await resting(desk)).toHaveLength(2);
    await desk.run(6);
    expect(await resting(desk)).toEqual([]);
    expect(sizes(await desk.hedge())).toEqual([10, -20]);
    expect((await desk.exits()).filter(({ state }) => state === 'filled').map(({ type }) => type)).toEqual([
      'market',
      'market',
    ]);
  });

  test('waits for a leg that is behind for the one-leg time alone', async () => {
    const desk = await held();
    await desk.reduce({ maker: true });
    await desk.run(2);
    // What is sold is bought from us; the other leg has nobody.
    desk.moving.set('AAAUSDT', 101);
    await desk.run(3);
    const ahead = await desk.hedge();
    expect(sizes(ahead)).toEqual([10, -40.01]);
    expect(ahead.oneLegSince).not.toBeNull();
    expect((await resting(desk)).map(({ symbol }) => symbol)).toEqual(['BBBUSDT']);
    await desk.run(12);
    expect(await desk.hedge()).toMatchObject({ state: 'open', oneLegSince: null });
    expect(sizes(await desk.hedge())).toEqual([10, -20]);
    const filled = (await desk.exits()).filter(({ state }) => state === 'filled');
    expect(filled.map(({ symbol, type }) => [symbol, type])).toEqual([
      ['AAAUSDT', 'maker'],
      ['BBBUSDT', 'market'],
    ]);
    // Ten seconds of 1,000 USDT alone, and no more.
    expect((await desk.hedge()).naked).toBeLessThan(1000 * 16);
  });

  test('goes on in another process, by the minute that began when it was asked for', async () => {
    const desk = await held();
    await desk.reduce({ maker: true });
    await desk.run(5);
    await desk.engine.stop();
    desk.moving.wait(40_000);
    const next = await tradingDesk(db, desk.moving, { userId: desk.userId });
    await next.run(3);
    expect(sizes(await next.hedge())).toEqual([20, -40.01]);
    await next.run(15);
    expect(sizes(await next.hedge())).toEqual([10, -20]);
  });

  test('is closed at once by what is flattened, and by a stop', async () => {
    const desk = await held({ settings: { stopLoss: 0.1 } });
    await desk.reduce({ maker: true });
    await desk.run(2);
    expect(await resting(desk)).toHaveLength(2);
    await changeHedges(db, [desk.id], { flattenAskedAt: desk.moving.clock() });
    await desk.engine.wake(desk.userId);
    await desk.run(3);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'flatten' });
    expect(await resting(desk)).toEqual([]);
  });

  test('is all of it where a person closes it so, and ends flat', async () => {
    const desk = await held();
    await db.transaction((tx) =>
      closeDeal(tx, { user: { id: desk.userId, name: 'desk' }, now: desk.moving.clock() }, desk.id, { maker: true }),
    );
    await desk.run(3);
    expect(await desk.hedge()).toMatchObject({ state: 'closing', longQuantity: '20' });
    expect((await resting(desk)).map(({ quantity }) => quantity)).toEqual(['20', '40.01']);
    desk.moving.set('BBBUSDT', 49);
    await desk.run(3);
    expect(sizes(await desk.hedge())).toEqual([20, 0]);
    await desk.run(14);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'manual', longQuantity: '0' });
    expect((await desk.exits()).filter(({ state }) => state === 'filled').map(({ type }) => type)).toEqual([
      'maker',
      'market',
    ]);
  });

  test('goes at the market where nothing is left to rest, and where a part rested before', async () => {
    const desk = await held();
    await desk.reduce({ maker: true, percent: 25 });
    await desk.run(2);
    await db.transaction((tx) =>
      closeDeal(tx, { user: { id: desk.userId, name: 'desk' }, now: desk.moving.clock() }, desk.id),
    );
    await desk.run(4);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'manual' });
  });
});

const KINDS = (Object.keys(KIND_SAMPLES) as TradedKind[]).filter((kind) => !['okx', 'grid'].includes(kind));

test.each(KINDS)('a deal of kind %s keeps half of both legs, is not filled up again, and closes flat', async (kind) => {
  const of = kindMarket();
  const desk = await kindDesk(db, of, kind, {});
  const read = async () => (await desk.deals()).find(({ state }) => state === 'open');
  for (let left = 60; left > 0 && (await read()) === undefined; left -= 1) await desk.run(1);
  const { id } = (await read())!;
  const quantities = async () => {
    const legs = await db.select().from(dealLeg).where(eq(dealLeg.dealId, id));
    return ['long', 'short'].map((name) => Number(legs.find(({ leg }) => leg === name)!.quantity));
  };
  const [long, short] = (await quantities()) as [number, number];
  await ask(desk, id, desk.clock.trader);
  await desk.engine.wake(desk.userId);
  await desk.run(10);
  const half = (await quantities()) as [number, number];
  expect(half[0] / long).toBeGreaterThan(0.49);
  expect(half[0] / long).toBeLessThan(0.52);
  expect(Math.abs(half[1] / short - half[0] / long)).toBeLessThan(0.01);
  // Nobody adds to it, not even asked to bring the legs together: the smaller leg comes up to the other at most.
  await db.transaction((tx) =>
    rebalanceLegs(tx, { user: { id: desk.userId, name: 'desk' }, now: desk.clock.trader }, { id, way: 'complete' }),
  );
  await desk.engine.wake(desk.userId);
  await desk.run(30);
  const later = (await quantities()) as [number, number];
  expect(later[0]).toBeLessThanOrEqual(Math.max(half[0], -half[1]));
  expect(-later[1]).toBeLessThanOrEqual(Math.max(half[0], -half[1]));
  expect((await desk.deals()).map((one) => [one.id, one.state])).toEqual([[id, 'open']]);
  expect(await desk.findings()).toEqual([]);
  await desk.ask((tx, asker) => closeDeal(tx, asker, id));
  await desk.run(25);
  expect(await quantities()).toEqual([0, 0]);
  expect((await db.select().from(deal).where(eq(deal.id, id)))[0]!.state).toBe('closed');
});

test('legs of which one is taken down first are not told as apart', async () => {
  let isRefusing = true;
  const faults = { reject: ({ reduceOnly }: { reduceOnly: boolean }) => isRefusing && reduceOnly };
  const desk = await kindDesk(db, kindMarket(), 'fundingRate', { faults });
  const read = async () => (await desk.deals()).find(({ state }) => state === 'open');
  for (let left = 60; left > 0 && (await read()) === undefined; left -= 1) await desk.run(1);
  const whole = (await read())!;
  await ask(desk, whole.id, desk.clock.trader);
  await desk.engine.wake(desk.userId);
  await desk.run(3);
  const apart = (await read())!;
  expect(apart.short.quantity).toBe(whole.short.quantity);
  expect(Number(apart.long.quantity)).toBeLessThan(0.6 * Number(whole.long.quantity));
  expect(await desk.told()).toEqual([]);
  isRefusing = false;
  await desk.run(35);
  expect(Number((await read())!.short.quantity)).toBeGreaterThan(0.6 * Number(whole.short.quantity));
  expect(await desk.told()).toEqual([]);
});
