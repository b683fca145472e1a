import Big from 'big.js';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { PAIR_WARNINGS } from '#contract/pair';
import { moveBook } from '#server/base/db/books/book';
import { legsOf } from '#server/base/db/hedges/pairLegs';
import { newestDealsOf } from '#server/base/db/strategies/deal';
import { strategyById, switchStrategy } from '#server/base/db/strategies/strategy';
import { changeGuard, trippedOf } from '#server/base/db/strategies/strategyGuard';
import { armHeld } from '#server/base/db/strategies/target';
import { symbolKey } from '#server/base/symbolKey';
import { closeDeal, openSingle, startStrategy, updateStrategy } from '#server/desk/strategy/strategyIntents';
import type { OrderBook } from '#server/market/exchange';
import { handMarkets } from '../../support/handMarket';
import { KIND_SAMPLES, kindDesk, kindMarket } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();
const market = kindMarket();

type Desk = Awaited<ReturnType<typeof kindDesk>>;
type Given = Parameters<typeof kindDesk>[3];

/** Whatever price there is. */
const ANY = { long: 1e9, short: 1e-9 };
/** What a person confirmed a moment ago; no engine has looked yet. */
const confirmed = (given: Given = {}, kind: 'fundingRate' | 'spread' | 'cexRate' = 'spread') =>
  kindDesk(db, market, kind, { single: ANY, ...given });
/** Another process that goes on with the book, its lease taken over once it has run out. */
const another = (desk: Desk) => tradingDesk(db, desk.moving, { userId: desk.userId });

const pass = ({ clock }: Desk, ms: number) =>
  Object.assign(clock, { market: clock.trader + ms, trader: clock.trader + ms });

/** One deal, which has ended; the strategy has stopped by itself, and the books agree. */
async function endedOnce(desk: Desk, reason: string) {
  expect(await desk.deals()).toMatchObject([{ state: 'closed', closeReason: reason }]);
  expect(await desk.strategy()).toMatchObject({ state: 'stopped', single: { refused: null } });
  expect(await desk.live()).toEqual([]);
  expect(await desk.findings()).toEqual([]);
  expect(desk.troubles).toEqual([]);
  await desk.retire();
}

describe.each(['fundingRate', 'spread', 'cexRate'] as const)('one deal of kind %s', (kind) => {
  test('is opened, and never a second one, whatever a person does to it afterwards', async () => {
    const desk = await confirmed({}, kind);
    await desk.run(10);
    const [held] = await desk.deals();
    expect(held).toMatchObject({ state: 'open' });
    expect((await desk.strategy()).state).toBe('running');
    await desk.ask((tx, asker) => closeDeal(tx, asker, held!.id));
    await desk.run(20);
    // A standing strategy would open on at the next look.
    const ids = (await desk.targets()).map(({ id }) => id);
    await desk.ask(async (tx, { now }, id) => {
      await armHeld(tx, ids, now);
      // As if it had not been stopped yet.
      await switchStrategy(tx, id, 'running', { at: now, by: 'desk' });
      await moveBook(tx, desk.userId);
    });
    await desk.run(20);
    await expect(desk.ask((tx, asker, id) => startStrategy(tx, asker, id))).rejects.toThrow('单笔只开一次');
    // What has tripped says that there is no way back.
    await desk.ask((tx, { now }, id) => changeGuard(tx, id, { tripped: '单日亏损', trippedAt: now }));
    expect(await trippedOf(db, desk.userId)).toMatchObject([{ reason: '单日亏损', single: true }]);
    const plan = { name: 'again', params: KIND_SAMPLES[kind].params, targets: [] };
    await expect(desk.ask((tx, asker, id) => updateStrategy(tx, asker, id, 1, plan))).rejects.toThrow('单笔只开一次');
    await desk.run(5);
    await endedOnce(desk, 'manual');
  });

  test('is not opened where an order would go beyond the price that was confirmed: refused, with the reason', async () => {
    for (const worst of [
      { ...ANY, long: 1e-9 },
      { ...ANY, short: 1e9 },
    ]) {
      const desk = await confirmed({ single: worst }, kind);
      await desk.run(5);
      expect(await desk.orders()).toEqual([]);
      expect(await desk.deals()).toEqual([]);
      expect(await desk.strategy()).toMatchObject({ state: 'stopped', single: { refused: 'ticketMoved' } });
      await desk.retire();
    }
  });
});

