import { sql } from 'drizzle-orm';
import type { Bar } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { createCandles } from '#server/base/maths/candles';
import { createMarkets } from '#server/market/markets';
import { importSeries } from '#server/start/import/sink';
import { fileDatabase } from '../../support/testDatabase';

/** New Year lies inside the series, so that two stored years make one. */
const START = Date.UTC(2024, 11, 20);
const NOW = Date.UTC(2025, 5, 1);

const db = await fileDatabase();
beforeEach(() => db.execute(sql`truncate candle, instrument`));

const markets = () => createMarkets({ db, clock: () => NOW });

/** Stores candles closing at `closes`, one a bar; `null` leaves a bar out. */
function store(symbol: string, closes: (number | null)[], bar: Bar = '1d', source = 'bybit') {
  const step = { '1d': DAY_MS, '4h': 4 * HOUR_MS, '1h': HOUR_MS }[bar];
  const present = closes.flatMap((close, i) => (close === null ? [] : [{ close, time: START + i * step }]));
  const candles = createCandles(present.length);
  present.forEach(({ close, time }, i) => {
    candles.time[i] = time;
    candles.open[i] = close - 1;
    candles.high[i] = close + 2;
    candles.low[i] = close - 3;
    candles.close[i] = close;
    candles.volume[i] = 10;
    candles.turnover[i] = close * 10;
  });
  return importSeries(db, { source, symbol, bar, candles }, NOW);
}

const rising = (count: number) => Array.from({ length: count }, (_, i) => 100 + i);

test('lists the simulated source first, then what was imported, and knows no other', async () => {
  const all = markets();
  expect((await all.list()).map(({ source }) => source)).toEqual(['simulated']);
  await store('BTCUSDT', rising(3), '1d', 'okx');
  await store('BTCUSDT', rising(3));
  expect((await all.list()).map(({ source, kind }) => [source, kind])).toEqual([
    ['simulated', 'simulated'],
    ['bybit', 'imported'],
    ['okx', 'imported'],
  ]);
  expect(await all.get('kraken')).toBeUndefined();
});

test('instruments tell their exchange, pair, span and bars; what a file does not say is null', async () => {
  await store('BTC/USDT:USDT', rising(20));
  await store('我踏马来了USDT', rising(3));
  await store('我踏马来了USDT', rising(50), '1h');
  const market = (await markets().get('bybit'))!;
  const [slashed, chinese] = await market.instruments();
  expect(slashed).toMatchObject({
    symbol: 'BTC/USDT:USDT',
    base: 'BTC',
    quote: 'USDT',
    exchange: 'bybit',
    bars: ['1d'],
  });
  expect(slashed).toMatchObject({ listedAt: START, lastAt: START + 19 * DAY_MS, sector: null, fundingHours: null });
  expect(chinese).toMatchObject({
    base: '我踏马来了',
    bars: ['1d', '1h'],
    listedAt: START,
    lastAt: START + 2 * DAY_MS,
  });
  expect(await market.funding('BTC/USDT:USDT')).toBeNull();
});

test('candles lie on shared memory, in one piece over the years, and a range is half-open', async () => {
  await store('BTCUSDT', rising(40));
  const market = (await markets().get('bybit'))!;
  const all = (await market.candles('BTCUSDT', '1d'))!;
  expect([...all.close]).toEqual(rising(40));
  expect(all.close.buffer).toBeInstanceOf(SharedArrayBuffer);
  const part = (await market.candles('BTCUSDT', '1d', { start: START + 11 * DAY_MS, end: START + 13 * DAY_MS }))!;
  expect([...part.close]).toEqual([111, 112]);
  expect(part.close.buffer).toBe(all.close.buffer);
  expect(await market.candles('BTCUSDT', '1h')).toBeNull();
  expect(await market.candles('NOSUCH', '1d')).toBeNull();
});

test('many symbols asked for at once are all answered with their own candles', async () => {
  for (let i = 0; i < 11; i += 1) await store(`C${i}USDT`, [i + 1, i + 2]);
  const market = (await markets().get('bybit'))!;
  const found = await Promise.all(
    [...Array(11).keys(), 99].map((i) =>
      market.candles(`C${i}USDT`, '1d').then((candles) => candles?.close[0] ?? null),
    ),
  );
  expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, null]);
});

test('an import moves the version and drops what was known', async () => {
  await store('BTCUSDT', [100, 110]);
  const all = markets();
  const market = (await all.get('bybit'))!;
  const version = market.version();
  expect((await market.candles('BTCUSDT', '1d'))?.close[1]).toBe(110);
  await market.tickers();
  await store('BTCUSDT', [100, 120, 130]);
  const again = (await all.get('bybit'))!;
  expect(again).toBe(market);
  expect(market.version()).not.toBe(version);
  expect([...(await market.candles('BTCUSDT', '1d'))!.close]).toEqual([100, 120, 130]);
  expect((await market.tickers())[0]?.price).toBe(130);
});

test('tickers are the last closes with the change of a day, at the close', async () => {
  await store('DAILYUSDT', [100, 110, 121]);
  await store('GAPPYUSDT', [100, null, 121]);
  await store('HOURLYUSDT', rising(60), '1h');
  const market = (await markets().get('bybit'))!;
  const [daily, gappy, hourly] = await market.tickers();
  expect(daily).toMatchObject({
    at: START + 3 * DAY_MS,
    price: 121,
    high24h: 123,
    low24h: 118,
    turnover24h: 1210,
    mark: null,
  });
  expect(daily!.change24h).toBeCloseTo(0.1, 12);
  expect(gappy).toMatchObject({ price: 121, change24h: null });
  expect(hourly).toMatchObject({ at: START + 60 * HOUR_MS, price: 159, high24h: 161, low24h: 133, volume24h: 240 });
  expect(hourly!.change24h).toBeCloseTo(159 / 135 - 1, 12);
});

test('over New Year the day before is still found', async () => {
  await store('BTCUSDT', rising(13));
  const market = (await markets().get('bybit'))!;
  // 2025-01-01 is the first candle of its stored year.
  const [ticker] = await market.tickers();
  expect(ticker).toMatchObject({ at: Date.UTC(2025, 0, 2), price: 112 });
  expect(ticker!.change24h).toBeCloseTo(112 / 111 - 1, 12);
});

test('tickers of the past see only what had closed', async () => {
  await store('BTCUSDT', [100, 110, 121]);
  const market = (await markets().get('bybit'))!;
  const [then] = await market.tickers(START + 2 * DAY_MS + HOUR_MS);
  expect(then).toMatchObject({ at: START + 2 * DAY_MS, price: 110 });
  expect(await market.tickers(START + HOUR_MS)).toEqual([]);
});
