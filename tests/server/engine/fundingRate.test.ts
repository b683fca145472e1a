import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { and, asc, eq } from 'drizzle-orm';
import { dealEnded } from '#contract/codes';
import type { DealLimits } from '#contract/dealOutlook';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_FUNDING, type FundingParams } from '#contract/kinds/fundingRate/params';
import { happenedSince } from '#server/base/db/accounts/account';
import {
  deal,
  dealEvent,
  dealLeg,
  fill,
  paperPosition,
  strategy,
  strategyAlert,
  target,
  tradeOrder,
} from '#server/base/db/schema';
import { ownDeal } from '#server/base/db/strategies/deal';
import { Refusal } from '#server/base/http/refusal';
import { closeQuote } from '#server/desk/strategy/closeQuote';
import { dealOutlook } from '#server/desk/strategy/dealOutlook';
import {
  closeDeal,
  pauseStrategy,
  rebalanceLegs,
  removeStrategy,
  stopStrategy,
  unfreezeDeal,
} from '#server/desk/strategy/strategyIntents';
import { setLimits } from '#server/desk/strategy/strategyParams';
import { dealRows, standingDeals, strategyRows } from '#server/desk/strategy/strategyRows';
import { SHRUNK, TAKEN } from '#server/engine/words';
import { fundingDesk as carryDesk } from '#server/kinds/fundingRate/desk';
import { createFundingRows } from '#server/kinds/fundingRate/scan';
import { createMarketSight } from '#server/market/scan/sight';
import { gatherNews } from '#server/people/notification/gatherNews';
import { addLedger } from '../../support/bookRows';
import { handMarkets } from '../../support/handMarket';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

/** The scanner finds ZK worth a carry then, and still so hours later. */
const START = Date.UTC(2026, 8, 1, 4, 30);
const SPOT = 'ZKUSDT_SPOT';
const PERPETUAL = 'ZKUSDT';

const db = await fileDatabase();

async function fundingDesk(over: Partial<FundingParams> = {}, more: Partial<Parameters<typeof strategyDesk>[4]> = {}) {
  const params = { ...DEFAULT_FUNDING, coins: ['ZK'], sliceSeconds: 5, planHours: 168, ...over };
  const options = { name: 'ZK', begins: false, ...more };
  const desk = await strategyDesk(db, simulatedMarket(START), 'fundingRate', params, options);
  const { ask } = desk;
  return {
    ...desk,
    wait: (ms = 1000) => {
      desk.clock.now += ms;
    },
    pause: () => ask(pauseStrategy),
    stop: (flatten: boolean) => ask((tx, asker, id) => stopStrategy(tx, asker, id, flatten)),
    closeDeal: (dealId: string, more?: { keepArmed: boolean }) =>
      ask((tx, asker) => closeDeal(tx, asker, dealId, more)),
    unfreeze: async (id: string, reason: string, engine = desk.engine) => {
      await db.transaction((tx) => unfreezeDeal(tx, desk.asker(), { id, reason }));
      await engine.wake(desk.userId);
    },
    remove: () => ask(removeStrategy),
    state: async () => (await desk.strategy()).state,
  };
}

test('coin that its exchange delists and settles not stays in the account, and its carry ends', async () => {
  const desk = await fundingDesk({ sliceSeconds: 0 });
  await desk.start();
  await desk.run(40);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  const { quote, goneBy } = desk.venue;
  const isGone = (symbol: string) => symbol === SPOT;
  desk.venue.quote = async (source, symbol) => (isGone(symbol) ? undefined : quote.call(desk.venue, source, symbol));
  desk.venue.goneBy = async (source, symbol) => (isGone(symbol) ? 'delisted' : goneBy.call(desk.venue, source, symbol));
  await desk.run(60);
  const [closing] = await desk.deals();
  expect(closing).toMatchObject({ state: 'closing', closeReason: 'delisted' });
  expect([Number(closing!.long.quantity) > 0, Number(closing!.short.quantity)]).toEqual([true, 0]);
  desk.wait(600_000);
  await desk.run(5);
  const [ended] = await desk.deals();
  expect(ended).toMatchObject({ state: 'closed', closeReason: 'delisted', long: { quantity: '0' } });
  expect(await desk.venue.positions(desk.userId)).toContainEqual(
    expect.objectContaining({ symbol: SPOT, quantity: closing!.long.quantity }),
  );
  expect(await desk.findings()).toEqual([]);
});

