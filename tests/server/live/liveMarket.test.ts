import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFundingRows } from '#server/kinds/fundingRate/scan';
import { createSpreadRows } from '#server/kinds/spread/scan';
import { createClient } from '#server/market/live/exchangeClass';
import { createLive } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createMarketSight } from '#server/market/scan/sight';
import { createSimulatedVenues } from '#server/market/simulated';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const PAGE = { current: 1, pageSize: 50, size: 1_000 };
const PATIENCE_MS = 60_000;
/** After so long in silence a symbol has no price. */
const STALE_MS = 2_500;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const db = await fileDatabase();
const clock = clockFrom(QUIET_START);
const venues = createSimulatedVenues({ clock });
const exchange = venues[0]!;
const standIn = await startStandIn({ dialects: ['binance'], venues, clock });
atEnd(() => standIn.close());
const SPOT = 'BTCUSDT_SPOT';
/** A coin that has no perpetual here. */
const BARE = 'DOGEUSDT_SPOT';
const line = await badLineTo(standIn.url, onlyBinance(...SYMBOLS, SPOT, BARE));
atEnd(() => line.close());
const troubles: string[] = [];
// To load and compile the library takes most of the time until the first word, and is no wait for the exchange.
await createClient('binance');
const live = createLive({
  ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url } },
  onTrouble: (what) => troubles.push(what),
  times: {
    ping: 150,
    out: 700,
    silent: 1_500,
    stale: STALE_MS,
    poll: 500,
    spot: 500,
    again: 50,
    longest: 200,
    idle: 400,
  },
});
const markets = createMarkets({ db, clock, live: live.markets });
const [market] = live.markets;
live.start();
atEnd(() => live.stop());

/** The symbols with a price now. */
const priced = async () => (await market!.tickers()).map(({ symbol }) => symbol);
const allPriced = async () => (await priced()).length === SYMBOLS.length;
/** Best prices come every five seconds only. */
const streaming = () =>
  ['tickers', 'marks'].every((name) => {
    const { heardAt, failure } = market!.feed.streams.get(name) ?? { heardAt: null, failure: null };
    return heardAt !== null && failure === null;
  });
beforeAll(() =>
  waitFor('the first prices of all streams', PATIENCE_MS, async () => (await allPriced()) && streaming()),
);
beforeEach(() => {
  line.refuses = () => null;
  line.loses = () => false;
});

test('is a source of its own beside the simulated one', async () => {
  const list = await markets.list();
  expect(list.map(({ source, kind }) => [source, kind])).toEqual([
    ['simulated', 'simulated'],
    ['binance-live', 'live'],
  ]);
  expect(await markets.get('binance-live')).toBe(market);
  expect(await markets.get('binance')).toBeUndefined();
});

test('lists what the exchange lists, with its steps, limits and intervals', async () => {
  const listed = (await market!.instruments()).map(({ symbol }) => symbol);
  expect(listed).toEqual(SYMBOLS);
  for (const instrument of await market!.instruments()) {
    const { tickSize, lotSize, minNotional, fundingHours, kind, base, settle } = exchange.listed(
      instrument.symbol,
    )!.instrument;
    const decimals = [tickSize, lotSize, minNotional].map(Number);
    expect([instrument.tickSize, instrument.lotSize, instrument.minNotional].map(Number)).toEqual(decimals);
    expect(instrument).toMatchObject({ fundingHours, kind, base, settle, exchange: 'binance-live' });
  }
});