/** The same market, where books of some symbols stand at so much of their prices; at 0 nobody sells. */
function shiftingMarket() {
  const shifts = new Map<string, number>();
  const shifted = (book: OrderBook | null, by: number): OrderBook | null => {
    if (by === 0) return book && { ...book, asks: [] };
    const levels = (side: OrderBook['bids']) =>
      side.map((level) => ({ ...level, ticks: Math.round(level.ticks * by) }));
    return book && { ...book, bids: levels(book.bids), asks: levels(book.asks) };
  };
  const venues = market.venues.map(
    (venue) =>
      new Proxy(venue, {
        get(of, key) {
          if (key === 'book') {
            return (symbol: string, at?: number) =>
              shifted(of.book(symbol, at), shifts.get(symbolKey({ source: of.source, symbol })) ?? 1);
          }
          const value: unknown = Reflect.get(of, key, of);
          return typeof value === 'function' ? value.bind(of) : value;
        },
      }),
  );
  return { shifts, market: { ...market, venues, markets: handMarkets(...venues) } };
}

/** What was paid and received at worst, and confirmed, of the orders that opened. */
async function expectWithin(desk: Desk, worst: { long: number; short: number }) {
  const entries = (await desk.orders()).filter(({ purpose }) => purpose === 'entry' || purpose === 'complete');
  for (const { leg, limitPrice, filledQuantity, filledNotional } of entries) {
    const paid = Number(filledQuantity) === 0 ? null : Number(new Big(filledNotional).div(filledQuantity));
    for (const price of [Number(limitPrice), paid ?? Number(limitPrice)]) {
      if (leg === 'long') expect(price).toBeLessThanOrEqual(worst.long);
      else expect(price).toBeGreaterThanOrEqual(worst.short);
    }
  }
  return entries;
}

/** The limit prices of the ticket, with as much room as the screen leaves. */
async function confirmedPrices(kind: 'fundingRate' | 'spread' | 'cexRate', over: object) {
  const before = await kindDesk(db, market, kind, { over, single: ANY });
  const { ticket } = await before.preview();
  await before.retire();
  const of = (leg: 'long' | 'short') => ticket!.legs.find((one) => one.leg === leg)!;
  const worst = { long: of('long').limitPrice! * 1.001, short: of('short').limitPrice! * 0.999 };
  return { worst, places: { long: of('long'), short: of('short') } };
}

test('later parts of an entry go no further than what was confirmed: what is in is held, the rest is not chased', async () => {
  const over = { slices: 4, sliceSeconds: 5 };
  const { worst, places } = await confirmedPrices('fundingRate', over);
  const { shifts, market: moving } = shiftingMarket();
  let bought = 0;
  const desk = await kindDesk(db, moving, 'fundingRate', {
    over,
    single: worst,
    faults: {
      timeOutAfterAccept: ({ symbol, side }) => {
        // After its second part the coin is dearer than what was confirmed.
        if (symbol === places.long.symbol && side === 'buy') bought += 1;
        if (bought === 2) shifts.set(symbolKey(places.long), 1.02);
        return false;
      },
    },
  });
  await desk.run(60);
  const entries = await expectWithin(desk, worst);
  expect(entries.filter(({ leg, filledQuantity }) => leg === 'long' && Number(filledQuantity) > 0)).toHaveLength(2);
  // It went on to ask, and was given nothing at that price.
  expect(entries.some(({ leg, filledQuantity }) => leg === 'long' && Number(filledQuantity) === 0)).toBe(true);
  const [held] = await desk.deals();
  expect(held).toMatchObject({ state: 'open' });
  expect(Number(held!.long.quantity) * held!.long.midOpen!).toBeLessThan(0.55 * desk.params.legNotional);
});

test.each(['spread', 'cexRate'] as const)(
  'a leg of kind %s whose price has left what was confirmed is not completed beyond it: the other one is ended',
  async (kind) => {
    const { worst, places } = await confirmedPrices(kind, {});
    const { shifts, market: moving } = shiftingMarket();
    const desk = await kindDesk(db, moving, kind, {
      single: worst,
      faults: {
        timeOutAfterAccept: ({ side }) => {
          const [place, shift] = side === 'buy' ? [places.short, 0.98] : [places.long, 1.02];
          if (shifts.size === 0) shifts.set(symbolKey(place), shift);
          return false;
        },
      },
    });
    await desk.run(90);
    const entries = await expectWithin(desk, worst);
    // Within the one-leg time at the usual cap, then at a wider one.
    expect(new Set(entries.map(({ purpose }) => purpose))).toEqual(new Set(['entry', 'complete']));
    expect(await desk.deals()).toMatchObject([{ closeReason: 'oneLeg' }]);
    expect((await desk.strategy()).state).toBe('stopped');
    expect(await desk.live()).toEqual([]);
  },
);

test('one that its own rules closed stays closed, though there is as much to open as before', async () => {
  const desk = await confirmed({ over: { maxHoldingHours: 1 } });
  await desk.run(10);
  expect(await desk.deals()).toMatchObject([{ state: 'open' }]);
  pass(desk, HOUR_MS);
  await desk.run(60);
  await endedOnce(desk, 'maxHolding');
});

