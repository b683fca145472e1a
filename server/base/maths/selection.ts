import { DAY_MS } from '#contract/duration';
import type { Direction, Factor } from '#contract/evaluate';
import { pick } from './closes';
import { fundingApr } from './funding';
import { MathsRefusal } from './mathsRefusal';
import { logReturns } from './returns';
import { beta, correlation, mean, standardDeviation } from './statistics';

const CLOSES_NEEDED = 31;
const STALE_AFTER_DAYS = 3;
/** How far back from the day wanted a close may lie to stand for it, when that day has none. */
const GAP_DAYS = 3;
const CLIP = 3;
const SUGGESTED_SHARE = 5;

/** Weights of the score (docs/formulas.md, neutral coin selection). */
const WEIGHTS: Readonly<Record<Factor, number>> = { ret7: 0.35, ret30: 0.35, vol30: -0.15, fundingApr: -0.15 };
const FACTORS = Object.keys(WEIGHTS) as Factor[];

/** One coin to rank. */
export interface SelectionCoin {
  symbol: string;
  /** Daily bars' instants in UTC ms, ascending (all opening or all closing ones); at least the last 35 days. */
  time: Float64Array;
  /** Closes in the quote currency. Of equal times the last row counts; one that is no positive number is a missing day. */
  close: Float64Array;
  /** USDT. */
  turnover24h: number | null;
  /** Fraction per settlement, and hours between settlements. */
  fundingRate: number | null;
  fundingHours: number | null;
}

interface FactorScore {
  factor: Factor;
  value: number | null;
  /** Against the ranked coins, ddof 1; `null` for a missing value or where all coins have the same. */
  z: number | null;
  /** z clipped to [-3, 3]. */
  clipped: number | null;
  weight: number;
  /** weight x clipped z, 0 without one. */
  contribution: number;
  /** Share of the other ranked coins with a lower value, ties counting half, 0 to 1. */
  percentile: number | null;
  missing: boolean;
}

/** A coin's own figures: fractions, times in UTC ms. */
interface CoinFigures {
  symbol: string;
  close: number;
  lastAt: number;
  ret1: number | null;
  ret7: number | null;
  ret30: number | null;
  vol30: number | null;
  beta30: number | null;
  corr30: number | null;
  excess30: number | null;
  turnover24h: number | null;
  fundingApr: number | null;
}

export interface SelectionRow extends CoinFigures {
  rank: number;
  /** Places gained against the ranking one day earlier; `null` for a coin that was not in it. */
  rankChange: number | null;
  score: number;
  suggestion: Direction;
  factors: FactorScore[];
  /** Share of the other ranked coins with a lower turnover, 0 to 1. */
  turnoverPercentile: number | null;
}

interface Selection {
  /** The source's newest day (instant as given); `null` without any usable close. */
  asOf: number | null;
  /** Ascending by rank. */
  rows: SelectionRow[];
  /** 停更: last close more than 3 days before `asOf`. By symbol. */
  stale: { symbol: string; lastAt: number }[];
  /** Fewer than 31 daily closes. By symbol. */
  tooShort: { symbol: string; days: number }[];
}

/**
 * The neutral coin selection of docs/formulas.md.
 *
 * score = 0.35 z(ret7) + 0.35 z(ret30) - 0.15 z(vol30) - 0.15 z(funding APR), z clipped to [-3, 3], missing = 0.
 * Rank by score descending, ties by symbol (code units). Top fifth (floor(n / 5)) long, bottom fifth short.
 * retN = close / close N days ago - 1; on a day without a close the newest one up to 3 days before stands for it.
 * vol30 = sd of the last 30 daily log returns x sqrt(365). beta30, corr30 (F17): last 30 log returns between days that
 * both the coin and the benchmark have. excess30 = (1 + ret30) / (1 + ret30 of the benchmark) - 1.
 * The ranking one day earlier is this one with the newest day removed; funding, of which no history is given, is taken
 * as it is now. The result does not depend on the order of `coins`.
 * @param benchmark symbol of BTC.
 * @throws MathsRefusal `duplicateSymbol`; `badColumns` where columns differ in length or times do not ascend.
 */
