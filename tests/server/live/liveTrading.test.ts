import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { ledger } from '#server/base/db/schema';
import { ownDeal } from '#server/base/db/strategies/deal';
import { closeQuote } from '#server/desk/strategy/closeQuote';
import type { OrderBook } from '#server/market/exchange';
import { createLive, type Live } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import type { VenueEvent, VenueFill, VenueOrder } from '#server/market/venue';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { addPair } from '../../support/bookRows';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { cashOf } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { traderOf, tradingDesk } from '../../support/tradingDesk';
import { waitFor } from '../../support/waitFor';

const SOURCE = 'binance-live';
const PLACES = { source: SOURCE, long: 'BTCUSDT', short: 'ETHUSDT' };
const PATIENCE_MS = 60_000;
const CAPITAL = '50000';
const ACCOUNT = randomUUID();
const REAL = randomUUID();
/** Nothing but a person closes it. */
const SETTINGS = { source: SOURCE, stopLoss: null, takeProfit: null, rebalance: null, dailyLossLimit: null } as const;

/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;

const db = await fileDatabase();
const venues = createSimulatedVenues({ clock });
const exchange = venues[0]!;
const standIn = await startStandIn({ dialects: ['binance'], venues, clock });
atEnd(() => standIn.close());
const line = await badLineTo(standIn.url, onlyBinance('BTCUSDT', 'ETHUSDT'));
atEnd(() => line.close());

/** One process: it follows the exchange, and trades at it. */
async function processOf(userId: string) {
  const live: Live = createLive({
    ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url }, onTrouble: () => undefined },
    times: { ping: 150, out: 900, silent: 2_000, stale: 2_500, poll: 300, again: 50, longest: 200, history: 0 },
    collectorTimes: { look: 100, lease: 1_500 },
  });
  live.start();
  const markets = createMarkets({ db, clock, live: live.markets });
  const desk = await tradingDesk(
    db,
    { markets, clock, wait: () => undefined },
    { userId, isKept: true, venue: { shared: () => true, halfLifeMs: 20_000 } },
  );

  return {
    ...{ live, markets, desk, account: ACCOUNT, market: live.markets[0]! },
    /** Ticks until something has come about. */
    until: (what: string, isSo: () => Promise<boolean> | boolean) =>
      waitFor(what, PATIENCE_MS, async () => {
        await desk.engine.tick();
        return isSo();
      }),
    end: async () => {
      await desk.retire();
      await live.stop();
    },
  };
}
type Process = Awaited<ReturnType<typeof processOf>>;

const fillsOf = (events: VenueEvent[]) => events.filter((event): event is VenueFill => event.kind === 'fill');
const settlementsOf = (events: VenueEvent[]) => events.filter((event) => event.kind === 'funding');
const deal = async ({ desk }: Process) => (await desk.hedges()).at(-1);
const order = (process: Process, over: Partial<VenueOrder>): VenueOrder => ({
  ...{ clientId: randomUUID(), account: process.account, source: SOURCE, symbol: 'BTCUSDT', side: 'buy' },
  ...{ type: 'market', quantity: '0.01', limitPrice: '10000000', reduceOnly: false, leverage: 3, ...over },
});
const isState = (process: Process, state: string) => async () => (await deal(process))?.state === state;
const legFunding = async (userId: string) => {
  const rows = await db.select().from(ledger).where(eq(ledger.userId, userId));
  const funding = rows.filter(({ kind }) => kind === 'funding');
  return { count: funding.length, ofDeals: funding.filter(({ dealId }) => dealId !== null).length };
};

/** Levels that an order takes, one after the other, written down once more. */
function walk(book: OrderBook, side: 'buy' | 'sell', quantity: number): number {
  let [left, paid] = [quantity, 0];
  for (const { ticks, lots } of side === 'buy' ? book.asks : book.bids) {
    const here = Math.min(left, lots * Number(book.lotSize));
    paid += here * ticks * Number(book.tickSize);
    left -= here;
    if (left <= 1e-12) return paid;
  }
  throw new Error('the book is too thin');
}

/** Every book that anybody has looked at of late. */
function watchBooks({ market }: Process): Map<string, OrderBook[]> {
  const seen = new Map<string, OrderBook[]>();
  const read = market.book.bind(market);
  market.book = (symbol, at) => {
    const book = read(symbol, at);
    if (book) seen.set(symbol, [...(seen.get(symbol) ?? []), book]);
    return book;
  };
  return seen;
}

const userId = await traderOf(db, SETTINGS);
let first: Process;

atEnd(() => first.end());

