import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DAY_MS } from '#contract/duration';
import { evaluate } from '#contract/evaluate';
import { createCandles } from '../../server/base/maths/candles';
import { createMarkets } from '../../server/market/markets';
import { importSeries } from '../../server/start/import/sink';
import { testApp } from '../support/app';
import { benchDatabase } from './benchDatabase';
import type { Figure } from './figure';

const SYMBOLS = 500;
const DAYS = 400;
const START = Date.UTC(2025, 0, 1);
const ROUNDS = 200;
const PACE_MS = 20;
const SOURCE = 'bench';

/** GET /api/hedge/evaluate over 500 imported symbols of 400 days, 200 rows an answer, through the whole server; ratios to the budget. */
export async function evaluateFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const clock = () => START + (DAYS + 1) * DAY_MS;
  for (let i = 0; i < SYMBOLS; i++) {
    const symbol = i === 0 ? 'BTCUSDT' : `C${i}USDT`;
    await importSeries(db, { source: SOURCE, symbol, bar: '1d', candles: walk(i) }, clock());
  }
  const server = await testApp({ db, clock, markets: createMarkets({ db, clock }) });
  const cookie = await server.signIn('trader', 'demo-trader');
  const read = async () => {
    const started = performance.now();
    const { statusCode } = await server.app.inject({
      method: 'GET',
      url: evaluate.list.path,
      headers: { host: 'localhost:8000', cookie },
      query: { source: SOURCE, pageSize: '200', sort: '-turnover24h' },
    });
    if (statusCode !== 200) throw new Error(`the list answered ${statusCode}`);
    return performance.now() - started;
  };
  const cold = await read();
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) turns.push(await read());
  const paced = await Promise.all(Array.from({ length: ROUNDS }, (_, i) => sleep(i * PACE_MS).then(read)));
  await server.close();
  await db.close();
  const name = `evaluate ${SYMBOLS} symbols`;
  return [
    { name: `${name}, first after an import`, value: cold, unit: 'ms' },
    figure(`${name}, p50`, share(turns, 0.5), 30),
    figure(`${name}, p99`, share(turns, 0.99), 100),
    figure(`${name}, p99 at 50 requests/s`, share(paced, 0.99), 100),
  ];
}

const figure = (name: string, value: number, budgetMs: number): Figure => ({
  name,
  value,
  unit: 'ms',
  ratio: value / budgetMs,
});

function share(values: number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)]!;
}

function walk(seed: number) {
  const random = xoroshiro128plus(seed + 1);
  const unit = () => (random.next() >>> 0) / 2 ** 32;
  const candles = createCandles(DAYS);
  let price = 10 * (seed + 1);
  for (let i = 0; i < DAYS; i++) {
    candles.time[i] = START + i * DAY_MS;
    candles.open[i] = price;
    price *= 1 + (unit() - 0.5) * 0.06;
    candles.close[i] = price;
    candles.high[i] = Math.max(candles.open[i]!, price);
    candles.low[i] = Math.min(candles.open[i]!, price);
    candles.volume[i] = 1000 * unit();
    candles.turnover[i] = candles.volume[i]! * price;
  }
  return candles;
}