test('its present is that of the exchange', async () => {
  const ticker = (symbol: string) => market!.listed(symbol)!.ticker;
  for (const symbol of SYMBOLS) {
    // Whatever was said within the last seconds is right: quotes are under way.
    const seconds = Array.from({ length: 5 }, (_, i) => exchange.listed(symbol, clock() - i * 1_000)!.ticker);
    const within = (name: 'price' | 'mark' | 'index' | 'high24h' | 'fundingRate' | 'turnover24h', slack: number) => {
      const values = seconds.map((one) => one[name]!);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      expect(ticker(symbol)[name]!).toBeGreaterThanOrEqual(low - Math.abs(low) * slack);
      expect(ticker(symbol)[name]!).toBeLessThanOrEqual(high + Math.abs(high) * slack);
    };
    for (const name of ['price', 'mark', 'index'] as const) within(name, 0.002);
    within('high24h', 0.002);
    within('turnover24h', 0.02);
    within('fundingRate', 0.05);
    expect(ticker(symbol).nextFundingAt).toBe(seconds[0]!.nextFundingAt);
    expect(clock() - ticker(symbol).at).toBeLessThan(5_000);
  }
  // Among many tests a question may have been answered too late.
  await waitFor('it answers', PATIENCE_MS, () => !market!.isOut());
  expect(Math.abs(market!.clockAheadMs()!)).toBeLessThan(1_000);
});

test('the spot beside a perpetual is followed with its own price, steps and book, that of other coins is not', async () => {
  const [spot, ...others] = await market!.instruments(['spot']);
  expect(others).toEqual([]);
  const theirs = exchange.listed(SPOT)!.instrument;
  const { tickSize, lotSize, minNotional } = theirs;
  const decimals = [tickSize, lotSize, minNotional].map(Number);
  expect([spot!.tickSize, spot!.lotSize, spot!.minNotional].map(Number)).toEqual(decimals);
  expect(spot).toMatchObject({ symbol: SPOT, base: 'BTC', fundingHours: null, maxLeverage: 1 });
  await waitFor('its price', PATIENCE_MS, () => market!.listed(SPOT) !== null);
  const prices = Array.from({ length: 8 }, (_, i) => exchange.listed(SPOT, clock() - i * 1_000)!.ticker.price);
  const { price, fundingRate } = market!.listed(SPOT)!.ticker;
  expect(price).toBeGreaterThanOrEqual(Math.min(...prices) * 0.9999);
  expect(price).toBeLessThanOrEqual(Math.max(...prices) * 1.0001);
  expect(fundingRate).toBeNull();
  await waitFor('its book', PATIENCE_MS, () => market!.book(SPOT) !== null);
  const best = () => market!.book(SPOT)?.asks[0]?.ticks;
  await waitFor('it is theirs', PATIENCE_MS, () =>
    [0, 1, 2, 3].some((ago) => exchange.book(SPOT, clock() - ago * 250)!.asks[0]!.ticks === best()),
  );
});

test('spot that was listed since is not taken for the perpetual of the same name', async () => {
  const isTicker = ({ e, s }: { e?: string; s?: string }) => e === '24hrMiniTicker' && s === 'ETHUSDT';
  let told = 0;
  line.loses = (message, path) => {
    if (!isTicker(message)) return false;
    if (path.startsWith('/fstream/')) return true;
    told += 1;
    return false;
  };
  await waitFor('what was under way has come', PATIENCE_MS, () => told >= 1);
  const { price, turnover24h } = market!.listed('ETHUSDT')!.ticker;
  await waitFor('its spot is told of', PATIENCE_MS, () => told >= 4);
  expect(market!.listed('ETHUSDT')!.ticker).toMatchObject({ price, turnover24h });
  expect(turnover24h! / exchange.listed('ETHUSDT')!.ticker.turnover24h!).toBeCloseTo(1, 1);
});

test('spot that is silent has the price that is asked for', async () => {
  line.loses = ({ e, s }) => e === '24hrMiniTicker' && s === 'BTCUSDT';
  const since = clock();
  const times = () => line.asked.filter(({ path }) => path === '/api/v3/ticker/price').length;
  await waitFor('longer than a price stands', PATIENCE_MS, () => clock() - since > STALE_MS);
  const asked = times();
  await waitFor('it is asked for again', PATIENCE_MS, () => times() > asked);
  expect(market!.listed(SPOT)).not.toBeNull();
});

