import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { ownDeal } from '#server/base/db/strategies/deal';
import { closeQuote } from '#server/desk/strategy/closeQuote';
import { closeDeal } from '#server/desk/strategy/strategyIntents';
import { createLive } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import type { VenueEvent, VenueFill } from '#server/market/venue';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { strategyDesk } from '../../support/kindDesk';
import { openAt } from '../../support/openAt';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const SOURCE = 'binance-live';
const PATIENCE_MS = 60_000;

let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;
let listed = ['BTCUSDT', 'SOLUSDT'];

const db = await fileDatabase();
const venues = createSimulatedVenues({ clock });
const exchange = venues[0]!;
const standIn = await startStandIn({ dialects: ['binance'], venues, clock });
atEnd(() => standIn.close());
const line = await badLineTo(standIn.url, (path, body) => onlyBinance(...listed)(path, body));
atEnd(() => line.close());
const live = createLive({
  ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url }, onTrouble: () => undefined },
  times: {
    ping: 150,
    out: 900,
    silent: 2_000,
    stale: 2_500,
    poll: 300,
    again: 50,
    longest: 200,
    history: 0,
    listings: 300,
  },
  collectorTimes: { look: 100, lease: 1_500 },
});
const market = live.markets[0]!;
const markets = createMarkets({ db, clock, live: live.markets });
atEnd(() => live.stop());

const priceOf = (symbol: string) => exchange.listed!(symbol, clock())!.ticker.price;
const isThere = () => !market.isOut() && market.feed.stale === 0;
const fillsOf = (events: VenueEvent[]) => events.filter((event): event is VenueFill => event.kind === 'fill');

/** A grid that is long of nearly all it may be. */
const gridOf = (symbol: string, over: Partial<GridParams> = {}): GridParams => {
  const at = priceOf(symbol);
  const range = { lower: Math.round(at * 96) / 100, upper: Math.round(at * 125) / 100, cells: 8 };
  return {
    ...DEFAULT_GRID,
    source: SOURCE,
    symbol,
    ...range,
    direction: 'long',
    stopLoss: null,
    dailyLossLimit: null,
    ...over,
  };
};

/** A grid that runs at an account there. */
async function runningAt(params: GridParams) {
  const moving = { markets, clock, wait: () => undefined };
  const venue = { shared: () => true, halfLifeMs: 20_000 };
  const desk = await strategyDesk(db, { clock: null, venues, moving }, 'grid', params, { begins: false, venue });
  const account = await openAt(db, desk.venue, { userId: desk.userId, at: SOURCE, amount: 50_000 });
  await desk.start();
  const deal = async () => (await desk.deals())[0];
  /** Ticks until something has come about. */
  const until = (what: string, isSo: () => Promise<boolean> | boolean) =>
    waitFor(what, PATIENCE_MS, async () => {
      await desk.engine.tick();
      return isSo();
    });
  await until('it is open', async () => (await deal())?.state === 'open');
  return {
    ...{ desk, account, deal, until },
    events: () => desk.venue.events(account, 0),
    isClosed: async () => (await deal())?.state === 'closed',
    /** Nothing is left, and what everybody has written down is the same. */
    endClean: async () => {
      expect(await desk.venue.positions(account)).toEqual([]);
      await desk.netOf((await deal())!.id);
      expect(await desk.findings()).toEqual([]);
      await desk.retire();
    },
  };
}

/** So much later, once the exchange is heard again. */
async function later(ms: number): Promise<void> {
  ahead += ms;
  await waitFor('the exchange is there again', PATIENCE_MS, isThere);
}

beforeAll(async () => {
  live.start();
  await waitFor('prices', PATIENCE_MS, () => market.feed.listedAt > 0 && isThere());
});

test('a grid opens on the real books, pays the settlement it held over, and closes', async () => {
  const { desk, deal, until, events, isClosed, endClean } = await runningAt(gridOf('BTCUSDT'));
  const opened = fillsOf(await events());
  expect(opened.length).toBeGreaterThan(0);
  for (const { source, symbol, price } of opened) {
    expect(source).toBe(SOURCE);
    expect(Math.abs(Number(price) / priceOf(symbol) - 1)).toBeLessThan(0.003);
  }
  const { nextFundingAt: at } = market.listed('BTCUSDT')!.ticker;
  await later(at! - clock() + 2 * MINUTE_MS);
  const settled = async () => (await events()).filter((event) => event.kind === 'funding');
  await until('it is settled', async () => (await settled()).length > 0);
  const rates = (await exchange.funding('BTCUSDT'))!;
  for (const one of await settled()) {
    const held = fillsOf(await events())
      .filter((fill) => fill.symbol === one.symbol && fill.at < at!)
      .reduce((sum, { side, quantity }) => sum + Number(quantity) * (side === 'buy' ? 1 : -1), 0);
    expect(one).toMatchObject({ at, quantity: expect.stringMatching(held > 0 ? /^\d/ : /^-/) });
    expect(Number(one.rate)).toBeCloseTo(rates.rate[rates.time.indexOf(at!)]!, 8);
    expect(Number(one.amount)).toBeCloseTo(-held * Number(one.mark) * Number(one.rate), 6);
  }
  expect((await settled()).map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
  await desk.ask(async (tx, asker) => closeDeal(tx, asker, (await deal())!.id));
  await until('it is closed', isClosed);
  expect(await deal()).toMatchObject({ closeReason: 'manual' });
  const booked = await desk.ledger('funding');
  expect(booked.map(({ amount }) => Number(amount))).toEqual((await settled()).map(({ amount }) => Number(amount)));
  await endClean();
});

test('what is held of a symbol that is listed no more waits a day, then ends at its last stored close', async () => {
  const { desk, deal, until, events, isClosed, endClean } = await runningAt(gridOf('SOLUSDT', { legNotional: 2_000 }));
  const held = (await deal())!;
  await waitFor('its candles are stored', PATIENCE_MS, async () => (await market.candles('SOLUSDT', '1h')) !== null);
  listed = listed.filter((symbol) => symbol !== 'SOLUSDT');
  await waitFor('it is listed no more', PATIENCE_MS, () => !market.feed.listings.has('SOLUSDT'));
  const before = fillsOf(await events()).length;
  await later(20 * HOUR_MS);
  for (let i = 0; i < 5; i += 1) await desk.engine.tick();
  expect(await deal()).toMatchObject({ state: 'open' });
  expect(fillsOf(await events())).toHaveLength(before);
  // The exchange may be silent for a moment: then it says that instead.
  await waitFor('it is told why there is no price', PATIENCE_MS, async () => {
    const quote = await closeQuote({ db, venue: desk.venue, markets }, (await ownDeal(db, desk.userId, held.id))!);
    return quote.legs[0]!.unpriced === '币安 · 实时的 SOLUSDT 现在没有盘口：有盘口后才会平仓';
  });
  await later(6 * HOUR_MS);
  await until('it is closed', isClosed);
  expect(await deal()).toMatchObject({ closeReason: 'delisted' });
  const last = (await market.candles('SOLUSDT', '1h'))!.close.at(-1);
  const ends = fillsOf(await events()).slice(before);
  expect(ends.map(({ forced, price, fee }) => [forced, Number(price), Number(fee)])).toEqual([['delisting', last, 0]]);
  await endClean();
});
