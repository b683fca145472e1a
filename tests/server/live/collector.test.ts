import { eq } from 'drizzle-orm';
import { BAR_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { listSeries, MINUTE, readPart, writePart } from '#server/base/db/markets/candle';
import { listCollectors } from '#server/base/db/markets/collector';
import { listSources } from '#server/base/db/markets/instrument';
import { mergeSeries } from '#server/base/db/markets/mergeSeries';
import { addSamples } from '#server/base/db/markets/sample';
import { readWatched } from '#server/base/db/markets/watched';
import { RETENTION } from '#server/base/db/records/retention';
import { candle } from '#server/base/db/schema';
import { addStars } from '#server/base/db/users/star';
import { createUser } from '#server/base/db/users/user';
import { createCandles } from '#server/base/maths/candles';
import { candleColumns } from '#server/desk/symbol/candleColumns';
import { sampleColumns, sampledChanges } from '#server/desk/symbol/samples';
import type { InstrumentKind } from '#server/market/exchange';
import { createLive, type Live } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { type BadLine, badLineTo, onlyBinance } from '../../support/badLine';
import { addBook, addPair, switchTo } from '../../support/bookRows';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const SOURCE = 'binance-live';
/** Exchanges list such names too. */
const CHINESE = '我踏马来了USDT';
const SYMBOLS = ['BTCUSDT', CHINESE];
const PATIENCE_MS = 60_000;
const FIVE_MS = 5 * MINUTE_MS;

/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;

const db = await fileDatabase();
const venues = createSimulatedVenues({ clock });
const exchange = venues[0]!;
const standIn = await startStandIn({ dialects: ['binance'], coins: 'all', venues, clock });
atEnd(() => standIn.close());
const line: BadLine = await badLineTo(standIn.url, onlyBinance(...SYMBOLS));
atEnd(() => line.close());

const LEASE_MS = 2_000;

/** One process that follows the exchange; it holds what it collects for so long. */
const process = (lease = LEASE_MS): Live =>
  createLive({
    ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url }, onTrouble: () => undefined },
    times: { ping: 500, again: 50, longest: 200, history: 0 },
    collectorTimes: { look: 50, lease, watch: 200 },
  });

const progress = async () => (await listCollectors(db)).find(({ source }) => source === SOURCE)?.progress;
/** What was asked of one kind, each question once in this form. */
const questions = (ending: string) =>
  line.asked.filter(({ path }) => path.endsWith(ending)).map(({ path, query }) => `${path}?${query}`);
const series = async () => {
  const all = await listSeries(db, SOURCE);
  return Object.fromEntries(all.map((one) => [`${one.symbol} ${one.bar}`, one]));
};
const isWhole = async () => {
  const said = await progress();
  const last = Math.floor(clock() / HOUR_MS) * HOUR_MS - HOUR_MS;
  const all = Object.values(await series());
  return said?.due === 0 && all.length === 4 && all.every(({ bar, lastAt }) => bar !== '1h' || lastAt === last);
};