test('a carry enters in slices, hedges the coin received and exits flat', async () => {
  const desk = await fundingDesk({ slices: 4 });
  await desk.run(3);
  expect(await desk.deals()).toEqual([]);
  await desk.start();
  await desk.run(2);
  const [early] = await desk.deals();
  const whole = DEFAULT_FUNDING.legNotional;
  expect(Number(early!.long.notional)).toBeGreaterThan(whole * 0.2);
  expect(Number(early!.long.notional)).toBeLessThan(whole * 0.3);
  await desk.run(35);
  const [held] = await desk.deals();
  expect(held).toMatchObject({ state: 'open', opening: { hours: expect.any(Number), breakEven: expect.any(Number) } });
  expect(Number(held!.long.notional)).toBeGreaterThan(whole * 0.97);

  // F28: what was received is the purchase less its fee, and the perpetual covers it to within a lot.
  const bought = await db.select().from(fill).where(eq(fill.dealId, held!.id));
  const spot = bought.filter(({ symbol }) => symbol === SPOT);
  const received = spot.reduce((sum, one) => sum.plus(one.quantity).minus(one.feeInBase), new Big(0));
  expect(spot.every(({ feeInBase }) => Number(feeInBase) > 0)).toBe(true);
  expect(new Big(held!.long.quantity).toFixed()).toBe(received.toFixed());
  const { lotSize } = (await desk.venue.terms('simulated', PERPETUAL))!;
  const imbalance = received.plus(held!.short.quantity).abs();
  expect(imbalance.lte(lotSize)).toBe(true);
  expect(await desk.findings()).toEqual([]);
  // F12: spot ties up what it cost, the perpetual its margin at twice; of half a minute no year is made.
  const [shown] = await dealRows({ db, markets: desk.markets }, desk.id, desk.clock.now, 5);
  const tied = Number(held!.long.notional) + Number(held!.short.notional) / 2;
  expect(shown!.roi).toBeCloseTo(shown!.net! / tied, 12);
  expect(shown!.apr).toBeNull();

  // Three settlements, each of the perpetual alone, at -side x q x mark x r of the public history.
  const { fundingHours } = desk.market.listed!(PERPETUAL, desk.clock.now)!.instrument;
  for (let i = 0; i < 3; i += 1) {
    desk.wait(fundingHours! * HOUR_MS);
    await desk.run(2);
  }
  const funded = await desk.ledger('funding');
  expect(funded.length).toBe(3);
  const history = (await desk.market.funding(PERPETUAL, { start: START }))!;
  for (const row of funded) {
    expect(row).toMatchObject({ symbol: PERPETUAL, dealId: held!.id });
    const rate = history.rate[history.time.indexOf(row.at)]!;
    expect(row.rate).toBe(new Big(rate).toFixed());
    const { mark } = desk.market.listed!(PERPETUAL, row.at)!.ticker;
    expect(Number(row.amount)).toBeCloseTo(-Number(row.quantity) * mark! * rate, 7);
  }

  const sums = await carryDesk({ db, markets: desk.markets }, { userId: desk.userId, real: false }, desk.clock.now);
  const paid = funded.reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(sums.capitalApr!).toBeCloseTo((sums.weightedApr! * sums.notional!) / sums.deployed!, 12);
  // What its venue does not tell for a moment is held all the same.
  const silent = await carryDesk({ db, markets: handMarkets() }, { userId: desk.userId, real: false }, desk.clock.now);
  expect(silent).toMatchObject({
    deals: 1,
    deployed: sums.deployed,
    notional: null,
    weightedApr: null,
    hours: [],
    capitalApr: null,
  });
  expect(sums).toMatchObject({
    deals: 1,
    cashMonth: expect.closeTo(paid, 6),
    received: expect.closeTo(paid, 6),
  });
  const { rate } = held!.opening as { rate: number };
  expect(sums.receivedShare!).toBeCloseTo(paid / (3 * rate * Number(held!.short.notional)), 6);
  expect(sums.deployed).toBeCloseTo(Number(held!.long.cost) - Number(held!.short.cost) / DEFAULT_FUNDING.leverage, 6);
  expect(sums.hours.filter(({ cash }) => cash !== 0)).toHaveLength(24 / fundingHours!);

  await desk.closeDeal(held!.id);
  await desk.run(20);
  const [closed] = await desk.deals();
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'manual' });
  expect([closed!.long.quantity, closed!.short.quantity].map(Number)).toEqual([0, 0]);
  // The split adds up to the ledger's last digit.
  await desk.netOf(held!.id);
  // The curve of its account is marked with it.
  const symbols = `${SPOT} / ${PERPETUAL}`;
  expect(await happenedSince(db, { userId: desk.userId }, 0, 5)).toMatchObject({
    opened: [{ symbols, at: closed!.openedAt }],
    closed: [{ symbols, at: closed!.closedAt }],
  });
});

