import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { HOUR_MS } from '#contract/duration';
import { type BacktestInput, type BacktestSymbol, runBacktest } from '../../server/base/maths/backtest';
import type { Figure } from './figure';

const START = Date.UTC(2023, 0, 1);

/**
 * Backtests on generated candles, computing only: no database, no reply.
 * `ratio` compares with `bareLoop`, the same sums on columns that are aligned and checked already.
 */
export async function backtestFigures(): Promise<Figure[]> {
  const small = inputOf(2, 1000, 24 * HOUR_MS, 0);
  const large = inputOf(40, 17_520, HOUR_MS, 24);
  return [
    figure('backtest 2 x 1000 daily, p50', small, 301),
    figure('backtest 40 x 17520 hourly, rebalanced daily, p50', large, 41),
    figure('backtest 40 x 17520 hourly, held, p50', { ...large, rebalance: 0 }, 41),
  ];
}

function figure(name: string, input: BacktestInput, rounds: number): Figure {
  const runs: number[] = [];
  const loops: number[] = [];
  const bare = bareColumns(input);
  // Taken in turn, so that a busy moment of the machine hits both.
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const result = runBacktest(input);
    const middle = performance.now();
    const equity = bareLoop(input, bare);
    loops.push(performance.now() - middle);
    runs.push(middle - started);
    if (Math.abs(result.summary.finalEquity - equity) > 1e-6) throw new Error(`${name}: the bare loop disagrees`);
  }
  return { name, value: median(runs), unit: 'ms', ratio: median(runs) / median(loops) };
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

interface BareColumns {
  prices: Float64Array[];
  fundingBars: Int32Array[];
  rates: Float64Array[];
}

function bareColumns({ long, short, barMs }: BacktestInput): BareColumns {
  const symbols = [...long, ...short];
  return {
    prices: symbols.map(({ bars }) => bars.close),
    fundingBars: symbols.map(({ funding }) =>
      Int32Array.from(funding!.time, (time) => Math.ceil((time - START) / barMs) - 1),
    ),
    rates: symbols.map(({ funding }) => funding!.rate),
  };
}

/** Steps 2 to 4 of the backtest and nothing else: no alignment, no legs, no trades, no figures. */
function bareLoop(input: BacktestInput, { prices, fundingBars, rates }: BareColumns): number {
  const count = prices.length;
  const closes = prices[0]!.length;
  const quantity = new Float64Array(count);
  const next = new Int32Array(count);
  const equityAt = new Float64Array(closes);
  const cost = input.fee + input.slippage;
  let equity = input.capital;
  const hold = (i: number) => {
    let change = 0;
    for (let s = 0; s < count; s++) {
      const price = prices[s]!;
      change += quantity[s]! * (price[i]! - price[i - 1]!);
      const bars = fundingBars[s]!;
      while (next[s]! < bars.length && bars[next[s]!]! <= i) {
        change -= quantity[s]! * price[i]! * rates[s]![next[s]!]!;
        next[s]!++;
      }
    }
    return change;
  };
  const trade = (i: number, exposure: number) => {
    let traded = 0;
    for (let s = 0; s < count; s++) {
      const side = s < input.long.length ? 1 / input.long.length : -1 / input.short.length;
      const target = (side * exposure) / 2 / prices[s]![i]!;
      traded += Math.abs(target - quantity[s]!) * prices[s]![i]!;
      quantity[s] = target;
    }
    return traded * cost;
  };
  for (let i = 0; i < closes; i++) {
    if (i > 0) equity += hold(i);
    if (i === closes - 1) equity -= trade(i, 0);
    else if (i === 0 || (input.rebalance > 0 && i % input.rebalance === 0)) equity -= trade(i, equity * input.leverage);
    equityAt[i] = equity;
  }
  return equityAt[closes - 1]!;
}

function inputOf(count: number, closes: number, barMs: number, rebalance: number): BacktestInput {
  const symbols = Array.from({ length: count }, (_, s) => symbolOf(s, closes, barMs));
  return {
    long: symbols.slice(0, count / 2),
    short: symbols.slice(count / 2),
    barMs,
    capital: 10_000,
    leverage: 1,
    rebalance,
    fee: 0.0005,
    slippage: 0.0002,
    funding: true,
    benchmark: symbols[0]!.bars,
  };
}

/** A random walk with 8 h funding; every symbol has columns of its own, as from a store. */
function symbolOf(seed: number, closes: number, barMs: number): BacktestSymbol {
  const random = xoroshiro128plus(seed + 1);
  const unit = () => (random.next() >>> 0) / 2 ** 32;
  const column = () => new Float64Array(closes);
  const bars = { time: column(), open: column(), high: column(), low: column(), close: column() };
  let price = 10 * (seed + 1);
  for (let i = 0; i < closes; i++) {
    bars.time[i] = START + i * barMs;
    bars.open[i] = price;
    price *= 1 + (unit() - 0.5) * 0.01;
    bars.close[i] = price;
    bars.high[i] = Math.max(bars.open[i]!, price);
    bars.low[i] = Math.min(bars.open[i]!, price);
  }
  // From the first settlement after the entry on, so that the bare loop needs no window.
  const settlements = Math.floor(((closes - 1) * barMs) / (8 * HOUR_MS));
  const time = Float64Array.from({ length: settlements }, (_, k) => START + barMs + (k + 1) * 8 * HOUR_MS);
  return { symbol: `C${seed}`, bars, funding: { time, rate: time.map(() => (unit() - 0.4) * 2e-4) }, fundingHours: 8 };
}