async function collecting<T>(use: () => Promise<T>, { count = 1, lease = LEASE_MS } = {}): Promise<T> {
  const all = Array.from({ length: count }, () => process(lease));
  for (const one of all) one.start();
  try {
    return await use();
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

test('fills up two years of days, 90 days of hours and of funding, as the exchange has them; two processes ask once', async () => {
  // Neither is so late on a busy machine that the other takes over.
  await collecting(() => waitFor('all is stored', PATIENCE_MS, isWhole), { count: 2, lease: 60_000 });
  const stored = await series();
  for (const symbol of SYMBOLS) {
    for (const [bar, days] of [
      ['1d', 730],
      ['1h', 90],
    ] as const) {
      const { count, firstAt, lastAt } = stored[`${symbol} ${bar}`]!;
      const { listedAt } = exchange.listed(symbol)!.instrument;
      const first = Math.ceil(Math.max(clock() - days * DAY_MS, listedAt) / BAR_MS[bar]) * BAR_MS[bar];
      expect(Math.abs(firstAt - first)).toBeLessThanOrEqual(BAR_MS[bar]);
      expect(count).toBe((lastAt - firstAt) / BAR_MS[bar] + 1);
    }
  }
  const klines = questions('/klines');
  expect(new Set(klines).size).toBe(klines.length);
  const market = (await createMarkets({ db, clock }).get(SOURCE))!;
  const range = { start: clock() - 5 * DAY_MS };
  const [ours, theirs] = [await market.candles('BTCUSDT', '1h', range), await exchange.candles('BTCUSDT', '1h', range)];
  expect([...ours!.time]).toEqual([...theirs!.time]);
  for (const column of ['open', 'high', 'low', 'close'] as const) {
    for (const [i, value] of ours![column].entries()) expect(value / theirs![column][i]!).toBeCloseTo(1, 3);
  }
  expect(ours!.turnover[3]! / theirs!.turnover[3]!).toBeCloseTo(1, 2);
  const [paid, due] = [await market.funding('BTCUSDT', range), await exchange.funding('BTCUSDT', range)];
  expect([...paid!.time]).toEqual([...due!.time]);
  for (const [i, rate] of paid!.rate.entries()) expect(rate).toBeCloseTo(due!.rate[i]!, 6);
});

test('a restart asks for nothing that is stored, and goes on with the hour that closes', async () => {
  line.asked.length = 0;
  const since = clock();
  await collecting(async () => {
    await waitFor('it has looked', PATIENCE_MS, async () => (await progress())!.at > since + 200);
    expect(questions('/klines')).toEqual([]);
    ahead += HOUR_MS;
    await waitFor('the hour is stored', PATIENCE_MS, isWhole);
  });
  const asked = line.asked.filter(({ path, query }) => path.endsWith('/klines') && query.get('interval') === '1h');
  expect(asked.map(({ query }) => query.get('symbol')).sort()).toEqual(SYMBOLS);
  for (const { count, firstAt, lastAt, bar } of Object.values(await series())) {
    expect(count).toBe((lastAt - firstAt) / BAR_MS[bar] + 1);
  }
});

test('a gap in the middle is seen and filled', async () => {
  const key = { source: SOURCE, symbol: CHINESE, bar: '1h', part: 2026 } as const;
  const whole = (await readPart(db, key))!;
  const missing = new Set([whole.time[200], whole.time[201], whole.time[900]]);
  const kept = [...whole.time.keys()].filter((i) => !missing.has(whole.time[i]));
  const broken = createCandles(kept.length);
  for (const [name, column] of Object.entries(broken) as [keyof typeof broken, Float64Array][]) {
    column.set(kept.map((i) => whole[name][i]!));
  }
  await writePart(db, key, broken);
  line.asked.length = 0;
  await collecting(async () => {
    await waitFor('it is whole', PATIENCE_MS, async () => (await readPart(db, key))!.time.length === whole.time.length);
    const since = clock();
    await waitFor('it has looked again', PATIENCE_MS, async () => (await progress())!.at > since + 500);
  });
  expect(await readPart(db, key)).toEqual(whole);
  expect(questions('/klines')).toHaveLength(2);
});

test('minutes are collected of what is starred: a day at first sight, then each; a gap is filled, and what is old goes', async () => {
  const user = await createUser(db, { name: 'watcher', role: 'user', passwordHash: '', createdAt: clock() });
  const { id: userId } = user as { id: string };
  await addStars(db, userId, ['BTC', 'NOTHERE'], 10);
  // What a strategy may open is watched while it runs.
  await addBook(db, userId, {});
  await addPair(db, { userId, source: SOURCE, long: CHINESE, short: 'BTCUSDT', createdAt: 0, armedAt: 0 });
  const minutes = async (symbol = 'BTCUSDT') =>
    (await listSeries(db, SOURCE, [MINUTE])).find((one) => one.symbol === symbol);
  const newest = () => Math.floor((clock() - 10_000) / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  const isThere = async () => ((await minutes())?.lastAt ?? 0) >= newest();
  const of = { source: SOURCE, symbol: 'BTCUSDT', limit: 1 };
  line.asked.length = 0;
  const stamp = async () => (await listSources(db)).find(({ source }) => source === SOURCE)?.stamp;
  const before = await stamp();
  await collecting(async () => {
    await waitFor('the day is stored', PATIENCE_MS, isThere);
    expect(await progress()).toMatchObject({ watched: 1, unwatched: 0 });
    ahead += MINUTE_MS;
    await waitFor('the next minute is stored', PATIENCE_MS, isThere);
    ahead += FIVE_MS - (clock() % FIVE_MS);
    const isNew = async () => (await sampleColumns({ db }, of)).time[0] === Math.floor(clock() / FIVE_MS) * FIVE_MS;
    await waitFor('a sample is stored', PATIENCE_MS, isNew);
  });
  const samples = await sampleColumns({ db }, of);
  const at = Math.floor(clock() / FIVE_MS) * FIVE_MS;
  const { ticker } = exchange.listed('BTCUSDT', at + 1_000)!;
  expect(samples.time).toEqual([at]);
  expect(samples.interestUsdt[0]! / ticker.openInterest!).toBeCloseTo(1, 2);
  expect(samples.interest[0]! / (ticker.openInterest! / ticker.price)).toBeCloseTo(1, 2);
  expect(Math.abs(samples.premium[0]! - (ticker.mark! / ticker.index! - 1))).toBeLessThan(0.001);
  const dayBefore = { source: SOURCE, symbol: 'BTCUSDT', at: at - DAY_MS + FIVE_MS };
  const [interest, usdt] = [samples.interest[0]! / 2, samples.interestUsdt[0]! / 2];
  await addSamples(db, [
    { ...dayBefore, interest, interestUsdt: usdt, premium: samples.premium[0]! - 0.001, borrow: null },
  ]);
  const changes = (await sampledChanges({ db }, of))!;
  expect(changes).toMatchObject({ openInterestChange24h: 1, borrowRate: null, sampledAt: at });
  expect(changes.premiumChange24h).toBeCloseTo(0.001, 9);
  expect(await sampledChanges({ db }, { ...of, symbol: CHINESE })).toBeNull();
  expect(await RETENTION.market_sample.drop(db, at)).toBeGreaterThan(0);
  expect((await sampleColumns({ db }, { ...of, limit: 10 })).time).toEqual([at]);
  const asked = line.asked
    .filter(({ query }) => query.get('interval') === '1m')
    .map(({ query }) => query.get('symbol'));
  expect(new Set(asked)).toEqual(new Set(['BTCUSDT']));
  const { count, firstAt, lastAt } = (await minutes())!;
  expect(count).toBe((lastAt - firstAt) / MINUTE_MS + 1);
  expect(count).toBeGreaterThan(24 * 60 - 2);
  // Nothing that was computed from the history is dropped for it.
  expect(await stamp()).toBe(before);

  const market = (await createMarkets({ db, clock }).get(SOURCE))!;
  const bars = await candleColumns(market, { source: SOURCE, symbol: 'BTCUSDT', bar: '5m', limit: 100 });
  const own = await market.minutes!('BTCUSDT', { hours: 30 });
  expect(bars.time).toHaveLength(100);
  expect(bars.close.at(-1)).toBe(own.close.at(-1));
  const within = [...own.time.keys()].filter(
    (i) => Math.floor(own.time[i]! / (5 * MINUTE_MS)) * 5 * MINUTE_MS === bars.time[50],
  );
  expect(within).toHaveLength(5);
  expect(bars).toMatchObject({ ma25: expect.not.arrayContaining([null]), compare: null });
  expect([bars.open[50], bars.close[50]]).toEqual([own.open[within[0]!], own.close[within[4]!]]);
  expect(bars.high[50]).toBe(Math.max(...within.map((i) => own.high[i]!)));
  expect(bars.turnover[50]).toBeCloseTo(
    within.reduce((sum, i) => sum + own.turnover[i]!, 0),
    3,
  );
  const unwatched = await candleColumns(market, { source: SOURCE, symbol: CHINESE, bar: '1m', limit: 100 });
  expect([unwatched.time, unwatched.formingAt]).toEqual([[], null]);

  const part = Math.floor(clock() / HOUR_MS) - 5;
  await db.delete(candle).where(eq(candle.part, part));
  await collecting(() => waitFor('it is whole', PATIENCE_MS, async () => (await minutes())!.count >= count));
  expect(await RETENTION.candle.drop(db, lastAt - 2 * HOUR_MS)).toBeGreaterThan(20);
  expect((await minutes())!.firstAt).toBeGreaterThan(lastAt - 3 * HOUR_MS - 1);
  expect(Object.keys(await series())).toHaveLength(4);

  await switchTo(db, userId, true, 1);
  await collecting(() =>
    waitFor('the other is watched too', PATIENCE_MS, async () => (await minutes(CHINESE)) !== undefined),
  );
  expect(await readWatched(db, SOURCE)).toEqual({ symbols: ['BTCUSDT', CHINESE], coins: ['BTC', 'NOTHERE'] });
});

test('what cannot be asked is told, and asked again', async () => {
  line.refuses = (path) => (path.endsWith('/klines') ? 500 : null);
  ahead += HOUR_MS;
  await collecting(async () => {
    // Of several the newest is told: of an hour, or of a minute of what is watched.
    await waitFor('it says so', PATIENCE_MS, async () => / 1[hm]：/.test((await progress())?.error ?? ''));
    line.refuses = () => null;
    ahead += 2 * MINUTE_MS;
    await waitFor('the hour is stored', PATIENCE_MS, isWhole);
  });
});

test('files imported under the name of the exchange stay a source of their own', async () => {
  const day = Math.floor(clock() / DAY_MS) * DAY_MS - DAY_MS;
  const candles = createCandles(1);
  for (const column of Object.values(candles)) column.fill(7);
  candles.time[0] = day;
  await mergeSeries(
    db,
    { source: 'binance', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
    { bar: '1d', candles },
    clock(),
  );
  const future = { source: SOURCE, symbol: 'BTCUSDT_251226', base: 'BTC', quote: 'USDT' };
  await mergeSeries(db, future, { bar: '1d', candles }, clock());
  const live = process();
  const markets = createMarkets({ db, clock, live: live.markets });
  expect((await markets.list()).map(({ source, kind }) => `${source} ${kind}`)).toEqual([
    'simulated simulated',
    'binance-live live',
    'binance imported',
  ]);
  const [imported, followed] = [(await markets.get('binance'))!, (await markets.get(SOURCE))!];
  expect([...(await imported.candles('BTCUSDT', '1d'))!.close]).toEqual([7]);
  expect((await followed.candles('BTCUSDT', '1d'))!.close.at(-1)).toBeGreaterThan(1_000);
  // Without the exchange what was collected is still there to look at.
  const without = createMarkets({ db, clock });
  expect((await without.list()).map(({ source, kind }) => `${source} ${kind}`)).toContain('binance-live imported');
  for (const market of [followed, (await without.get(SOURCE))!]) {
    const listed = async (kind: InstrumentKind) => (await market.instruments([kind])).map(({ symbol }) => symbol);
    expect(await listed('perpetual')).toEqual(SYMBOLS);
    expect(await listed('future')).toEqual(['BTCUSDT_251226']);
    expect((await market.tickers(clock() - HOUR_MS)).map(({ symbol }) => symbol)).toEqual(SYMBOLS);
  }
});

test('an exchange that nobody reaches is told to be out, and since when', async () => {
  const from = clock();
  const dead = createLive({
    ...{ db, clock, exchanges: ['binance'], urls: { binance: 'http://127.0.0.1:1' }, onTrouble: () => undefined },
    collectorTimes: { look: 50, lease: LEASE_MS },
  });
  dead.start();
  try {
    await waitFor('it is out', PATIENCE_MS, async () => ((await progress())?.outSince ?? 0) >= from);
    expect(await progress()).toMatchObject({ isOut: true, listed: 0 });
    expect((await progress())!.outSince).toBeLessThanOrEqual(clock());
  } finally {
    await dead.stop();
  }
});