export function selectCoins(coins: readonly SelectionCoin[], benchmark: string): Selection {
  const sorted = [...coins].sort((a, b) => compare(a.symbol, b.symbol));
  validate(sorted);
  const today = rankOn(sorted, benchmark, Number.POSITIVE_INFINITY);
  if (today.asOf === null) return today;
  const before = rankOn(sorted, benchmark, today.asOf - DAY_MS);
  const rankBefore = new Map(before.rows.map(({ symbol, rank }) => [symbol, rank]));
  const rows = today.rows.map((row) => {
    const earlier = rankBefore.get(row.symbol);
    return { ...row, rankChange: earlier === undefined ? null : earlier - row.rank };
  });
  return { ...today, rows };
}

function validate(sorted: readonly SelectionCoin[]): void {
  sorted.forEach(({ symbol, time, close }, i) => {
    if (symbol === sorted[i + 1]?.symbol) {
      throw new MathsRefusal('duplicateSymbol', 'symbol', `${symbol} is given twice`);
    }
    if (time.length !== close.length) throw new MathsRefusal('badColumns', 'close', `columns of ${symbol} differ`);
  });
}

interface History {
  coin: SelectionCoin;
  /** Newest closes, ascending, as far back as the figures reach; the count goes no further than it has to. */
  time: Float64Array;
  close: Float64Array;
}

function rankOn(coins: readonly SelectionCoin[], benchmark: string, until: number): Selection {
  const histories = coins.map((coin) => recent(coin, until)).filter(({ time }) => time.length > 0);
  if (histories.length === 0) return { asOf: null, rows: [], stale: [], tooShort: [] };
  const asOf = Math.max(...histories.map(lastAt));
  const isStale = (history: History) => asOf - lastAt(history) > STALE_AFTER_DAYS * DAY_MS;
  const isShort = ({ time }: History) => time.length < CLOSES_NEEDED;
  const fresh = histories.filter((history) => !isStale(history));
  const bitcoin = fresh.find(({ coin }) => coin.symbol === benchmark);
  const figures = fresh.filter((history) => !isShort(history)).map((history) => figuresOf(history, bitcoin));
  return {
    asOf,
    rows: rank(figures),
    stale: histories.filter(isStale).map((history) => ({ symbol: history.coin.symbol, lastAt: lastAt(history) })),
    tooShort: fresh.filter(isShort).map(({ coin, time }) => ({ symbol: coin.symbol, days: time.length })),
  };
}

/** Walks back from the newest close: a ranking of hundreds of coins must not read years of candles. */
function recent(coin: SelectionCoin, until: number): History {
  const rows: number[] = [];
  let newer = Number.POSITIVE_INFINITY;
  for (let i = coin.time.length - 1; i >= 0; i--) {
    const at = coin.time[i]!;
    if (!(at <= newer)) throw new MathsRefusal('badColumns', 'time', `times of ${coin.symbol} do not ascend`);
    const repeated = at === newer;
    newer = at;
    const value = coin.close[i]!;
    if (repeated || at > until || !(value > 0 && value < Number.POSITIVE_INFINITY)) continue;
    rows.push(i);
    if (rows.length >= CLOSES_NEEDED && at <= coin.time[rows[0]!]! - (30 + GAP_DAYS) * DAY_MS) break;
  }
  const ascending = Int32Array.from(rows).reverse();
  return { coin, time: pick(coin.time, ascending), close: pick(coin.close, ascending) };
}

function lastAt({ time }: History): number {
  return time[time.length - 1]!;
}

