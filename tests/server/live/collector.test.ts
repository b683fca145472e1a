import { BAR_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { listSeries, readYear, writeYear } from '#server/base/db/markets/candle';
import { listCollectors } from '#server/base/db/markets/collector';
import { mergeSeries } from '#server/base/db/markets/mergeSeries';
import { createCandles } from '#server/base/maths/candles';
import type { InstrumentKind } from '#server/market/exchange';
import { createLive, type Live } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { type BadLine, badLineTo, onlyBinance } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const SOURCE = 'binance-live';
/** Exchanges list such names too. */
const CHINESE = '我踏马来了USDT';
const SYMBOLS = ['BTCUSDT', CHINESE];
const PATIENCE_MS = 15_000;

/** It goes on by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;

const db = await fileDatabase();
const venues = createSimulatedVenues({ clock });
const exchange = venues[0]!;
const standIn = await startStandIn({ dialects: ['binance'], venues, clock });
atEnd(() => standIn.close());
const line: BadLine = await badLineTo(standIn.url, onlyBinance(...SYMBOLS));
atEnd(() => line.close());

/** One process that follows the exchange. */
const process = (): Live =>
  createLive({
    ...{ db, clock, exchanges: ['binance'], urls: { binance: line.url }, onTrouble: () => undefined },
    times: { ping: 500, again: 50, longest: 200, history: 0 },
    collectorTimes: { look: 50, lease: 2_000 },
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

async function collecting<T>(use: () => Promise<T>, count = 1): Promise<T> {
  const all = Array.from({ length: count }, process);
  for (const one of all) one.start();
  try {
    return await use();
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

test('fills up two years of days, 90 days of hours and of funding, as the exchange has them; two processes ask once', async () => {
  await collecting(() => waitFor('all is stored', PATIENCE_MS, isWhole), 2);
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
  await collecting(async () => {
    await waitFor('it has looked', PATIENCE_MS, async () => (await progress())!.at > clock() - 200);
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
  const key = { source: SOURCE, symbol: CHINESE, bar: '1h', year: 2026 } as const;
  const whole = (await readYear(db, key))!;
  const missing = new Set([whole.time[200], whole.time[201], whole.time[900]]);
  const kept = [...whole.time.keys()].filter((i) => !missing.has(whole.time[i]));
  const broken = createCandles(kept.length);
  for (const [name, column] of Object.entries(broken) as [keyof typeof broken, Float64Array][]) {
    column.set(kept.map((i) => whole[name][i]!));
  }
  await writeYear(db, key, broken);
  line.asked.length = 0;
  await collecting(async () => {
    await waitFor('it is whole', PATIENCE_MS, async () => (await readYear(db, key))!.time.length === whole.time.length);
    const since = clock();
    await waitFor('it has looked again', PATIENCE_MS, async () => (await progress())!.at > since + 500);
  });
  expect(await readYear(db, key)).toEqual(whole);
  expect(questions('/klines')).toHaveLength(2);
});

test('what cannot be asked is told, and asked again', async () => {
  line.refuses = (path) => (path.endsWith('/klines') ? 500 : null);
  ahead += HOUR_MS;
  await collecting(async () => {
    await waitFor('it says so', PATIENCE_MS, async () => (await progress())?.error?.includes(`${CHINESE} 1h`) ?? false);
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