test('spot gets no reduce-only order, and each round needs a higher APR', async () => {
  const desk = await fundingDesk({ slices: 1, roundStep: 0.08, entryApr: 0.08 });
  await desk.start();
  await desk.run(8);
  const [first] = await desk.deals();
  await desk.closeDeal(first!.id, { keepArmed: true });
  await desk.run(25);
  const rounds = await desk.deals();
  const [again] = rounds.slice(1);
  expect(rounds[0]!.state).toBe('closed');
  expect(again).toBeDefined();
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.userId, desk.userId));
  expect(orders.filter(({ symbol, reduceOnly }) => symbol === SPOT && reduceOnly)).toEqual([]);
  // The first asks for 8 %, the second for 16 %: the coin makes about 22 %.
  expect(again!.signalOpen).toBeGreaterThan(0.16);
});

test('what an exchange refuses raises no bar and is tried ever more rarely, until it is started anew', async () => {
  const box = { refuse: true };
  const faults = { reject: ({ symbol }: { symbol: string }) => box.refuse && symbol === PERPETUAL };
  const desk = await fundingDesk({ slices: 1, roundStep: 0.08, entryApr: 0.08 }, { venue: { faults } });
  await desk.start();
  const row = async () => (await db.select().from(target).where(eq(target.strategyId, desk.id)))[0]!;
  const failed = async () => (await desk.deals()).filter(({ state }) => state === 'failed').length;
  const began = async () => (await desk.deals()).map(({ createdAt }) => createdAt);
  await desk.run(300);
  expect(await failed()).toBe(6);
  const gaps = (await began()).map((at, i, all) => (at - (all[i - 1] ?? at)) / SECOND_MS);
  expect(gaps.slice(-2)).toEqual([40, 80]);
  expect(await row()).toMatchObject({ rounds: 0, block: 'retryLater' });

  await desk.stop(false);
  await desk.run(1);
  await desk.start();
  box.refuse = false;
  await desk.run(8);
  expect((await desk.deals()).at(-1)).toMatchObject({ state: 'open' });
  expect(await row()).toMatchObject({ rounds: 1, block: 'open' });
});

test('paused holds, closing exits, stopped leaves positions; only a flat strategy is removed', async () => {
  const desk = await fundingDesk({ slices: 1 });
  await desk.start();
  await desk.run(8);
  await desk.pause();
  await desk.run(5);
  expect((await desk.deals()).map(({ state }) => state)).toEqual(['open']);

  await desk.stop(false);
  await expect(desk.remove()).rejects.toMatchObject({ code: 5104 });
  desk.wait(60 * 24 * HOUR_MS);
  await desk.run(5);
  // Its longest hold is over, and nobody guards it.
  expect((await desk.deals()).map(({ state }) => state)).toEqual(['open']);

  await desk.stop(true);
  await desk.run(20);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'flatten']]);
  expect(await desk.state()).toBe('stopped');
  await desk.remove();
});