function figuresOf(history: History, benchmark: History | undefined): CoinFigures {
  const { coin, close } = history;
  const ret30 = returnOver(history, 30);
  const market30 = benchmark === undefined ? null : returnOver(benchmark, 30);
  const deviation = standardDeviation(logReturns(close.subarray(-CLOSES_NEEDED)));
  const paired = benchmark && pairedReturns(history, benchmark);
  return {
    symbol: coin.symbol,
    close: close[close.length - 1]!,
    lastAt: lastAt(history),
    ret1: returnOver(history, 1),
    ret7: returnOver(history, 7),
    ret30,
    vol30: deviation === null ? null : deviation * Math.sqrt(365),
    beta30: paired ? beta(paired.own, paired.other) : null,
    corr30: paired ? correlation(paired.own, paired.other) : null,
    excess30: ret30 === null || market30 === null ? null : (1 + ret30) / (1 + market30) - 1,
    turnover24h: coin.turnover24h,
    fundingApr: fundingApr(coin.fundingRate, coin.fundingHours),
  };
}

/** Close / close `days` ago - 1; `null` where nothing stands for that day. */
function returnOver(history: History, days: number): number | null {
  const { time, close } = history;
  const wanted = lastAt(history) - days * DAY_MS;
  const at = time.findLastIndex((instant) => instant <= wanted);
  if (at < 0 || wanted - time[at]! > GAP_DAYS * DAY_MS) return null;
  return close[close.length - 1]! / close[at]! - 1;
}

/** The last 30 log returns between days that both have; `null` where they share fewer. */
function pairedReturns(history: History, other: History): { own: Float64Array; other: Float64Array } | null {
  const own = new Float64Array(CLOSES_NEEDED);
  const market = new Float64Array(CLOSES_NEEDED);
  let wanted = CLOSES_NEEDED;
  for (let i = history.time.length - 1, j = other.time.length - 1; i >= 0 && j >= 0 && wanted > 0; ) {
    const difference = history.time[i]! - other.time[j]!;
    if (difference === 0) {
      wanted--;
      own[wanted] = history.close[i]!;
      market[wanted] = other.close[j]!;
    }
    if (difference >= 0) i--;
    if (difference <= 0) j--;
  }
  return wanted > 0 ? null : { own: logReturns(own), other: logReturns(market) };
}

function rank(figures: CoinFigures[]): SelectionRow[] {
  const columns = FACTORS.map((factor) => scoreFactor(factor, figures));
  const turnovers = percentiles(figures.map(({ turnover24h }) => turnover24h));
  const rows = figures.map((coin, i) => {
    const factors = columns.map((column) => column[i]!);
    const score = factors.reduce((sum, { contribution }) => sum + contribution, 0);
    return { ...coin, score, factors, turnoverPercentile: turnovers[i]! };
  });
  rows.sort((a, b) => b.score - a.score || compare(a.symbol, b.symbol));
  const fifth = Math.floor(rows.length / SUGGESTED_SHARE);
  return rows.map((row, i) => ({
    ...row,
    rank: i + 1,
    rankChange: null,
    suggestion: i < fifth ? 'long' : i >= rows.length - fifth ? 'short' : 'neutral',
  }));
}

function scoreFactor(factor: Factor, figures: CoinFigures[]): FactorScore[] {
  const values = figures.map((coin) => coin[factor]);
  const known = Float64Array.from(values.filter((value) => value !== null));
  const centre = mean(known);
  const deviation = standardDeviation(known);
  const ranks = percentiles(values);
  const weight = WEIGHTS[factor];
  return values.map((value, i) => {
    const z = value === null || centre === null || !deviation ? null : (value - centre) / deviation;
    const clipped = z === null ? null : Math.max(-CLIP, Math.min(CLIP, z));
    const contribution = clipped === null ? 0 : weight * clipped;
    return { factor, value, z, clipped, weight, contribution, percentile: ranks[i]!, missing: value === null };
  });
}

/** Share of the other known values below each one, ties counting half; `null` for a missing value or no other. */
function percentiles(values: (number | null)[]): (number | null)[] {
  const known = Float64Array.from(values.filter((value) => value !== null)).sort();
  if (known.length < 2) return values.map(() => null);
  const first = new Map<number, number>();
  const count = new Map<number, number>();
  known.forEach((value, i) => {
    if (!first.has(value)) first.set(value, i);
    count.set(value, (count.get(value) ?? 0) + 1);
  });
  return values.map((value) =>
    value === null ? null : (first.get(value)! + (count.get(value)! - 1) / 2) / (known.length - 1),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
