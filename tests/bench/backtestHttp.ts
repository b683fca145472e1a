import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { backtest } from '#contract/backtest';
import { BAR_MS, type Bar } from '#contract/candle';
import type { Database } from '../../server/base/db/client';
import { createCandles } from '../../server/base/maths/candles';
import { createMarkets } from '../../server/market/markets';
import { importSeries } from '../../server/start/import/sink';
import { testApp } from '../support/app';
import { benchDatabase } from './benchDatabase';
import type { Figure } from './figure';

export const WALKS_START = Date.UTC(2023, 0, 1);
const SMALL_ROUNDS = 101;
const LARGE_ROUNDS = 21;
const COLD_ROUNDS = 3;

/**
 * The backtest as a signed-in caller gets it: sign-in check, candles from the database, worker thread, curves, trades,
 * JSON. `ratio` is the time over the budget of the row, so 1 is just within it. Cold: a server that was just built.
 */
export async function backtestHttpFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const days = await storeWalks(db, 'days', '1d', 2, 1000);
  const hours = await storeWalks(db, 'hours', '1h', 40, 17_520);
  const cold = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const server = await serverOn(db);
    // The thread is there, the candles are not.
    await server.timed('days', days, 0);
    cold.push(await server.timed('hours', hours, 24));
    await server.close();
  }
  const server = await serverOn(db);
  const small = await server.repeated(SMALL_ROUNDS, 'days', days, 0);
  const large = await server.repeated(LARGE_ROUNDS, 'hours', hours, 24);
  await server.close();
  await db.close();
  return [
    figure('GET /api/test/hedge 2 x 1000 daily, p50', small, 50),
    figure('GET /api/test/hedge 40 x 17520 hourly, rebalanced daily, cached, p50', large, 300),
    figure('GET /api/test/hedge 40 x 17520 hourly, rebalanced daily, cold, p50', cold, 1500),
  ];
}

function figure(name: string, times: number[], budgetMs: number): Figure {
  const value = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  return { name, value, unit: 'ms', ratio: value / budgetMs };
}

async function serverOn(db: Database) {
  const server = await testApp({ db, markets: createMarkets({ db, clock: () => WALKS_START }) });
  const timed = async (source: string, symbols: string[], rebalance: number): Promise<number> => {
    const half = symbols.length / 2;
    const sides = { long: symbols.slice(0, half).join(), short: symbols.slice(half).join() };
    const started = performance.now();
    const { body } = await server.as('trader')(backtest.hedge, { query: { source, ...sides, rebalance } });
    const spent = performance.now() - started;
    if (body.code !== 200) throw new Error(body.message);
    return spent;
  };
  return {
    timed,
    close: server.close,
    /** The first answer, which reads the candles and starts the thread, is not counted. */
    async repeated(rounds: number, ...query: Parameters<typeof timed>): Promise<number[]> {
      await timed(...query);
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await timed(...query));
      return times;
    },
  };
}

/** Imports random walks and answers their symbols. */
export async function storeWalks(
  db: Database,
  source: string,
  bar: Bar,
  count: number,
  closes: number,
): Promise<string[]> {
  const symbols = Array.from({ length: count }, (_, i) => (i === 0 ? 'BTCUSDT' : `C${i}USDT`));
  for (const [seed, symbol] of symbols.entries()) {
    await importSeries(db, { source, symbol, bar, candles: randomWalk(seed, BAR_MS[bar], closes) }, WALKS_START);
  }
  return symbols;
}

function randomWalk(seed: number, barMs: number, closes: number) {
  const random = xoroshiro128plus(seed + 1);
  const candles = createCandles(closes);
  let price = 10 * (seed + 1);
  for (let i = 0; i < closes; i++) {
    candles.time[i] = WALKS_START + i * barMs;
    candles.open[i] = price;
    price *= 1 + ((random.next() >>> 0) / 2 ** 32 - 0.5) * 0.01;
    candles.close[i] = price;
    candles.high[i] = Math.max(candles.open[i]!, price);
    candles.low[i] = Math.min(candles.open[i]!, price);
    candles.volume[i] = 1;
    candles.turnover[i] = price;
  }
  return candles;
}
