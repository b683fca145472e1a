import { DAY_MS } from '#contract/duration';
import { type BacktestSummary, backtestSummary } from './backtestSummary';
import { dailyCloses, monthlyReturns } from './calendar';
import {
  type Bars,
  carriedTo,
  commonTimes,
  countTimes,
  firstAtOrAfter,
  type UsableCloses,
  usableCloses,
  valuesAt,
} from './closes';
import { drawdownSeries } from './drawdown';
import { type HedgeTrade, hedgeTrades } from './hedgeTrade';
import { type LegTable, pricePnl, type ResultSplit, resultSplit } from './legTable';
import { MathsRefusal } from './mathsRefusal';
import { basketIndex, LEAST_BARS, logSpread, zScores } from './pair';
import { type FundingRows, type Settlements, settlementsOn } from './settlement';
import { MAINTENANCE_RATE, type Stretch, simulate } from './simulation';

/** When a pair is held: the rules of the hedge desk. Fractions are of the notional of both sides; `null` switches one off. */
interface ZRule {
  /** In at a close with z at or below minus this, over so many closes (F13, F14). */
  entryZ: number;
  window: number;
  /** Out at z at or above minus this. */
  exitZ: number;
  stopLoss: number | null;
  takeProfit: number | null;
  maxHoldingMs: number | null;
}

interface Pair {
  /** Columns of closes on the whole common history, also of before the run. */
  long: readonly Float64Array[];
  short: readonly Float64Array[];
  /** Closing instants of that history, UTC ms, and those of it that the run has. */
  time: Float64Array;
  first: number;
  end: number;
  /** Of going in, a fraction of the notional. */
  cost: number;
}

/** The stretches of a run in which a rule holds the pair, by what each close has shown; closes are numbered from the run's first. */
function stretchesOf(rule: ZRule, pair: Pair): Stretch[] {
  const { time, first, end } = pair;
  const stretches: Stretch[] = [];
  let from: number | null = null;
  for (let at = first; at < end; at++) {
    const z = zAt(pair, at, rule.window);
    if (from === null) {
      if (z !== null && z <= -rule.entryZ && at < end - 1) from = at;
      continue;
    }
    const result = resultOf(pair, from, at);
    const isOut =
      at === end - 1 ||
      (z !== null && z >= -rule.exitZ) ||
      (rule.stopLoss !== null && result <= -rule.stopLoss) ||
      (rule.takeProfit !== null && result >= rule.takeProfit) ||
      (rule.maxHoldingMs !== null && time[at]! - time[from]! >= rule.maxHoldingMs);
    if (!isOut) continue;
    stretches.push({ from: from - first, to: at - first });
    from = null;
  }
  return stretches;
}

/** z of a close against the window that it ends; `null` under 30 closes. */
function zAt({ long, short }: Pair, at: number, window: number): number | null {
  const from = Math.max(0, at + 1 - window);
  if (at + 1 - from < LEAST_BARS) return null;
  const indexOf = (side: readonly Float64Array[]) => basketIndex(side.map((column) => column.subarray(from, at + 1)));
  const line = logSpread(indexOf(long), indexOf(short));
  return (line && zScores(line.spread)?.z.at(-1)) ?? null;
}

/** What holding it from one close to another has made of the notional, by prices and the cost of going in. */
function resultOf({ long, short, cost }: Pair, from: number, at: number): number {
  const growthOf = (side: readonly Float64Array[]) =>
    side.reduce((sum, column) => sum + column[at]! / column[from]! - 1, 0) / side.length;
  return (growthOf(long) - growthOf(short)) / 2 - cost;
}

/** One coin of the backtest with its whole stored history. */
export interface BacktestSymbol {
  symbol: string;
  bars: Bars;
  /** `null` where the source has no funding. */
  funding: FundingRows | null;
  /** Settlement interval; `null` where unknown (then 8 h are assumed for counting what is missing, nothing else). */
  fundingHours: number | null;
}

/** Everything explicit: the defaults of docs/formulas.md are those of the API. Money in USDT, rates as fractions. */
export interface BacktestInput {
  long: BacktestSymbol[];
  short: BacktestSymbol[];
  /** Length of a bar in ms: a bar closes at its opening instant + this. */
  barMs: number;
  /** Closes with start <= t <= end, UTC ms; without them the whole common history, or its newest `days`. */
  start?: number;
  end?: number;
  /** Where neither start nor end is given: how far back from the last common close; 0 for all of it. */
  days?: number;
  capital: number;
  /** Gross exposure / equity. */
  leverage: number;
  /** Share of the gross exposure that the long side gets, a fraction; half where it is not given. */
  longShare?: number;
  /** Bars between rebalances, 0 = never. */
  rebalance: number;
  /** Per traded notional. */
  fee: number;
  slippage: number;
  /** Charge stored settlements. */
  funding: boolean;
  /** Candles of BTC on the same bar, where stored. */
  benchmark: Bars | null;
  /** When the pair is held; all the time where it is not given. */
  rule?: ZRule;
}

