import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BAR_MS } from '#contract/candle';
import { createCandles } from '#server/base/maths/candles';
import { INSTRUMENT_KINDS } from '#server/market/exchange';
import { createMarkets } from '#server/market/markets';
import { createSimulatedMarket, createSimulatedVenues } from '#server/market/simulated';
import { runImport } from '#server/start/import/runImport';
import { importSeries } from '#server/start/import/sink';
import { benchDatabase } from './benchDatabase';
import type { Figure } from './figure';

const SYMBOLS = 40;
const HOURS = 17_520;
const FILES = 20;
const ROWS = 4_000;
const NOW = Date.UTC(2026, 0, 1);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Two years of hours; the values do not matter to the store. */
function hourly() {
  const candles = createCandles(HOURS);
  for (let i = 0; i < HOURS; i += 1) {
    candles.time[i] = NOW - (HOURS - i) * BAR_MS['1h'];
    candles.open[i] = 100 + Math.sin(i);
    candles.high[i] = 103;
    candles.low[i] = 97;
    candles.close[i] = 100 + Math.sin(i + 1);
    candles.volume[i] = i;
    candles.turnover[i] = 100 * i;
  }
  return candles;
}

async function coldLoad(): Promise<Figure> {
  const db = await benchDatabase();
  const candles = hourly();
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => `C${i}USDT`);
  for (const symbol of symbols) await importSeries(db, { source: 'bench', symbol, bar: '1h', candles }, NOW);
  const runs: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    // New markets have an empty cache.
    const market = (await createMarkets({ db, clock: () => NOW }).get('bench'))!;
    runs.push(await timed(() => Promise.all(symbols.map((symbol) => market.candles(symbol, '1h')))));
  }
  await db.close();
  return { name: `market.coldLoad.${SYMBOLS}x${HOURS}`, value: Math.round(median(runs)), unit: 'ms' };
}

async function importSpeed(): Promise<Figure> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-candles-'));
  const lines = ['timestamp,open,high,low,close,volume,turnover'];
  for (let i = 0; i < ROWS; i += 1) {
    lines.push(`${NOW - (ROWS - i) * BAR_MS['1h']},100.5,103.25,97.125,101.75,${1000 + i}.5,${100_000 + i}.25`);
  }
  for (let i = 0; i < FILES; i += 1) writeFileSync(path.join(folder, `C${i}USDT_1h.csv`), lines.join('\n'));
  const db = await benchDatabase();
  const run = { paths: [folder], isDryRun: false, now: NOW, exchange: 'bench' };
  const silent = { line: () => {}, progress: () => {} };
  const ms = await timed(() => runImport(run, (series) => importSeries(db, series, NOW), silent));
  await db.close();
  rmSync(folder, { recursive: true });
  return { name: 'market.import', value: Math.round((FILES * ROWS) / (ms / 1000)), unit: 'rows/s' };
}

async function simulated(): Promise<Figure[]> {
  let now = NOW + 12_345_678;
  const market = createSimulatedMarket({ clock: () => now });
  const first = await timed(async () => {
    for (const { symbol } of await market.instruments()) await market.candles(symbol, '1d');
  });
  const ticks: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    now += 1000;
    ticks.push(await timed(() => market.tickers()));
  }
  return [
    { name: 'simulated.firstDailyOfAll', value: Math.round(first), unit: 'ms' },
    { name: 'simulated.tickers.120', value: Math.round(median(ticks) * 100) / 100, unit: 'ms' },
  ];
}

/** Every book of the three venues once a second, as a scanner reads them. */
async function books(): Promise<Figure> {
  let now = NOW + 12_345_678;
  const venues = createSimulatedVenues({ clock: () => now });
  const listed = await Promise.all(venues.map((market) => market.instruments(INSTRUMENT_KINDS)));
  const reads: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    now += 1000;
    const read = async () => {
      for (const [i, market] of venues.entries()) for (const { symbol } of listed[i]!) market.book!(symbol);
    };
    reads.push(await timed(read));
  }
  return { name: `simulated.books.${listed.flat().length}`, value: Math.round(median(reads) * 100) / 100, unit: 'ms' };
}

/** How fast candles come out of the store and into it, and how fast the simulated market answers. */
export async function marketFigures(): Promise<Figure[]> {
  return [...(await simulated()), await books(), await coldLoad(), await importSpeed()];
}