test('alerts on rate sign, interval and imbalance are raised once, across a restart too', async () => {
  const desk = await fundingDesk({ slices: 1 });
  await desk.start();
  await desk.run(8);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  expect(await desk.told()).toEqual([]);
  await desk.engine.stop();

  // The market has changed while nobody looked.
  const { rate, hours, breakEven } = held!.opening as { rate: number; hours: number; breakEven: number };
  await db
    .update(deal)
    .set({ opening: { rate: -rate, hours: hours * 2, breakEven } })
    .where(eq(deal.id, held!.id));
  for (const _ of ['restart', 'another']) {
    const next = await desk.again();
    await next.run(2);
    await next.engine.stop();
  }
  const told = await desk.told();
  expect(told.map(({ word, subject, endedAt }) => [word, subject, endedAt])).toEqual([
    ['rateSign', held!.id, null],
    ['interval', held!.id, null],
  ]);
  const needs = { db, markets: desk.markets };
  const alertsNow = async () => (await strategyRows(needs, desk.userId, 'fundingRate', desk.clock.now))[0]!.alerts;
  expect(await alertsNow()).toBe(2);
  const place = { eventId: Number.MAX_SAFE_INTEGER, ledgerId: Number.MAX_SAFE_INTEGER };
  const { news } = await gatherNews(db, place, desk.clock.now);
  const own = news.filter(({ userId }) => userId === desk.userId);
  expect(own.map(({ kind, title, text, link }) => [kind, title, text, link])).toEqual([
    [
      'risk',
      '费率反号',
      expect.stringMatching(/^ZK：ZKUSDT 上一期结算费率 .+ %/),
      `/strategy/fundingRate?strategy=${desk.id}`,
    ],
    ['risk', '结算间隔改变', `ZK：ZKUSDT 的结算间隔由 ${hours * 2} 小时改为 ${hours} 小时`, expect.any(String)],
  ]);
  // A deal is led to within its strategy.
  const all = (await gatherNews(db, { ...place, eventId: 0 }, desk.clock.now)).news;
  const opened = all.find(({ userId, title }) => userId === desk.userId && title === '已开仓');
  expect(opened?.link).toBe(`/strategy/fundingRate?id=${held!.id}&strategy=${desk.id}`);

  // What is over goes away at once. What comes back within an hour is the same again, across restarts too.
  const openedWith = async (was: number) => {
    await db
      .update(deal)
      .set({ opening: { rate: was, hours, breakEven } })
      .where(eq(deal.id, held!.id));
    const next = await desk.again();
    await next.run(2);
    await next.engine.stop();
    return (await desk.told()).map(({ word, endedAt }) => [word, endedAt !== null]);
  };
  expect(await openedWith(rate)).toEqual([
    ['rateSign', true],
    ['interval', true],
  ]);
  expect(await alertsNow()).toBeUndefined();
  expect(await openedWith(-rate)).toEqual([
    ['rateSign', false],
    ['interval', true],
  ]);
  expect(await alertsNow()).toBe(1);
  expect(await openedWith(rate)).toEqual([
    ['rateSign', true],
    ['interval', true],
  ]);
  desk.wait(HOUR_MS);

  // What comes up in the tick in which a deal ends does not outlive it.
  await db
    .update(deal)
    .set({ opening: { rate: -rate, hours, breakEven }, closeAskedAt: desk.clock.now })
    .where(eq(deal.id, held!.id));
  const end = await desk.again();
  await end.run(10);
  expect((await desk.deals())[0]!.state).toBe('closed');
  expect((await desk.told()).map(({ word, endedAt }) => [word, endedAt !== null])).toEqual([
    ['rateSign', true],
    ['interval', true],
    ['rateSign', true],
  ]);
});