interface SymbolHonesty {
  symbol: string;
  /** Closing instants of the first and last usable stored bar, UTC ms. */
  firstAt: number;
  lastAt: number;
  /** Usable stored bars, and those with a price that is not positive and finite. */
  bars: number;
  unusable: number;
  fundingExpected: number;
  fundingMissing: number;
}

export interface BacktestResult {
  summary: BacktestSummary;
  /** Closing instants in UTC ms; all curves have this length. It ends early at a liquidation. */
  time: Float64Array;
  equity: Float64Array;
  /** Fractions, 0 or below. */
  drawdown: Float64Array;
  /**
   * Running net result of either side, USDT: capital + longLeg + shortLeg = equity, at the last close also + the
   * shortfall of the split.
   */
  longLeg: Float64Array;
  shortLeg: Float64Array;
  /** BTC from `capital`, its last close carried over gaps; NaN before its first; `null` without BTC. */
  benchmark: Float64Array | null;
  months: { month: string; return: number }[];
  /** One per hedge, and the legs it was made of. */
  trades: HedgeTrade[];
  legs: LegTable;
  split: ResultSplit;
  honesty: {
    /** Closes the run used. */
    barsUsed: number;
    /** Closes within the window at which some symbol has a stored bar but not all a usable one. */
    barsDropped: number;
    /** Settlements due in the run, and those not stored; 0 when funding is not charged. */
    fundingExpected: number;
    fundingMissing: number;
    /** Share of the gross exposure at or below which the equity is liquidated, a fraction. */
    maintenanceRate: number;
    symbols: SymbolHonesty[];
  };
}

/**
 * The neutral backtest, steps 1 to 5 of docs/formulas.md, which is the source of every formula in it.
 *
 * Where that page leaves a choice: bar number 0 is the entry, or that at which a rule goes in; at the last close everything is closed and nothing is
 * rebalanced before; funding is charged on the quantities held up to the close, before a rebalance; costs that eat the
 * equity at an entry, a rebalance or the exit end the run as a liquidation does; `barsDropped` counts from `start` (or
 * the youngest symbol's first close) to `end` (or the earliest last close); the cost of a rebalance belongs to the leg
 * that it opens; the running result behind MAE and MFE is equity - capital at each close.
 * @throws MathsRefusal for input that has no answer, with the field at fault.
 */
export function runBacktest(given: BacktestInput): BacktestResult {
  validate(given);
  const symbols = [...given.long, ...given.short];
  const sides = Int8Array.from(symbols, (_, s) => (s < given.long.length ? 1 : -1));
  const series = symbols.map(({ bars }) => usableCloses(bars));
  const common = commonTimes(series.map(({ time }) => time));
  const input = windowed(given, common);
  const opening = axisOf(input, common);
  const closing = opening.map((time) => time + input.barMs);
  const prices = series.map(({ time, close }) => valuesAt(time, close, opening));
  const settlements = input.funding ? settlementsOf(symbols, closing) : null;
  const held = input.rule && heldBy(input.rule, input, series, { common, opening });
  const stretches = held ?? [{ from: 0, to: closing.length - 1 }];
  const simulation = simulate({ ...input, closes: closing.length, prices, sides, settlements, stretches });
  const axis = closing.subarray(0, simulation.equity.length);
  const legs: LegTable = {
    length: simulation.holdings.periods * symbols.length,
    symbols: symbols.map(({ symbol }) => symbol),
    sides,
    axis,
    prices,
    holdings: simulation.holdings,
    fee: input.fee,
    slippage: input.slippage,
  };
  const { equity, longLeg, shortLeg } = simulation;
  const { capital } = input;
  const price = pricePnl(legs);
  const split = resultSplit(legs, price, equity[axis.length - 1]! - capital, simulation.shortfall);
  const trades = hedgeTrades({ legs, simulation, capital, stretches });
  const benchmark = benchmarkOn(input, opening.subarray(0, axis.length));
  return {
    summary: backtestSummary({ axis, capital, simulation, trades, legs, split, benchmark }),
    time: axis,
    equity,
    drawdown: drawdownSeries(equity, capital),
    longLeg,
    shortLeg,
    benchmark: benchmark && rebased(benchmark, capital),
    months: monthlyReturns(dailyCloses({ time: axis, value: equity }), capital),
    trades,
    legs,
    split,
    honesty: honestyOf(input, series, opening, axis, settlements),
  };
}

