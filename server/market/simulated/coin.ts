import { SIMULATED } from '#contract/candle';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { COINS, type CoinSpec, type Tier, tierOf } from './coins';
import { Factor } from './factor';
import type { MarketLaw } from './laws';
import { streamKey, uniform, wave } from './noise';
import { hourAt } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, exp, floor, log, log10, max, min, round, sqrt } = Math;

/** Factors that many coins share. */
export interface SharedFactors {
  law: MarketLaw;
  market: Factor;
  sectors: Map<string, Factor>;
  /** Those of coins that others follow. */
  leaders: Map<string, Factor>;
}

export function createSharedFactors(seed: number, law: MarketLaw): SharedFactors {
  return { law, market: new Factor(seed, 'market', law.market), sectors: new Map(), leaders: new Map() };
}

interface Loading {
  factor: Factor;
  weight: number;
}

/** How one coin's price follows the factors, and its steps and habits. */
export class Coin {
  readonly symbol: string;
  readonly spec: CoinSpec;
  readonly seed: number;
  readonly law: MarketLaw;
  readonly key: number;
  readonly tier: Tier;
  /** Decimals of the price step and of the quantity step. */
  readonly priceDecimals: number;
  readonly lotDecimals: number;
  readonly priceUnits: number;
  readonly lotUnits: number;
  readonly #level: number;
  readonly #loadings: Loading[];
  readonly #turnoverKey: number;
  /** The second that was asked for last: venues and instruments share it. */
  #second = Number.NaN;
  #secondLevel = 0;

  constructor(seed: number, spec: CoinSpec, shared: SharedFactors) {
    this.seed = seed;
    this.law = shared.law;
    this.spec = spec;
    this.symbol = `${spec.base}USDT`;
    this.key = streamKey(seed, this.symbol);
    const magnitude = floor(log10(spec.price));
    this.priceDecimals = min(8, max(1, 4 - magnitude));
    this.lotDecimals = min(3, max(0, magnitude - 1));
    this.priceUnits = 10 ** this.priceDecimals;
    this.lotUnits = 10 ** this.lotDecimals;
    this.tier = tierOf(spec);
    this.#turnoverKey = streamKey(seed, `${this.symbol}/turnover`);
    this.#level = log(spec.price);
    this.#loadings = loadingsOf(seed, spec, shared);
  }

