import { BAR_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { COIN_PAIRS, type CoinPair, type PairSuggestion } from '#contract/pair';
import { commonTimes, type UsableCloses, usableCloses, valuesAt } from '../../base/maths/closes';
import { fundingApr } from '../../base/maths/funding';
import { logSpread, pairFacts, pairWarnings } from '../../base/maths/pair';
import { mapYielding } from '../../base/work/loopTurns';
import { type PairModels, zNow } from '../../engine/pairModel';
import type { Instrument, Market, Ticker } from '../../market/exchange';

/** Daily closes that a choice looks back on. */
const DAYS = 180;
/** Coins that are looked at, the most traded ones: others are too thin to be held in size. */
const COINS = 30;
const MOST_ADF_P = 0.1;
const LEAST_R_SQUARED = 0.4;
/** Days (F15): quicker is noise, slower than a month outlasts every position. */
const HALF_LIFE = { least: 1, most: 30 };
/** Far from 1 a spread is one coin alone (F13). */
const SLOPE = { least: 0.4, most: 2.5 };

/** A pair whose spread has come back until now. */
export interface ChosenPair {
  long: string;
  short: string;
  /** F16. */
  adfP: number;
  /** Of the last close (F14); below 0 the long side is the cheap one. */
  z: number;
}

interface Coin {
  instrument: Instrument;
  closes: UsableCloses;
}

/**
 * Pairs of one sector whose daily closes were cointegrated over the last 180 days, the firmest first, each coin in one
 * pair only and the cheap side long. It sees what the market offers at its own clock and nothing after that.
 */
export async function cointegratedPairs(market: Market): Promise<ChosenPair[]> {
  const traded = (await mostTraded(market)).slice(0, COINS);
  const coins = (await Promise.all(traded.map((instrument) => coinOf(market, instrument)))).filter(
    (coin) => coin !== null,
  );
  const found = coins.flatMap((coin, i) => coins.slice(i + 1).flatMap((other) => pairOf(coin, other)));
  found.sort((a, b) => a.adfP - b.adfP || a.long.localeCompare(b.long));
  const used = new Set<string>();
  return found.filter(({ long, short }) => {
    if (used.has(long) || used.has(short)) return false;
    used.add(long).add(short);
    return true;
  });
}

/**
 * Those pairs that a desk with these settings has nothing to say against now (F13 to F16 over its own window), with its own
 * figures: what it would show of them.
 */
export async function pairsForDesk(
  market: Market,
  models: PairModels,
  desk: Desk,
  found = cointegratedPairs(market),
): Promise<PairSuggestion[]> {
  const [pairs, tickers] = await Promise.all([found, market.tickers()]);
  const judged = await seenByDesk(market, models, desk, pairs, pricesOf(tickers));
  return judged.flatMap(({ long, short, bar, bars, adfP, rSquared, halfLife, z, warnings }) => {
    if (z === null || adfP === null || rSquared === null || halfLife === null || warnings.length > 0) return [];
    return [{ long, short, bar, bars, adfP, rSquared, halfLife, z }];
  });
}

type Desk = Pick<HedgeSettings, 'zBar' | 'zWindow'>;
type Prices = ReadonlyMap<string, Ticker>;

const pricesOf = (tickers: readonly Ticker[]): Prices => new Map(tickers.map((ticker) => [ticker.symbol, ticker]));

/** Those pairs with the figures of a desk with these settings (F13 to F16 over its own window), and what it has to say against them. */
async function seenByDesk(
  market: Market,
  models: PairModels,
  { zBar, zWindow }: Desk,
  pairs: readonly ChosenPair[],
  priced: Prices,
) {
  const seen = pairs.map(async ({ long, short }) => {
    const model = await models.of(market, { long, short, bar: zBar, window: zWindow });
    if (model === null) return [];
    const z = zNow(model, priced.get(long), priced.get(short));
    const { bar, bars, adfP, rSquared, halfLifeHours, hedgeRatio, correlation } = model;
    const halfLife = halfLifeHours === null ? null : (halfLifeHours * HOUR_MS) / DAY_MS;
    const warnings = pairWarnings(model, z);
    return [{ long, short, z, adfP, rSquared, hedgeRatio, correlation, bar, bars, halfLife, warnings }];
  });
  return (await Promise.all(seen)).flat();
}

/**
 * Pairs of one coin with the most traded ones of its sector that were cointegrated over the last 180 days, as a desk with these
 * settings sees them: those that it has nothing to say against first, then the firmest.
 */
export async function pairsOfCoin(market: Market, models: PairModels, desk: Desk, symbol: string): Promise<CoinPair[]> {
  const [traded, instruments, tickers] = await Promise.all([
    mostTraded(market),
    market.instruments(),
    market.tickers(),
  ]);
  const listed = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  const priced = pricesOf(tickers);
  const instrument = listed.get(symbol);
  const own = instrument?.bars.includes('1d') ? await coinOf(market, instrument) : null;
  if (own === null) return [];
  const others = traded
    .slice(0, COINS)
    .filter((other) => other.symbol !== symbol && other.sector === own.instrument.sector);
  const found = await mapYielding(others, async (other) => {
    const coin = await coinOf(market, other);
    return coin === null ? [] : pairOf(own, coin);
  });
  const aprOf = (name: string) =>
    fundingApr(priced.get(name)?.fundingRate ?? null, listed.get(name)?.fundingHours ?? null);
  const judged = await seenByDesk(market, models, desk, found.flat(), priced);
  const rank = ({ warnings, adfP }: CoinPair): number => (warnings.length > 0 ? 10 : 0) + (adfP ?? 1);
  return judged
    .map((pair): CoinPair => {
      const [paid, received] = [aprOf(pair.long), aprOf(pair.short)];
      return { ...pair, fundingAprDifference: paid === null || received === null ? null : received - paid };
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, COIN_PAIRS);
}

/** What trades now and has daily candles, by the turnover of the last 24 hours. */
export async function mostTraded(market: Market): Promise<Instrument[]> {
  const [instruments, tickers] = await Promise.all([market.instruments(), market.tickers()]);
  const turnovers = new Map(tickers.map(({ symbol, turnover24h }) => [symbol, turnover24h ?? 0]));
  const turnoverOf = ({ symbol }: Instrument): number => turnovers.get(symbol) ?? 0;
  return instruments
    .filter((instrument) => instrument.bars.includes('1d') && turnoverOf(instrument) > 0)
    .sort((a, b) => turnoverOf(b) - turnoverOf(a) || a.symbol.localeCompare(b.symbol));
}

/** `null` for a coin that is too young. */
async function coinOf(market: Market, instrument: Instrument): Promise<Coin | null> {
  const { symbol, lastAt } = instrument;
  const start = lastAt - (DAYS - 1) * BAR_MS['1d'];
  const candles = await market.candles(symbol, '1d', { start, end: lastAt + 1 });
  return candles === null || candles.time.length < DAYS ? null : { instrument, closes: usableCloses(candles) };
}

/** The pair with its cheap side long, if it is one. */
function pairOf(one: Coin, other: Coin): ChosenPair[] {
  if (one.instrument.sector !== other.instrument.sector) return [];
  const axis = commonTimes([one.closes.time, other.closes.time]);
  if (axis.length < DAYS) return [];
  const own = { symbol: one.instrument.symbol, closes: valuesAt(one.closes.time, one.closes.close, axis) };
  const theirs = { symbol: other.instrument.symbol, closes: valuesAt(other.closes.time, other.closes.close, axis) };
  // Either way round the fit is the same, and it costs a tenth of the test.
  if ((logSpread(own.closes, theirs.closes)?.r2 ?? 0) < LEAST_R_SQUARED) return [];
  const ways = [factsOf(own, theirs), factsOf(theirs, own)].filter((way) => way !== null);
  return ways.sort((a, b) => a.z - b.z).slice(0, 1);
}

interface Side {
  symbol: string;
  closes: Float64Array;
}

function factsOf(long: Side, short: Side): ChosenPair | null {
  const { adfP, rSquared, halfLife, hedgeRatio, zScores } = pairFacts(long.closes, short.closes);
  const z = zScores?.z.at(-1);
  if (adfP === null || rSquared === null || halfLife === null || hedgeRatio === null || z === undefined) return null;
  const holds =
    adfP <= MOST_ADF_P &&
    // Where both sides are dear at once neither is the cheap one.
    z < 0 &&
    halfLife >= HALF_LIFE.least &&
    halfLife <= HALF_LIFE.most &&
    hedgeRatio >= SLOPE.least &&
    hedgeRatio <= SLOPE.most;
  return holds ? { long: long.symbol, short: short.symbol, adfP, z } : null;
}