test('what somebody traded away of a leg a row tells as it stands, not as it was when that was noticed', async () => {
  const desk = await fundingDesk({ slices: 1 });
  await desk.start();
  await desk.run(8);
  const [held] = await desk.deals();
  const about = {
    userId: desk.userId,
    strategyId: desk.id,
    subject: held!.id,
    level: 'error' as const,
    at: desk.clock.now,
  };
  await db.insert(strategyAlert).values([
    { ...about, word: TAKEN, title: '腿被外部成交抵掉', text: '5 已被外部成交抵掉' },
    { ...about, word: 'rateSign', title: '费率反号', text: '反号' },
  ]);
  const [row] = await dealRows(desk.needs, desk.id, desk.clock.now, 5);
  expect(row!.alerts).toEqual(['费率反号：反号']);
  await desk.engine.stop();
});

test.each([
  ['an account is not read', 'runs'],
  ['an account is not read', 'is paused'],
  ['the steps of a leg are not known', 'runs'],
])('while %s, what was told of a leg traded away stays, where its strategy %s', async (untold, now) => {
  const desk = await fundingDesk({ slices: 1 });
  await desk.start();
  await desk.run(8);
  if (now === 'is paused') await desk.pause();
  const [held] = await desk.deals();
  await desk.engine.stop();
  await db.insert(strategyAlert).values({
    ...{ userId: desk.userId, strategyId: desk.id, subject: held!.id, word: TAKEN, level: 'error' as const },
    ...{ title: '腿被外部成交抵掉', text: '5 已被外部成交抵掉', at: desk.clock.now - 2 * HOUR_MS },
  });
  const next = await desk.again();
  const { tend, terms } = next.venue;
  if (untold === 'an account is not read') next.venue.tend = async () => 'journalBehind';
  else next.venue.terms = async () => undefined;
  await next.run(2);
  const endedOf = async () => (await desk.told()).map(({ word, endedAt }) => [word, endedAt !== null]);
  expect(await endedOf()).toEqual([[TAKEN, false]]);
  // All of the leg is there, as is known once it is read.
  Object.assign(next.venue, { tend, terms });
  await next.run(2);
  expect(await endedOf()).toEqual([[TAKEN, true]]);
  await next.engine.stop();
});

test('a frozen deal is unfrozen by a reason and matching venue positions', async () => {
  const desk = await fundingDesk({ slices: 1 });
  await desk.start();
  await desk.run(12);
  const [held] = await desk.deals();
  expect(held).toMatchObject({ state: 'open', frozen: null });
  const unfreeze = (reason: string) => desk.unfreeze(held!.id, reason);
  await expect(unfreeze('看过了')).rejects.toMatchObject({ code: 5121 });
  await desk.engine.stop();
  const freeze = (frozen: string) => db.update(deal).set({ frozen }).where(eq(deal.id, held!.id));
  await freeze(SHRUNK);
  await expect(unfreeze('看过了')).rejects.toMatchObject({ code: 5122 });
  await freeze('风控拦截：ZKUSDT 一分钟内已发出 30 笔委托');
  await expect(unfreeze('  ')).rejects.toMatchObject({ code: 5123 });

  const next = await desk.again();
  await next.run(3);
  expect((await desk.deals())[0]!.frozen).toContain('风控拦截');

  // The venue is not what the books say: nothing goes on, and the record says why, once.
  const positions = jest.spyOn(next.venue, 'positions').mockResolvedValue([]);
  await desk.unfreeze(held!.id, '看过了', next.engine);
  await next.run(3);
  expect((await desk.deals())[0]!.frozen).toContain('风控拦截');
  const lines = async () =>
    (await db.select().from(dealEvent).where(eq(dealEvent.dealId, held!.id)).orderBy(asc(dealEvent.id)))
      .filter(({ kind }) => kind === 'frozen' || kind === 'thawed')
      .map(({ kind, detail }) => [kind, detail]);
  const refusal = ['frozen', '恢复未成，仍不发送委托：交易所持仓与账面不一致'];
  expect(await lines()).toEqual([refusal]);

  positions.mockRestore();
  desk.wait();
  await desk.unfreeze(held!.id, ' 对过持仓 ', next.engine);
  await next.run(1);
  expect((await desk.deals())[0]!.frozen).toBeNull();
  expect(await lines()).toEqual([refusal, ['thawed', 'desk：对过持仓']]);
  expect(await desk.state()).toBe('running');

  // It is a deal like any other again.
  await db.update(deal).set({ closeAskedAt: desk.clock.now }).where(eq(deal.id, held!.id));
  await next.engine.wake(desk.userId);
  await next.run(12);
  expect((await desk.deals())[0]!.state).toBe('closed');
});