  /** Log price, before rounding to the tick, at each full hour of the days `from` to `to` (numbers since the epoch). */
  hours(from: number, to: number, sharedHours: (factor: Factor) => Float64Array | null): Float64Array {
    const levels = new Float64Array((to - from) * 24 + 1).fill(this.#level);
    for (const { factor, weight } of this.#loadings) {
      const part = sharedHours(factor) ?? factor.hours(from, to);
      for (let i = 0; i < levels.length; i += 1) levels[i]! += weight * part[i]!;
    }
    return levels;
  }

  levelAtHour(hour: number): number {
    let level = this.#level;
    for (const { factor, weight } of this.#loadings) level += weight * factor.atHour(hour);
    return level;
  }

  /** Log prices at the minutes 0 ... 60 of an hour. */
  minutesOf(hour: number): Float64Array {
    const levels = new Float64Array(61).fill(this.#level);
    for (const { factor, weight } of this.#loadings) {
      const part = factor.minutesOf(hour);
      for (let i = 0; i <= 60; i += 1) levels[i]! += weight * part[i]!;
    }
    return levels;
  }

  /** Log price at an instant, to the second; at a full hour the very number that candles are made of. */
  levelAt(instant: number): number {
    const second = floor(instant / SECOND_MS);
    if (second !== this.#second) {
      this.#secondLevel = this.#levelOf(second * SECOND_MS);
      this.#second = second;
    }
    return this.#secondLevel;
  }

  #levelOf(instant: number): number {
    if (instant % HOUR_MS === 0) return this.levelAtHour(hourAt(instant));
    let level = this.#level;
    for (const { factor, weight } of this.#loadings) level += weight * factor.at(instant);
    return level;
  }

  /** Standard deviation of the day's log return. */
  dayVolatility(day: number): number {
    let variance = 0;
    for (const { factor, weight } of this.#loadings) variance += (weight * factor.volatility(day)) ** 2;
    return sqrt(variance);
  }

  /** Usual turnover of an hour of this day, USDT. */
  hourTurnover(day: number): number {
    return (this.spec.turnoverMillions * 1e6 * exp(0.45 * wave(this.#turnoverKey, day / 9))) / 24;
  }

  /** The price step nearest to a log price. */
  priceOf(level: number): number {
    return this.round(exp(level));
  }

  /** The first price step beyond everything that is quoted up to a log price. */
  priceAbove(level: number): number {
    return (ceil(exp(level) * this.priceUnits) + 1) / this.priceUnits;
  }

  priceBelow(level: number): number {
    return max(1, floor(exp(level) * this.priceUnits) - 1) / this.priceUnits;
  }

  round(price: number): number {
    return max(1, round(price * this.priceUnits)) / this.priceUnits;
  }
}

const symbolOf = ({ base }: CoinSpec): string => `${base}USDT`;

function loadingsOf(seed: number, spec: CoinSpec, shared: SharedFactors): Loading[] {
  const following = shared.law.follows.get(spec.base);
  if (following === undefined) return ownLoadingsOf(seed, spec, shared);
  const { leader, halfLifeDays, dayVolatility } = following;
  const distance = new Factor(seed, symbolOf(spec), { dayVolatility, halfLifeDays, jumpChance: 0, jumpSize: 0 });
  return [{ factor: distance, weight: 1 }, ...ownLoadingsOf(seed, COINS.find(({ base }) => base === leader)!, shared)];
}

/** Of a coin that follows no other. */
function ownLoadingsOf(seed: number, spec: CoinSpec, shared: SharedFactors): Loading[] {
  const { base, sector } = spec;
  const key = streamKey(seed, symbolOf(spec));
  const draw = (n: number) => uniform(key, n);
  const own = ownFactorOf(seed, spec, shared);
  const withMarket = [
    { factor: own, weight: 1 },
    { factor: shared.market, weight: base === 'BTC' ? 1 : 0.85 + 0.6 * draw(5) },
  ];
  if (base === 'BTC') return withMarket;
  const sectorFactor = kept(shared.sectors, sector, () => new Factor(seed, `sector ${sector}`, shared.law.sector));
  return [...withMarket, { factor: sectorFactor, weight: 0.6 + 0.7 * draw(6) }];
}

function ownFactorOf(seed: number, spec: CoinSpec, { law, leaders }: SharedFactors): Factor {
  const { base } = spec;
  const draw = (n: number) => uniform(streamKey(seed, symbolOf(spec)), n);
  const major = base === 'BTC' || base === 'ETH';
  const ownVolatility = base === 'BTC' ? 0.002 : base === 'ETH' ? 0.015 : 0.022 + 0.02 * draw(2);
  const make = () =>
    new Factor(seed, symbolOf(spec), {
      dayVolatility: ownVolatility,
      halfLifeDays: 80 + 60 * draw(3),
      jumpChance: major ? 0.002 : 0.012,
      jumpSize: major ? 0.02 : 0.07 + 0.05 * draw(4),
    });
  const leads = [...law.follows.values()].some(({ leader }) => leader === base);
  return leads ? kept(leaders, base, make) : make();
}

function kept(factors: Map<string, Factor>, name: string, make: () => Factor): Factor {
  let factor = factors.get(name);
  if (factor === undefined) {
    factor = make();
    factors.set(name, factor);
  }
  return factor;
}

/**
 * Hours between the funding settlements of a coin at a venue. Large coins settle every 8 h as everywhere; the wilder the coin,
 * the more often. A sister venue has in one of three cases hours of its own.
 */
export function fundingHoursOf(coin: Coin, source: string): number {
  if (coin.tier === 'major') return 8;
  const own = streamKey(coin.seed, `${coin.symbol}/hours ${source}`);
  const draw = source !== SIMULATED && uniform(own, 0) < 1 / 3 ? uniform(own, 1) : uniform(coin.key, 1);
  if (draw < (coin.spec.sector === 'Meme' ? 0.2 : 0.06)) return 1;
  return draw < 0.55 ? 4 : 8;
}
