import { BAR_MS } from '#contract/candle';
import type { PairFacts } from '#contract/pair';
import type { Ticker } from '../exchange/exchange';
import { refused } from '../http/refusal';
import { commonTimes, type UsableCloses, valuesAt } from '../maths/closes';
import { fundingApr } from '../maths/funding';
import { basketIndex, logSpread, pairFacts } from '../maths/pair';
import { logReturns } from '../maths/returns';
import { beta, mean, nullable } from '../maths/statistics';
import type { PairCoin, PairInput } from './pairInput';

/** The window's own minimum: below it slope, half-life and ADF say nothing. */
const BARS_NEEDED = 30;

type Line = Pick<ReturnType<typeof pairFacts>, 'hedgeRatio' | 'zScores'>;

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

/** Where the present stands against the closed bars; as the live z of a hedge. */
function presentOf({ long, short }: PairInput, axis: Float64Array, tickers: Map<string, Ticker>, line: Line) {
  const [own, other] = [presentIndex(long, axis, tickers), presentIndex(short, axis, tickers)];
  const { hedgeRatio, zScores } = line;
  const single = long.length === 1 && short.length === 1;
  const priceOf = ([coin]: readonly PairCoin[]) => tickers.get(coin!.instrument.symbol)!.price!;
  const known = own !== null && other !== null;
  const z =
    known && hedgeRatio !== null && zScores !== null
      ? (Math.log(own) - hedgeRatio * Math.log(other) - zScores.mean) / zScores.sd
      : null;
  return { presentZ: z, presentRatio: known && single ? priceOf(long) / priceOf(short) : null };
}

/** Beta of an index over `axis` to BTC (F17), on the instants that BTC has too. */
function betaToBitcoin(index: Float64Array, axis: Float64Array, bitcoin: UsableCloses | null): number | null {
  if (bitcoin === null) return null;
  const shared = commonTimes([axis, bitcoin.time]);
  if (shared.length < BARS_NEEDED) return null;
  return beta(logReturns(valuesAt(axis, index, shared)), logReturns(valuesAt(bitcoin.time, bitcoin.close, shared)));
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

/**
 * The facts of a pair over its newest `bars` common bars: F13 with the OLS slope on the logs of the two equal-weight
 * indices, F14 to F17 over the same window. The z of every point is taken against the window's own mean and deviation,
 * so that curve, mean and deviation are one picture; only the newest z contains nothing of its future.
 * @throws `tooFewCommonBars`.
 */
export function pairAnswer(input: PairInput, bars: number, tickers: readonly Ticker[]): Omit<PairFacts, 'source'> {
  const { bar, long, short, bitcoin } = input;
  const common = commonTimes([...long, ...short].map(({ closes }) => closes.time));
  if (common.length < BARS_NEEDED) {
    throw refused('tooFewCommonBars', `共同 K 线 ${common.length} 根，至少需要 ${BARS_NEEDED} 根`, 'short');
  }
  const axis = common.slice(-bars);
  const longIndex = indexOf(long, axis);
  const shortIndex = indexOf(short, axis);
  const facts = pairFacts(longIndex, shortIndex);
  // A short side that never moved has no slope; its spread is then the long side alone.
  const spread = facts.spread ?? logSpread(longIndex, shortIndex, 'one')!.spread;
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  const aprLong = basketApr(long, bySymbol);
  const aprShort = basketApr(short, bySymbol);
  return {
    bar,
    long: long.map(({ instrument }) => instrument.symbol),
    short: short.map(({ instrument }) => instrument.symbol),
    bars: axis.length,
    time: Array.from(axis, (at) => at + BAR_MS[bar]),
    ratio: Array.from(longIndex, (value, i) => value / shortIndex[i]!),
    spread: Array.from(spread),
    z: facts.zScores === null ? Array.from(axis, () => null) : nullable(facts.zScores.z),
    correlation: facts.correlation,
    betaLong: betaToBitcoin(longIndex, axis, bitcoin),
    betaShort: betaToBitcoin(shortIndex, axis, bitcoin),
    hedgeRatio: facts.hedgeRatio,
    rSquared: facts.rSquared,
    currentZ: facts.zScores?.z.at(-1) ?? null,
    ...presentOf(input, axis, bySymbol, facts),
    mean: facts.zScores?.mean ?? null,
    sd: facts.zScores?.sd ?? null,
    halfLife: facts.halfLife,
    adfP: facts.adfP,
    fundingAprDifference: aprLong === null || aprShort === null ? null : aprShort - aprLong,
    return30: ratioReturn(input, common, 30),
    return90: ratioReturn(input, common, 90),
  };
}