test('the same without a confirmed ticket opens again: what keeps it closed is that it is of one deal', async () => {
  const desk = await kindDesk(db, market, 'spread', { over: { maxHoldingHours: 1 } });
  await desk.run(10);
  pass(desk, HOUR_MS);
  await desk.run(60);
  expect((await desk.deals()).length).toBeGreaterThan(1);
});

test('what was confirmed before a restart is opened after it while it is new, and not at all later', async () => {
  const soon = await confirmed();
  const next = await another(soon);
  await next.run(10);
  expect(await soon.deals()).toMatchObject([{ state: 'open' }]);
  await next.retire();

  const late = await confirmed();
  pass(late, ONCE_SECONDS * SECOND_MS);
  const later = await another(late);
  await later.run(10);
  expect(await late.deals()).toEqual([]);
  expect(await late.strategy()).toMatchObject({ state: 'stopped', single: { refused: 'ticketExpired' } });
});

test('two processes open one deal between them, also where the first is gone in the middle of the entry', async () => {
  // The first process hears of nothing that it sends.
  const desk = await confirmed({ faults: { timeOutAfterAccept: () => true, failLookup: () => true } });
  await Promise.all([desk.run(1), another(desk).then((other) => other.engine.tick())]);
  expect(await desk.deals()).toHaveLength(1);
  await desk.engine.stop();
  const next = await another(desk);
  await next.run(60);
  expect(await desk.deals()).toMatchObject([{ state: 'open' }]);
  expect(next.troubles).toEqual([]);
  expect(await next.findings()).toEqual([]);
  const [held] = await desk.deals();
  await db.transaction((tx) =>
    closeDeal(tx, { user: { id: desk.userId, name: 'desk' }, now: desk.clock.trader }, held!.id),
  );
  await next.run(30);
  expect(await desk.deals()).toMatchObject([{ state: 'closed' }]);
  expect((await desk.strategy()).state).toBe('stopped');
});

test('a refused order and late, doubled events leave one deal; what never stood on its legs ends the strategy', async () => {
  const late = await confirmed({ faults: { repeatFills: () => true, eventsLateMs: () => 3000 } });
  await late.run(20);
  expect(await late.deals()).toMatchObject([{ state: 'open' }]);
  await late.ask((tx, asker) => late.deals().then(([held]) => closeDeal(tx, asker, held!.id)));
  await late.run(40);
  await endedOnce(late, 'manual');

  const refused = await confirmed({ faults: { reject: () => true } });
  await refused.run(90);
  expect(await refused.deals()).toMatchObject([{ state: 'failed' }]);
  expect((await refused.strategy()).state).toBe('stopped');
});

test('an entry whose rules are not met is given up when its time is over, with what kept it', async () => {
  const desk = await confirmed({ over: { entryApr: 5 } });
  await desk.run(5);
  expect((await desk.strategy()).state).toBe('running');
  await desk.run(ONCE_SECONDS);
  expect(await desk.deals()).toEqual([]);
  expect(await desk.strategy()).toMatchObject({ state: 'stopped', single: { refused: 'waitsForApr' } });
});

test('a price that nobody knows for a moment is waited for: it has not moved', async () => {
  const { shifts, market: moving } = shiftingMarket();
  const { clock, markets } = moving;
  Object.assign(clock, { market: KIND_SAMPLES.spread.start, trader: KIND_SAMPLES.spread.start });
  const wait = (ms = SECOND_MS) => void Object.assign(clock, { market: clock.market + ms, trader: clock.trader + ms });
  const desk = await tradingDesk(db, { clock: () => clock.trader, wait, markets });
  const places = { source: 'simulated', long: 'ETHUSDT', short: 'BTCUSDT' };
  shifts.set(symbolKey({ source: places.source, symbol: places.long }), 0);
  const plan = {
    ...{ name: 'one', params: { ...DEFAULT_SETTINGS, source: places.source }, targets: [legsOf(places)] },
    accepted: [...PAIR_WARNINGS],
  };
  const terms = { worst: ANY, until: clock.trader + ONCE_SECONDS * SECOND_MS, refused: null };
  const asker = { user: { id: desk.userId, name: 'desk' }, now: clock.trader };
  const { id } = await db.transaction((tx) => openSingle(tx, asker, 'hedge', plan, terms));
  await desk.run(5);
  expect(await desk.orders()).toEqual([]);
  expect(await strategyById(db, id)).toMatchObject({ state: 'running', single: { refused: null } });
  shifts.clear();
  await desk.run(10);
  expect(await newestDealsOf(db, id, 1)).toMatchObject([{ state: 'open' }]);
  await desk.retire();
});
