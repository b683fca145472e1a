import { BAR_MS } from '#contract/candle';
import type { PairFacts } from '#contract/pair';
import { refused } from '../../base/http/refusal';
import { commonTimes, valuesAt } from '../../base/maths/closes';
import { fundingApr } from '../../base/maths/funding';
import {
  basketIndex,
  betaTo,
  LEAST_BARS,
  logSpread,
  pairFacts,
  pairWarnings,
  presentZ,
  spreadOf,
} from '../../base/maths/pair';
import { mean, nullable } from '../../base/maths/statistics';
import type { Ticker } from '../../market/exchange';
import type { PairCoin, PairInput } from './pairInput';

type Fit = Pick<ReturnType<typeof pairFacts>, 'hedgeRatio' | 'zScores'>;

/** Equal-weight index of a side on the axis. */
function indexOf(coins: readonly PairCoin[], axis: Float64Array): Float64Array {
  return basketIndex(coins.map(({ closes }) => valuesAt(closes.time, closes.close, axis)));
}

/** The same index at the present prices; `null` where a coin has none. */
function presentIndex(coins: readonly PairCoin[], axis: Float64Array, tickers: Map<string, Ticker>): number | null {
  const start = axis.slice(0, 1);
  const growths = coins.map(({ instrument, closes }) => {
    const price = tickers.get(instrument.symbol)?.price ?? Number.NaN;
    return price / valuesAt(closes.time, closes.close, start)[0]!;
  });
  return growths.every((growth) => growth > 0) ? mean(Float64Array.from(growths)) : null;
}

/** By closed bar; `z` is `null` where it is undefined. */
interface Closed {
  ratio: Float64Array;
  spread: Float64Array;
  z: Float64Array | null;
}

/** A pair at its present prices: a point of the chart after the closed bars. */
interface Present {
  /** Newest of the prices in it, UTC ms. */
  at: number;
  ratio: number;
  spread: number;
  z: number | null;
}

/** Where the present is against the closed bars; `null` where a coin has no price. */
function presentOf(input: PairInput, axis: Float64Array, tickers: Map<string, Ticker>, fit: Fit): Present | null {
  const [own, other] = [presentIndex(input.long, axis, tickers), presentIndex(input.short, axis, tickers)];
  if (own === null || other === null) return null;
  const { hedgeRatio, zScores } = fit;
  const times = [...input.long, ...input.short].map(({ instrument }) => tickers.get(instrument.symbol)!.at);
  return {
    at: Math.max(...times),
    ratio: own / other,
    spread: spreadOf(hedgeRatio ?? 1, own, other),
    z: hedgeRatio === null || zScores === null ? null : presentZ({ hedgeRatio, ...zScores }, own, other),
  };
}

/** Price of the long coin over that of the short one; `null` for baskets and without a price. */
function presentRatio({ long, short }: PairInput, tickers: Map<string, Ticker>): number | null {
  if (long.length > 1 || short.length > 1) return null;
  const [own, other] = [long, short].map(([coin]) => tickers.get(coin!.instrument.symbol)?.price);
  return own && other ? own / other : null;
}

/** What long against short made over the last `bars` bars, both sides held in equal weights since then. */
function ratioReturn({ long, short }: PairInput, common: Float64Array, bars: number): number | null {
  if (common.length <= bars) return null;
  const axis = common.slice(-(bars + 1));
  return indexOf(long, axis)[bars]! / indexOf(short, axis)[bars]! - 1;
}

/** Mean funding APR of a basket (F1); `null` where one of its coins has none. */
function basketApr(coins: readonly PairCoin[], tickers: Map<string, Ticker>): number | null {
  const aprs = coins.map(({ instrument: { symbol, fundingHours } }) =>
    fundingApr(tickers.get(symbol)?.fundingRate ?? null, fundingHours),
  );
  if (aprs.includes(null)) return null;
  return mean(Float64Array.from(aprs as number[]));
}

/** The closed bars as columns, and the present as their last point where it is newer than them. */
function columnsOf(input: PairInput, axis: Float64Array, closed: Closed, present: Present | null) {
  const time = Array.from(axis, (at) => at + BAR_MS[input.bar]);
  const forming = present !== null && present.at > time.at(-1)! ? present : null;
  return {
    formingAt: forming?.at ?? null,
    time: [...time, ...(forming ? [forming.at] : [])],
    ratio: [...closed.ratio, ...(forming ? [forming.ratio] : [])],
    spread: [...closed.spread, ...(forming ? [forming.spread] : [])],
    z: [...(closed.z === null ? time.map(() => null) : nullable(closed.z)), ...(forming ? [forming.z] : [])],
  };
}

/**
 * The facts of a pair over its newest `bars` common bars: F13 with the OLS slope on the logs of the two equal-weight
 * indices, F14 to F17 over the same window. The z of every point is taken against the window's own mean and deviation,
 * so that curve, mean and deviation are one picture; only the newest closed z contains nothing of its future.
 * @throws `tooFewCommonBars`.
 */
export function pairAnswer(input: PairInput, bars: number, tickers: readonly Ticker[]): Omit<PairFacts, 'source'> {
  const { bar, commonBars, long, short, bitcoin } = input;
  const common = commonTimes([...long, ...short].map(({ closes }) => closes.time));
  if (common.length < LEAST_BARS) {
    throw refused('tooFewCommonBars', `共同 K 线 ${common.length} 根，至少需要 ${LEAST_BARS} 根`, 'short');
  }
  const axis = common.slice(-bars);
  const longIndex = indexOf(long, axis);
  const shortIndex = indexOf(short, axis);
  const facts = pairFacts(longIndex, shortIndex);
  // A short side that never moved has no slope; its spread is then the long side alone.
  const spread = facts.spread ?? logSpread(longIndex, shortIndex, 'one')!.spread;
  const z = facts.zScores?.z ?? null;
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  const present = presentOf(input, axis, bySymbol, facts);
  const aprLong = basketApr(long, bySymbol);
  const aprShort = basketApr(short, bySymbol);
  return {
    bar,
    commonBars,
    long: long.map(({ instrument }) => instrument.symbol),
    short: short.map(({ instrument }) => instrument.symbol),
    bars: axis.length,
    ...columnsOf(input, axis, { ratio: longIndex.map((value, i) => value / shortIndex[i]!), spread, z }, present),
    correlation: facts.correlation,
    betaLong: betaTo(bitcoin, axis, longIndex),
    betaShort: betaTo(bitcoin, axis, shortIndex),
    hedgeRatio: facts.hedgeRatio,
    rSquared: facts.rSquared,
    currentZ: z?.at(-1) ?? null,
    presentZ: present?.z ?? null,
    presentRatio: presentRatio(input, bySymbol),
    warnings: pairWarnings(facts, present?.z ?? null),
    mean: facts.zScores?.mean ?? null,
    sd: facts.zScores?.sd ?? null,
    halfLife: facts.halfLife,
    adfP: facts.adfP,
    fundingAprDifference: aprLong === null || aprShort === null ? null : aprShort - aprLong,
    return30: ratioReturn(input, common, 30),
    return90: ratioReturn(input, common, 90),
  };
}