beforeAll(async () => {
  // A real one at the same exchange, which paper never trades.
  await insertAccount(db, { id: REAL, userId, venue: SOURCE, name: '实盘', mode: 'live' });
  await insertAccount(db, { id: ACCOUNT, userId, venue: SOURCE, name: '币安实时', mode: 'paper' });
  first = await processOf(userId);
  await first.desk.venue.open(REAL, CAPITAL);
  await first.desk.venue.open(first.account, CAPITAL);
  await waitFor('prices', PATIENCE_MS, async () => (await first.market.tickers()).length === 2);
  await waitFor('settlements are collected', PATIENCE_MS, async () => {
    await first.markets.get(SOURCE);
    const told = await Promise.all(['BTCUSDT', 'ETHUSDT'].map((symbol) => first.market.settledUntil(symbol)));
    return told.every((until) => until > clock());
  });
});

test('a hedge opens on the real books, level by level, and pays the fees that the exchange lists', async () => {
  const books = watchBooks(first);
  await addPair(db, { userId, ...PLACES, createdAt: clock(), armedAt: clock() });
  await first.until('it is open', isState(first, 'open'));
  const fills = fillsOf(await first.desk.venue.events(first.account, 0));
  expect(new Set(fills.map(({ symbol, side }) => `${side} ${symbol}`))).toEqual(
    new Set(['buy BTCUSDT', 'sell ETHUSDT']),
  );
  const { taker } = first.market.feed.listings.get('BTCUSDT')!.fees!;
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const own = fills.filter((fill) => fill.symbol === symbol);
    const quantity = own.reduce((sum, fill) => sum + Number(fill.quantity), 0);
    const paid = own.reduce((sum, fill) => sum + Number(fill.quantity) * Number(fill.price), 0);
    const costs = books.get(symbol)!.map((book) => walk(book, own[0]!.side, quantity));
    expect(Math.min(...costs.map((cost) => Math.abs(cost / paid - 1)))).toBeLessThan(1e-9);
    // And those books are the exchange's, give or take the seconds that a message is under way.
    const theirs = [0, 1, 2, 3].map((ago) =>
      walk(exchange.book(symbol, clock() - ago * 1_000)!, own[0]!.side, quantity),
    );
    expect(Math.min(...theirs.map((cost) => Math.abs(cost / paid - 1)))).toBeLessThan(0.002);
    expect(own.reduce((sum, fill) => sum + Number(fill.fee), 0)).toBeCloseTo(paid * taker, 6);
  }
});