test('a spread and a carry of spot and perpetual are among the rows of the scanners', async () => {
  const deps = {
    sight: createMarketSight(createMarkets({ db, clock, live: live.markets, isSimulated: false }), clock),
    clock,
  };
  const [fundingRows, spreadRows] = [createFundingRows(deps), createSpreadRows(deps)];
  const rows = async () => {
    // A beat is longer than a book is kept here.
    for (const symbol of [SPOT, 'BTCUSDT']) market!.book(symbol);
    const [carry] = (await fundingRows({ ...PAGE, hours: 24 })).rows;
    const [spread] = (await spreadRows({ ...PAGE, days: 7 })).rows;
    return carry && spread && carry.entryCost !== null && spread.closeLevel !== null ? { carry, spread } : undefined;
  };
  await waitFor('both have books', PATIENCE_MS, async () => (await rows()) !== undefined);
  const { carry, spread } = (await rows())!;
  expect(carry).toMatchObject({ source: 'binance-live', base: 'BTC' });
  expect(spread).toMatchObject({ source: 'binance-live', type: 'spotPerpetual', near: SPOT, far: 'BTCUSDT' });
});

test('a book is followed once somebody looks at it, and dropped when nobody does any more', async () => {
  await waitFor('those of before are dropped', PATIENCE_MS, () => market!.feed.books === 0);
  expect(market!.book('BTCUSDT')).toBeNull();
  await waitFor('the book', PATIENCE_MS, () => market!.book('BTCUSDT') !== null);
  const { bids, asks, tickSize, lotSize } = market!.book('BTCUSDT')!;
  const theirs = exchange.book('BTCUSDT')!;
  expect([Number(tickSize), Number(lotSize)]).toEqual([Number(theirs.tickSize), Number(theirs.lotSize)]);
  expect(bids[0]!.ticks).toBeLessThan(asks[0]!.ticks);
  expect(Math.abs(bids[0]!.ticks / theirs.bids[0]!.ticks - 1)).toBeLessThan(0.002);
  expect(bids.map(({ ticks }) => ticks)).toEqual(bids.map(({ ticks }) => ticks).sort((a, b) => b - a));
  expect(market!.feed.books).toBe(1);
  await waitFor('it is dropped', PATIENCE_MS, () => market!.feed.books === 0);
});

test('looking at books again and again leaves nothing behind', async () => {
  let depths = 0;
  line.loses = ({ e }) => {
    if (e === 'depthUpdate') depths += 1;
    return false;
  };
  /** How many streams there were while all books were there. */
  const round = async () => {
    await waitFor(
      'all books beside all prices',
      PATIENCE_MS,
      () => SYMBOLS.map((symbol) => market!.book(symbol)).every((book) => book !== null) && streaming(),
    );
    const streams = line.streams();
    await waitFor('they are dropped', PATIENCE_MS, () => market!.feed.books === 0);
    return streams;
  };
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const [streams, before] = [await round(), used()];
  for (let i = 0; i < 2; i += 1) await round();
  // Fewer where a silence has ended them: that of books is opened again only for whoever looks.
  await waitFor('no more streams than before', PATIENCE_MS, () => line.streams() <= streams);
  expect(used() - before).toBeLessThan(5);
  // What is dropped is not sent any more.
  await waitFor('they end', PATIENCE_MS, async () => {
    const seen = depths;
    await pause(300);
    return depths === seen;
  });
});

test('after a gap in a book nothing is shown until it is whole again', async () => {
  await waitFor('the book', PATIENCE_MS, () => market!.book('ETHUSDT') !== null);
  /** What was shown when a whole book was asked for. */
  const shown: unknown[] = [];
  line.refuses = (path) => {
    if (path.endsWith('/depth')) shown.push(market!.book('ETHUSDT'));
    return null;
  };
  let heard = 0;
  // One now and then until it is noticed: where the stream was opened again meanwhile, the whole book covers what was lost.
  line.loses = ({ e, s }) => e === 'depthUpdate' && s === 'ETHUSDT' && shown.length === 0 && heard++ % 20 === 0;
  await waitFor('a whole one is asked for', PATIENCE_MS, () => {
    // Who does not look at it has it no more.
    market!.book('ETHUSDT');
    return shown.length > 0;
  });
  expect(shown[0]).toBeNull();
  await waitFor('it is whole', PATIENCE_MS, () => market!.book('ETHUSDT') !== null);
  const { bids, asks } = market!.book('ETHUSDT')!;
  expect(bids[0]!.ticks).toBeLessThan(asks[0]!.ticks);
});

