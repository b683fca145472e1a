import type { Bar } from '#contract/candle';
import { BAR_MS } from '#contract/candle';
import { dataSource } from '#contract/dataSource';
import { HOUR_MS } from '#contract/duration';
import { symbol as symbolApi } from '#contract/symbol';
import { holdCollector, saveCollectorProgress } from '#server/base/db/markets/collector';
import { mergeMinutes, mergeSeries } from '#server/base/db/markets/mergeSeries';
import { addSamples } from '#server/base/db/markets/sample';
import { createCandles } from '#server/base/maths/candles';
import { createMarkets } from '#server/market/markets';
import { fileApp, START } from '../../support/app';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const app = await fileApp({ db, markets: createMarkets({ db, clock: () => START }) });
const rows = async () => (await app.as('master')(dataSource.list)).body.data.list;

/** Candles at these steps before `START`. */
async function store(source: string, symbol: string, bar: Bar, stepsBefore: number[]) {
  const candles = createCandles(stepsBefore.length);
  for (const column of Object.values(candles)) column.fill(1);
  candles.time.set(stepsBefore.map((steps) => Math.floor(START / BAR_MS[bar] - steps) * BAR_MS[bar]));
  await mergeSeries(db, { source, symbol, base: symbol.slice(0, -4), quote: 'USDT' }, { bar, candles }, START);
}

test('where nothing was imported there is no source', async () => {
  expect(await rows()).toEqual([]);
});

test('imported and collected data are told apart, with their gaps; files may have the name of the exchange', async () => {
  await store('binance', 'BTCUSDT', '1d', [9, 8, 6]);
  await store('binance-live', 'BTCUSDT', '1h', [5, 4, 3, 2, 1]);
  await store('binance-live', 'ETHUSDT', '1h', [8, 5]);
  const minutes = createCandles(3);
  minutes.time.set([5, 4, 2].map((steps) => Math.floor(START / 60_000 - steps) * 60_000));
  await mergeMinutes(db, { source: 'binance-live', symbol: 'ETHUSDT' }, minutes);
  const sample = {
    source: 'binance-live',
    symbol: 'ETHUSDT',
    interest: 20,
    interestUsdt: 60_000,
    premium: null,
    borrow: null,
  };
  await addSamples(db, [
    { ...sample, at: START },
    { ...sample, at: START - 300_000, premium: 0.0002 },
  ]);
  const { body } = await app.as('master')(symbolApi.sample, {
    query: { source: 'binance-live', symbol: 'ETHUSDT', limit: 864 },
  });
  expect(body.data).toEqual({
    ...{ time: [START - 300_000, START], interest: [20, 20], interestUsdt: [60_000, 60_000], premium: [0.0002, null] },
  });
  const holding = { source: 'binance-live', holder: 'one' };
  await holdCollector(db, { ...holding, leaseMs: 60_000 });
  const progress = {
    ...{ at: START, due: 4, done: 1, isOut: false, listed: 3, stale: 1, delayMs: 80, aheadMs: -3 },
    ...{ weightUsed: 600, weightLimit: 2400, error: null, errorAt: null, watched: 60, unwatched: 8 },
    streams: [{ name: 'marks', heardAt: START, failure: null, reopened: 0 }],
  };
  await saveCollectorProgress(db, { ...holding, progress });
  const [live, imported] = await rows();
  expect(imported).toMatchObject({ id: 'binance', label: '导入数据 · binance', state: 'stored', gaps: 1, candles: 3 });
  expect(imported).toMatchObject({ behind: null, progress: null, weight: null });
  expect(live).toMatchObject({
    id: 'binance-live',
    label: '币安 · 实时',
    kind: 'live',
    symbols: 2,
    candles: 7,
    gaps: 2,
    samples: 2,
    ...{
      minutes: 3,
      minuteGaps: 1,
      minutesAt: Math.floor(START / 60_000 - 1) * 60_000,
      watched: '60（另有 8 个超出上限）',
    },
  });
  // Of three that are listed one is up to date.
  expect(live).toMatchObject({ state: 'filling', behind: 2, progress: 0.25, weight: 0.25, streams: '1 / 1', stale: 1 });
  expect(live?.newestAt).toBe(Math.floor(START / HOUR_MS) * HOUR_MS);

  const cut = { ...progress, done: 4, streams: [{ ...progress.streams[0]!, failure: 'NetworkError' }] };
  await saveCollectorProgress(db, { ...holding, progress: cut });
  expect((await rows())[0]).toMatchObject({ state: 'degraded', streams: '0 / 1，中断：marks NetworkError' });
  const failed = { ...progress, error: 'ETHUSDT 1h：BadSymbol', errorAt: START - 60_000 };
  await saveCollectorProgress(db, { ...holding, progress: failed });
  expect((await rows())[0]).toMatchObject({ state: 'degraded', error: 'ETHUSDT 1h：BadSymbol' });
  await saveCollectorProgress(db, { ...holding, progress: { ...failed, errorAt: START - HOUR_MS } });
  expect((await rows())[0]?.state).toBe('filling');
  // An exchange that has never answered has listed nothing, so nothing is to be done: that is no whole pass.
  const outSince = START - 90_000;
  const dead = { ...progress, due: 0, done: 0, listed: 0, stale: 0, streams: [], isOut: true, outSince };
  await saveCollectorProgress(db, { ...holding, progress: dead });
  expect((await rows())[0]).toMatchObject({
    ...{ state: 'out', outSince, progress: null, behind: null },
    ...{ error: '交易所没有应答', errorAt: outSince },
  });
  // One that answers and tells no price goes on with what is to be done.
  const quiet = { ...progress, isSilent: true, outSince };
  await saveCollectorProgress(db, { ...holding, progress: quiet });
  expect((await rows())[0]).toMatchObject({
    ...{ state: 'silent', outSince, progress: 0.25, behind: 2 },
    ...{ error: '交易所有应答，但在市的币种都没有报价', errorAt: outSince },
  });
  const title = 'Unified system upgrade';
  const maintenance = [
    { from: START + HOUR_MS, until: START + 2 * HOUR_MS, title: 'Later' },
    { from: START - HOUR_MS, until: START - 1, title: 'Over' },
    { from: START - 60_000, until: START + 60_000, title },
  ];
  const shut = { ...progress, maintenance, isOut: true, silent: [{ symbol: 'SOLUSDT', heardAt: START - 150_000 }] };
  await saveCollectorProgress(db, { ...holding, progress: shut });
  expect((await rows())[0]).toMatchObject({
    ...{ state: 'maintenance', maintenanceAt: START - 60_000, maintenanceUntil: START + 60_000, maintenance: title },
    silent: 'SOLUSDT（2 分钟）',
  });
  const later = { ...shut, maintenance: maintenance.slice(0, 2), stale: 3 };
  await saveCollectorProgress(db, { ...holding, progress: later });
  expect((await rows())[0]).toMatchObject({
    ...{ state: 'out', maintenanceAt: START + HOUR_MS, silent: 'SOLUSDT（2 分钟） 等 3 个' },
  });
  await saveCollectorProgress(db, { ...holding, progress: { ...progress, at: START - HOUR_MS } });
  expect((await rows())[0]?.state).toBe('idle');
});

test('one process collects a source, and what another says of it does not count', async () => {
  const other = { source: 'binance-live', holder: 'two' };
  expect(await holdCollector(db, { ...other, leaseMs: 60_000 })).toBe(false);
  const before = (await rows())[0];
  await saveCollectorProgress(db, { ...other, progress: {} as never });
  expect((await rows())[0]).toEqual(before);
});