test('an open deal of which a leg is smaller is filled up when a person asks, by what is missing and no more', async () => {
  const desk = await fundingDesk({ slices: 1, stopLoss: null });
  await desk.start();
  await desk.run(8);
  const [whole] = await desk.deals();
  expect(whole!.state).toBe('open');
  await desk.engine.stop();
  // What a venue that took half of the short leg back left behind, in the books and at the venue.
  const { id, userId, short } = whole!;
  const gone = new Big(short.quantity).abs().div(2).round(0, Big.roundDown).toFixed();
  const quantity = new Big(short.quantity).plus(gone).toFixed();
  const amount = new Big(gone).times(short.cost).div(short.quantity).round(8).toFixed();
  const cost = new Big(short.cost).plus(amount).toFixed();
  await db
    .update(dealLeg)
    .set({ quantity, cost })
    .where(and(eq(dealLeg.dealId, id), eq(dealLeg.leg, 'short')));
  const taken = { userId, dealId: id, source: short.source, symbol: PERPETUAL, at: desk.clock.now };
  await addLedger(db, { ...taken, kind: 'fill', amount: `-${amount}`, quantity: gone, reference: `taken ${id}` });
  await db.update(paperPosition).set({ quantity, cost }).where(eq(paperPosition.account, short.accountId));

  const next = await desk.restart();
  await next.run(5);
  const before = (await next.orders()).length;
  expect((await desk.deals())[0]).toMatchObject({ state: 'open', frozen: null, short: { quantity } });
  await desk.ask((tx, asker) => rebalanceLegs(tx, asker, { id, way: 'complete' }));
  await next.run(5);
  const sent = (await next.orders()).slice(before);
  expect(sent).toMatchObject([{ purpose: 'complete', side: 'sell', symbol: PERPETUAL, reduceOnly: false }]);
  expect(new Big(sent[0]!.quantity).toFixed()).toBe(gone);
  const [filled] = await desk.deals();
  expect(filled).toMatchObject({ state: 'open', frozen: null });
  expect(new Big(filled!.short.quantity).eq(short.quantity)).toBe(true);
  expect(new Big(filled!.long.quantity).eq(whole!.long.quantity)).toBe(true);
  // The venue's own record knows nothing of what was taken by hand here.
  await next.retire();
});

test('a coin that lost over 7 and over 30 days is not entered, and the dry run says so', async () => {
  const desk = await fundingDesk({ coins: ['XLM'], slices: 1 });
  await desk.start();
  await desk.run(3);
  expect(await desk.deals()).toEqual([]);
  const dry = await desk.preview();
  expect(dry).toMatchObject({ block: 'lostBefore' });
  // It would open by what is promised.
  expect(dry.signal).toBeGreaterThan(desk.params.entryApr);
});

test('a coin that cannot be paid for raises an alert', async () => {
  const desk = await fundingDesk({ slices: 20, legNotional: 200_000, coinCap: null, entryApr: 0, slippageCap: 500 });
  await desk.start();
  await desk.run(3);
  expect((await desk.told()).map(({ word, title }) => [word, title])).toEqual([['balance', '现货余额不足']]);
});