test('streams that were cut are opened again, with the prices of now', async () => {
  const before = line.streams();
  expect(before).toBeGreaterThan(1);
  line.cut();
  await waitFor('they fail', PATIENCE_MS, () => [...market!.feed.streams.values()].some(({ failure }) => failure));
  await waitFor('they speak again', PATIENCE_MS, () => streaming());
  expect(await priced()).toEqual(SYMBOLS);
  expect(troubles.join()).toContain('binance stream');
});

test('a symbol that nothing is heard of has no price rather than an old one, the others have theirs', async () => {
  line.loses = ({ s }) => s === 'SOLUSDT';
  await waitFor('it has none', PATIENCE_MS, async () => !(await priced()).includes('SOLUSDT'));
  expect(await priced()).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(market!.listed('SOLUSDT')).toBeNull();
  expect((await market!.instruments()).map(({ symbol }) => symbol)).toContain('SOLUSDT');
  expect(market!.feed.stale).toBe(1);
  line.loses = () => false;
  await waitFor('it has one', PATIENCE_MS, allPriced);
});

test('silent streams are replaced by asking, and opened anew', async () => {
  const reopened = () => [...market!.feed.streams.values()].reduce((sum, stream) => sum + stream.reopened, 0);
  const [before, asked] = [reopened(), line.asked.length];
  line.loses = ({ e }) => e !== undefined;
  await waitFor('they are opened anew', PATIENCE_MS, () => reopened() > before);
  await waitFor('prices are asked for', PATIENCE_MS, () =>
    line.asked.slice(asked).some(({ path }) => path.endsWith('/premiumIndex')),
  );
  await waitFor('there are prices', PATIENCE_MS, allPriced);
  expect(market!.isOut()).toBe(false);
  line.loses = () => false;
  await waitFor('they speak again', PATIENCE_MS, streaming);
});

test('a venue that answers nothing is out, whatever its streams say', async () => {
  line.refuses = () => 503;
  await waitFor('it is out', PATIENCE_MS, () => market!.isOut());
  expect(streaming()).toBe(true);
  expect(market!.book('BTCUSDT')).toBeNull();
  line.refuses = () => null;
  await waitFor('it is back', PATIENCE_MS, () => !market!.isOut());
});

test('a venue of whose symbols nothing is heard is out, though it tells the time', async () => {
  line.loses = () => true;
  line.refuses = (path) => (path.endsWith('/time') ? null : 503);
  const { feed } = market!;
  await waitFor('it tells the time alone', PATIENCE_MS, () => feed.stale === feed.listings.size && !feed.isOut);
  expect(market!.isOut()).toBe(true);
  // Since anything was heard last, not since it answered.
  const heard = feed.silent().map(({ heardAt }) => heardAt ?? 0);
  expect(feed.outSince).toBe(Math.max(...heard));
  line.loses = () => false;
  line.refuses = () => null;
  await waitFor('it is back', PATIENCE_MS, async () => !market!.isOut() && (await allPriced()) && streaming());
  expect(feed.outSince).toBeNull();
});

// The last one here: the wait outlives it.
test('who is told to wait does not ask again before', async () => {
  line.waits = 600;
  line.refuses = () => 429;
  const refusal = () => market!.feed.askNow((asked) => asked.fetchTime()).catch((error: Error) => error.message);
  const isToldToWait = async () => /^wait \d+ s$/.test(String(await refusal()));
  await waitFor('it is refused', PATIENCE_MS, isToldToWait);
  // What was asked before the word to wait came is on its way yet.
  await pause(400);
  const asked = line.asked.length;
  expect(await isToldToWait()).toBe(true);
  await pause(400);
  expect(line.asked).toHaveLength(asked);
});