test('a settlement that is told late is waited for: it is charged once, to the deal that held it, after a restart too', async () => {
  const { desk, account } = first;
  const opened = fillsOf(await desk.venue.events(account, 0));
  line.refuses = (path) => (path.endsWith('/fundingRate') ? 503 : null);
  ahead += 7 * HOUR_MS;
  const at = Math.floor(clock() / HOUR_MS) * HOUR_MS;
  await first.until('the exchange is there again', () => !first.market.isOut() && first.market.feed.stale === 0);
  await desk.close((await deal(first))!.id);
  await first.until('both legs are out', async () => (await desk.venue.positions(account)).length === 0);
  for (let i = 0; i < 3; i += 1) await desk.engine.tick();
  // What it has earned is not known yet.
  expect((await deal(first))!.state).toBe('closing');
  expect(settlementsOf(await desk.venue.events(account, 0))).toEqual([]);

  const second = await processOf(userId);
  await first.end();
  await waitFor('prices', PATIENCE_MS, () => second.market.feed.listedAt > 0);
  line.refuses = () => null;
  ahead += 2 * 60_000;
  await db.execute('update book set lease_holder = null, lease_until = 0');
  await second.until('it is closed', isState(second, 'closed'));
  const events = await second.desk.venue.events(account, 0);
  const settlements = settlementsOf(events);
  expect(settlements.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  for (const { symbol, at: settledAt, amount, rate, mark } of settlements) {
    const held = opened
      .filter((fill) => fill.symbol === symbol)
      .reduce((sum, fill) => sum + Number(fill.quantity) * (fill.side === 'buy' ? 1 : -1), 0);
    const [theirs, hours] = [await exchange.funding(symbol), await exchange.candles(symbol, '1h')];
    expect(settledAt).toBe(at);
    expect(Number(rate)).toBeCloseTo(theirs!.rate[theirs!.time.indexOf(at)]!, 8);
    expect(Number(mark)).toBeCloseTo(hours!.close[hours!.time.indexOf(at - HOUR_MS)]!, 6);
    // Who is long pays a positive rate.
    expect(Number(amount)).toBeCloseTo(-held * Number(mark) * Number(rate), 6);
  }
  expect(await legFunding(userId)).toEqual({ count: 2, ofDeals: 2 });

  const closed = (await deal(second))!;
  const result = cashOf(events).minus(CAPITAL).toNumber();
  const { equity } = await second.desk.venue.margin(account);
  expect(Number(equity)).toBeCloseTo(Number(CAPITAL) + result, 6);
  expect(
    Number(closed.longRealised) + Number(closed.shortRealised) + Number(closed.funding) - Number(closed.fees),
  ).toBeCloseTo(result, 4);
  expect(await second.desk.findings()).toEqual([]);
  first = second;
});

test('what was taken of a level is not taken twice while it stands, and what rests is filled at its price by a book that meets it', async () => {
  const { desk, account, market } = first;
  await waitFor('the book', PATIENCE_MS, () => market.book('BTCUSDT') !== null);
  const read = market.book.bind(market);
  const { tickSize, lotSize } = read('BTCUSDT')!;
  const [ticks, lot] = [Math.round(Number(market.listed('BTCUSDT')!.ticker.price) / Number(tickSize)), Number(lotSize)];
  const quantity = (lots: number) => (lots * lot).toFixed(8);
  const lots = Math.ceil(0.01 / lot);
  const priceOf = (at: number) => tickSize.times(at).toFixed();
  const level = (at: number, of = lots) => ({ ticks: at, lots: of });
  let book: OrderBook = {
    tickSize,
    lotSize,
    isReal: true,
    bids: [level(ticks - 9)],
    asks: [level(ticks), level(ticks + 5, 9 * lots)],
  };
  market.book = (symbol, at) => (symbol === 'BTCUSDT' ? book : read(symbol, at));
  const after = (await desk.venue.events(account, 0)).at(-1)!.sequence;
  const prices = async () => fillsOf(await desk.venue.events(account, after)).map(({ price }) => Number(price));
  await desk.venue.submit(order(first, { quantity: quantity(lots) }));
  // Half a minute later the same order of somebody stands there still.
  ahead += 30_000;
  await waitFor('the exchange is there again', PATIENCE_MS, () => !market.isOut() && market.listed('BTCUSDT') !== null);
  await desk.venue.submit(order(first, { quantity: quantity(lots) }));
  expect(await prices()).toEqual([Number(priceOf(ticks)), Number(priceOf(ticks + 5))]);

  await desk.venue.submit(
    order(first, {
      side: 'sell',
      type: 'maker',
      quantity: quantity(2 * lots),
      limitPrice: priceOf(ticks + 20),
      reduceOnly: true,
    }),
  );
  await desk.venue.advance();
  expect(await prices()).toHaveLength(2);
  book = { ...book, bids: [level(ticks + 30, lots)], asks: [level(ticks + 40)] };
  await desk.venue.advance();
  await desk.venue.advance();
  // No more than who came to meet it, and no better than it asked for.
  expect((await prices()).slice(2)).toEqual([Number(priceOf(ticks + 20))]);
  book = { ...book, bids: [level(ticks + 31, lots)] };
  await desk.venue.advance();
  expect((await prices()).slice(2)).toEqual([Number(priceOf(ticks + 20)), Number(priceOf(ticks + 20))]);
  expect(await desk.venue.positions(account)).toEqual([]);
  market.book = read;
});

test('who takes over finds missing what was taken before it came', async () => {
  // What was taken a minute ago is no more.
  ahead += 2 * 60_000;
  const isThere = ({ market }: Process) => market.book('BTCUSDT') !== null && market.listed('BTCUSDT') !== null;
  await waitFor('the exchange is there again', PATIENCE_MS, () => isThere(first));
  const { tickSize, lotSize } = first.market.book('BTCUSDT')!;
  const ticks = Math.round(Number(first.market.listed('BTCUSDT')!.ticker.price) / Number(tickSize));
  const lots = Math.ceil(0.01 / Number(lotSize));
  const quantity = (times: number) => (times * lots * Number(lotSize)).toFixed(8);
  const asks = [ticks, ticks + 5, ticks + 9].map((at) => ({ ticks: at, lots }));
  const book: OrderBook = { tickSize, lotSize, isReal: true, bids: [{ ticks: ticks - 9, lots: 3 * lots }], asks };
  const standsAt = ({ market }: Process) => {
    market.book = () => book;
  };
  const after = (await first.desk.venue.events(first.account, 0)).at(-1)!.sequence;
  standsAt(first);
  await first.desk.venue.submit(order(first, { quantity: quantity(1) }));
  const second = await processOf(userId);
  await first.end();
  await waitFor('prices', PATIENCE_MS, () => !second.market.isOut() && second.market.listed('BTCUSDT') !== null);
  const read = second.market.book.bind(second.market);
  standsAt(second);
  // Twice: it is owed once.
  for (let i = 0; i < 2; i += 1) await second.desk.venue.submit(order(second, { quantity: quantity(1) }));
  await second.desk.venue.submit(
    order(second, { side: 'sell', quantity: quantity(3), limitPrice: '1', reduceOnly: true }),
  );
  const fills = fillsOf(await second.desk.venue.events(second.account, after));
  const bought = fills.filter(({ side }) => side === 'buy').map(({ price }) => Number(price));
  expect(bought).toEqual(asks.map(({ ticks: at }) => Number(tickSize.times(at))));
  expect(await second.desk.venue.positions(second.account)).toEqual([]);
  second.market.book = read;
  await db.execute('update book set lease_holder = null, lease_until = 0');
  first = second;
});

test('a symbol that nothing is heard of and an exchange that is out get no order, and say why', async () => {
  const { desk, market } = first;
  await db.execute('update target set removed_at = 1');
  line.loses = ({ s }) => s === 'ETHUSDT';
  await waitFor('it is stale', PATIENCE_MS, () => market.listed('ETHUSDT') === null);
  const sent = async () => (await desk.orders()).filter(({ dealId }) => dealId !== null).length;
  const before = await sent();
  const pairId = await addPair(db, { userId, ...PLACES, createdAt: clock(), armedAt: clock() });
  await desk.engine.wake(userId);
  await first.until('it waits', async () => (await desk.pair(pairId)).block !== null);
  expect((await desk.pair(pairId)).block).toBe('stalePrice');
  line.loses = () => false;
  line.refuses = () => 503;
  await waitFor('it is out', PATIENCE_MS, () => market.isOut());
  await desk.engine.tick();
  expect((await desk.pair(pairId)).block).toBe('out');
  expect(await sent()).toBe(before);
  await expect(desk.venue.submit(order(first, {}))).rejects.toThrow('did not answer');
  line.refuses = () => null;
  await first.until('it is open', isState(first, 'open'));
  line.refuses = () => 503;
  await waitFor('it is out', PATIENCE_MS, () => market.isOut());
  const held = (await ownDeal(db, userId, (await deal(first))!.id))!;
  const { legs } = await closeQuote({ db, venue: desk.venue, markets: first.markets }, held);
  expect(legs.map(({ unpriced }) => unpriced)).toEqual(
    Array.from({ length: 2 }, () => '币安 · 实时没有应答，没有盘口：恢复后才会平仓'),
  );
  line.refuses = () => null;
  await waitFor('it is there again', PATIENCE_MS, () => !market.isOut());
});

test('an exchange that is followed no more trades nothing: what is held there stays as it is', async () => {
  const held = (await deal(first))!;
  await first.end();
  const markets = createMarkets({ db, clock });
  expect((await markets.get(SOURCE))!.isOut()).toBe(true);
  const desk = await tradingDesk(db, { markets, clock, wait: () => undefined }, { userId });
  await db.execute('update book set lease_holder = null, lease_until = 0');
  await desk.close(held.id);
  for (let i = 0; i < 3; i += 1) await desk.engine.tick();
  expect(await desk.venue.quote(SOURCE, 'BTCUSDT')).toBeUndefined();
  const still = (await desk.hedges()).at(-1)!;
  expect(still).toMatchObject({ longQuantity: held.longQuantity, shortQuantity: held.shortQuantity });
  expect(still.frozen).toContain('已停止跟踪');
  const { legs, net } = await closeQuote({ db, venue: desk.venue, markets }, (await ownDeal(db, userId, held.id))!);
  expect(legs.map(({ price, unpriced }) => [price, unpriced])).toEqual([
    [null, '币安 · 实时已停止跟踪，没有实时盘口：恢复跟踪后才会平仓'],
    [null, '币安 · 实时已停止跟踪，没有实时盘口：恢复跟踪后才会平仓'],
  ]);
  expect(net).toBeNull();
  await desk.retire();
  first = await processOf(userId);
  await db.execute('update book set lease_holder = null, lease_until = 0');
  await first.until('it is closed', isState(first, 'closed'));
  expect((await deal(first))!.frozen).toBeNull();
  expect(await first.desk.findings()).toEqual([]);
});