function validate(input: BacktestInput): void {
  for (const side of ['long', 'short'] as const) {
    if (input[side].length === 0) throw new MathsRefusal('emptySide', side, `no symbol on the ${side} side`);
  }
  const seen = new Set<string>();
  for (const side of ['long', 'short'] as const) {
    for (const { symbol } of input[side]) {
      if (seen.has(symbol)) throw new MathsRefusal('duplicateSymbol', side, `${symbol} stands in the backtest twice`);
      seen.add(symbol);
    }
  }
  const wants = (field: keyof BacktestInput, holds: boolean) => {
    if (!holds) throw new MathsRefusal('badNumber', field, `${field} is out of range`);
  };
  const positive = (value: number) => value > 0 && Number.isFinite(value);
  wants('barMs', positive(input.barMs));
  wants('capital', positive(input.capital));
  wants('leverage', positive(input.leverage));
  wants('longShare', input.longShare === undefined || (input.longShare > 0 && input.longShare < 1));
  wants('rebalance', Number.isSafeInteger(input.rebalance) && input.rebalance >= 0);
  wants('fee', input.fee === 0 || positive(input.fee));
  wants('slippage', input.slippage === 0 || positive(input.slippage));
  wants('start', input.start === undefined || Number.isFinite(input.start));
  wants('end', input.end === undefined || Number.isFinite(input.end));
  wants('days', input.days === undefined || input.days === 0 || positive(input.days));
  if (input.start !== undefined && input.end !== undefined && input.start > input.end) {
    throw new MathsRefusal('reversedDates', 'end', 'start lies after end');
  }
}

/** The input with its `days` as a start: they end at the last close that all symbols have. */
function windowed(input: BacktestInput, common: Float64Array): BacktestInput {
  const { start, end, days = 0, barMs } = input;
  const last = common[common.length - 1];
  if (days === 0 || start !== undefined || end !== undefined || last === undefined) return input;
  return { ...input, start: last + barMs - days * DAY_MS };
}

/** Opening instants of the bars at whose close every symbol has a price, within the window. */
function axisOf({ start, end, barMs }: BacktestInput, common: Float64Array): Float64Array {
  const from = start === undefined ? 0 : firstAtOrAfter(common, start - barMs);
  const to = end === undefined ? common.length : firstAtOrAfter(common, end - barMs, 'after');
  if (to - from < 2) {
    throw new MathsRefusal('noCommonHistory', 'long', 'fewer than 2 closes at which every symbol has a candle');
  }
  return common.subarray(from, to);
}

/** When a rule holds the pair, by all closes up to each: also by those of before the run. */
function heldBy(
  rule: ZRule,
  { long, fee, slippage, barMs }: BacktestInput,
  series: readonly UsableCloses[],
  { common, opening }: { common: Float64Array; opening: Float64Array },
): Stretch[] {
  const columns = series.map(({ time, close }) => valuesAt(time, close, common));
  const first = firstAtOrAfter(common, opening[0]!);
  return stretchesOf(rule, {
    ...{ long: columns.slice(0, long.length), short: columns.slice(long.length) },
    ...{ time: common.map((time) => time + barMs), first, end: first + opening.length, cost: fee + slippage },
  });
}

function dropped({ start, end, barMs }: BacktestInput, series: UsableCloses[], used: number): number {
  const from = start === undefined ? Math.max(...series.map(({ time }) => time[0]!)) : start - barMs;
  const to = end === undefined ? Math.min(...series.map(({ time }) => time[time.length - 1]!)) : end - barMs;
  return (
    countTimes(
      series.map(({ stored }) => stored),
      from,
      to,
    ) - used
  );
}

function settlementsOf(symbols: BacktestSymbol[], axis: Float64Array): Settlements[] {
  return symbols.map(({ funding, fundingHours }) => settlementsOn(axis, funding, fundingHours));
}

function benchmarkOn({ benchmark }: BacktestInput, opening: Float64Array): Float64Array | null {
  if (benchmark === null) return null;
  const { time, close } = usableCloses(benchmark);
  return time.length === 0 || time[0]! > opening[opening.length - 1]! ? null : carriedTo(time, close, opening);
}

function rebased(prices: Float64Array, capital: number): Float64Array {
  const base = prices.find((price) => price > 0) ?? Number.NaN;
  return prices.map((price) => (capital * price) / base);
}

/** What was due is counted over the closes reached: after a liquidation nothing is charged, so nothing is missing. */
function honestyOf(
  input: BacktestInput,
  series: UsableCloses[],
  opening: Float64Array,
  axis: Float64Array,
  settlements: Settlements[] | null,
): BacktestResult['honesty'] {
  const { barMs } = input;
  const coins = [...input.long, ...input.short];
  const due = axis.length === opening.length ? settlements : settlements && settlementsOf(coins, axis);
  const symbols = coins.map(({ symbol }, s) => {
    const { time, stored } = series[s]!;
    return {
      symbol,
      firstAt: time[0]! + barMs,
      lastAt: time[time.length - 1]! + barMs,
      bars: time.length,
      unusable: stored.length - time.length,
      fundingExpected: due?.[s]?.expected ?? 0,
      fundingMissing: due?.[s]?.missing ?? 0,
    };
  });
  return {
    barsUsed: axis.length,
    barsDropped: dropped(input, series, opening.length),
    fundingExpected: symbols.reduce((sum, { fundingExpected }) => sum + fundingExpected, 0),
    fundingMissing: symbols.reduce((sum, { fundingMissing }) => sum + fundingMissing, 0),
    maintenanceRate: MAINTENANCE_RATE,
    symbols,
  };
}