test('the scanner row, the dry run and the fills agree at a size', async () => {
  const { moving } = simulatedMarket(START);
  const readRows = createFundingRows({ sight: createMarketSight(moving.markets, moving.clock), clock: moving.clock });
  const rowAt = async (size: number) => {
    const { rows } = await readRows({ size, hours: DEFAULT_FUNDING.planHours, current: 1, pageSize: 20 });
    return rows.find(({ id }) => id === 'simulated ZK')!;
  };
  const [small, large] = [await rowAt(1_000), await rowAt(1_000_000)];
  expect(large.netApr!).toBeLessThan(small.netApr!);
  expect(large.entryCost!).toBeGreaterThan(small.entryCost!);

  for (const legNotional of [1_000, 40_000]) {
    const row = await rowAt(legNotional);
    const over = { legNotional, slices: 1, coinCap: 100_000, slippageCap: 200, entryApr: 0 };
    const desk = await fundingDesk({ ...over, planHours: DEFAULT_FUNDING.planHours });
    const dry = await desk.preview();
    expect(dry).toMatchObject({ block: null });
    expect(dry.signal).toBeCloseTo(row.netApr!, 10);

    // At this very instant, so that the fills meet the book that the row was worked out on.
    const middle = (symbol: string) => {
      const { bids, asks, tickSize } = desk.market.book!(symbol, desk.clock.now)!;
      return ((bids[0]!.ticks + asks[0]!.ticks) / 2) * Number(tickSize);
    };
    await desk.start();
    for (let turn = 0; turn < 6; turn += 1) await desk.engine.tick();
    const [held] = await desk.deals();
    const fills = await db.select().from(fill).where(eq(fill.dealId, held!.id));
    const costOf = (symbol: string, sign: 1 | -1) => {
      const own = fills.filter((one) => one.symbol === symbol);
      const quantity = own.reduce((sum, one) => sum + Number(one.quantity), 0);
      const paid = own.reduce((sum, one) => sum + Number(one.quantity) * Number(one.price), 0);
      const fees = own.reduce((sum, one) => sum + Number(one.fee), 0);
      return sign * (paid / quantity / middle(symbol) - 1) + fees / paid;
    };
    expect(costOf(SPOT, 1) + costOf(PERPETUAL, -1)).toBeCloseTo(row.entryCost!, 5);
    await desk.retire();
  }
});

test('a held carry tells what closes it, what waits, and what closing it now brings', async () => {
  const desk = await fundingDesk({ stopLoss: 0.05, exitApr: 0.01, maxHoldingHours: 720 });
  await desk.start();
  await desk.run(40);
  const outlook = async () => {
    const row = (await ownDeal(db, desk.userId, (await desk.deals())[0]!.id))!;
    return { row, told: await dealOutlook(desk.needs, row) };
  };
  const { row, told } = await outlook();
  const [shown] = await dealRows({ db, markets: desk.markets }, desk.id, desk.clock.now, 5);
  const notional = row.legs.reduce((sum, leg) => sum + Number(leg.notional), 0);
  const gate = { is: 'breakEven', now: 0, at: (row.opening as { breakEven: number }).breakEven };
  expect(told.rules).toMatchObject([
    { reason: 'stopLoss', by: 'net', now: expect.closeTo(shown!.net!, 6), at: expect.closeTo(-0.05 * notional, 6) },
    { reason: 'maxHolding', by: 'held', at: 720, falls: false, isMet: false, gate: null },
    { reason: 'rateGap', by: 'apr', at: 0.01, falls: true, gate },
    { reason: 'rateFlip', by: 'rate', at: -DEFAULT_FUNDING.flipRate, falls: true, gate },
    { reason: 'rateFlip', by: 'net', falls: false, isMet: false, gate: { is: 'negativeRate', at: 0 } },
  ]);
  const quote = await closeQuote(desk.needs, row);
  expect(told.netClosed).toBe(quote.net);
  const { steps } = told.waterfall;
  expect(steps.map(({ step }) => step)).toEqual(['funding', 'fees', 'slippage', 'gap', 'exit']);
  expect(steps[3]!.sum).toBeCloseTo(shown!.net!, 6);
  expect(steps[4]!.sum).toBeCloseTo(quote.net!, 6);

  // The list says the same of it, and how far the mark is from where the account's margin balance meets its maintenance.
  const [listed] = await standingDeals(desk.needs, desk.id, desk.clock.now, 5);
  expect(listed).toMatchObject({ netClosed: quote.net, rules: told.rules });
  const short = row.legs.find(({ leg }) => leg === 'short')!;
  const { mark } = shown!.legs.find(({ leg }) => leg === 'short')!;
  const margin = await desk.needs.venue.margin(short.accountId);
  const [balance, maintenance, held] = [margin.marginBalance, margin.maintenanceMargin, short.quantity].map(Number);
  const price = mark! * (1 - (balance! - maintenance!) / (held! * mark! - maintenance!));
  expect(listed!.liquidationDistance).toBeCloseTo(price / mark! - 1, 6);
  const [own] = await strategyRows(desk.needs, desk.userId, 'fundingRate', desk.clock.now);
  // Both legs are valued at one price of their coin: a basis is no exposure.
  const coins = shown!.legs.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  const exposure = coins * (shown!.legs.reduce((sum, { mark: at }) => sum + at!, 0) / shown!.legs.length);
  expect(own).toMatchObject({ exposure: expect.closeTo(exposure, 6), today: own!.net, limits: { dailyLoss: null } });
  expect(own!.used).toMatchObject({
    maxNotional: own!.notional,
    dailyLoss: expect.closeTo(-Math.min(0, own!.net!), 6),
  });

  await desk.closeDeal(row.id);
  await desk.run(20);
  const ended = (await outlook()).told;
  expect(ended).toMatchObject({ rules: [], netClosed: null });
  const [closed] = await standingDeals(desk.needs, desk.id, desk.clock.now, 5);
  expect(closed).toMatchObject({ netClosed: null, rules: [], liquidationDistance: null });
  expect(ended.waterfall.steps.at(-1)).toMatchObject({ step: 'gap', sum: expect.closeTo(closed!.net!, 6) });
});

test('the stop of a held deal is moved by its owner alone, never over a newer one, and closes it once reached', async () => {
  const desk = await fundingDesk({ stopLoss: 0.05 });
  await desk.start();
  await desk.run(40);
  const [held] = await desk.deals();
  const { maxHoldingHours } = DEFAULT_FUNDING;
  const move = (limits: DealLimits, was: DealLimits, userId = desk.userId) =>
    db.transaction((tx) =>
      setLimits(tx, { user: { id: userId, name: 'desk' }, now: desk.clock.now }, { id: held!.id, limits, was }),
    );
  await expect(move({ stopLoss: 0.5 }, { stopLoss: 0.05 }, randomUUID())).rejects.toBeInstanceOf(Refusal);
  await expect(move({ stopLoss: 5 }, { stopLoss: 0.05 })).rejects.toMatchObject({
    status: 400,
    data: { fields: [{ field: 'stopLoss' }] },
  });
  await expect(move({ takeProfit: 0.1 }, { takeProfit: null })).rejects.toMatchObject({ code: 5126 });
  await expect(move({ stopLoss: 0.5 }, { stopLoss: 0.04 })).rejects.toMatchObject({ status: 409 });

  await move({ stopLoss: null, maxHoldingHours: maxHoldingHours! * 2 }, { stopLoss: 0.05, maxHoldingHours });
  const lines = await db.select().from(dealEvent).where(eq(dealEvent.dealId, held!.id));
  expect(lines.find(({ kind }) => kind === 'limits')!.detail).toBe(
    `止损 5% → 无，最长持有 ${maxHoldingHours} 小时 → ${maxHoldingHours! * 2} 小时，由 desk`,
  );
  await desk.run(3);
  expect((await desk.deals())[0]).toMatchObject({ state: 'open' });
  await move({ maxHoldingHours: 168 }, { maxHoldingHours: maxHoldingHours! * 2 });
  desk.wait(168 * HOUR_MS);
  await desk.run(20);
  expect((await desk.deals())[0]).toMatchObject({ state: 'closed', closeReason: 'maxHolding' });
  const late = move({ maxHoldingHours: 200 }, { maxHoldingHours: 168 });
  await expect(late).rejects.toMatchObject({ code: dealEnded.code, message: dealEnded.message });
  expect((await db.select().from(strategy).where(eq(strategy.id, desk.id)))[0]!.params).toMatchObject({
    ...{ stopLoss: 0.05, maxHoldingHours },
  });
});
