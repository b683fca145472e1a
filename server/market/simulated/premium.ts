import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { Coin } from './coin';
import type { PremiumLaw } from './laws';
import { Autoregression, normal, streamKey, uniform } from './noise';
import { EPOCH_MS, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { floor, max, min, round, sqrt } = Math;

/** Whole hours, so that within an hour a premium is a straight line. */
const STEP_HOURS = 5;
/** Of what lasts; its steps are whole ones of the others, so that the sum is a straight line between those. */
const LASTS_MS = 30 * DAY_MS;
const STEPS_KEPT = 8;
/** Steps of a standard normal between which premiums are straight lines. */
const A_UNIT = 20;

/** How far the perpetual of one coin at one venue stands above the index, a fraction. */
export class Premium {
  readonly source: string;
  readonly #mean: number;
  readonly #common: number;
  readonly #own: number;
  readonly #crowd: Autoregression;
  readonly #venue: Autoregression;
  readonly #lasting: Lasting | null;
  readonly #quantiles: Quantiles | null;
  /** The steps that were asked for last, each at its number modulo the length. */
  readonly #steps = new Float64Array(STEPS_KEPT).fill(Number.NaN);
  readonly #values = new Float64Array(STEPS_KEPT);

  constructor(coin: Coin, source: string) {
    this.source = source;
    const { premium: law } = coin.law;
    const [from, to] = law.deviation[coin.tier];
    const deviation = (from + (to - from) * uniform(coin.key, 11)) * sqrt(1 - law.lasting);
    const shared = law.shared[coin.tier];
    this.#mean = law.centre[coin.tier] + law.centres[coin.tier] * normal(coin.key, 12);
    this.#common = deviation * sqrt(shared);
    this.#own = deviation * sqrt(1 - shared);
    const quick = (name: string) => {
      const key = streamKey(coin.seed, `${coin.symbol}/${name}`);
      return new Autoregression(key, law.forgetsSteps * STEP_HOURS * HOUR_MS, law.forgetsSteps);
    };
    this.#crowd = quick('premium');
    this.#venue = quick(`premium ${source}`);
    this.#quantiles = quantilesOf(law);
    this.#lasting =
      law.lasting === 0 ? null : lastingOf(coin, source, deviation * sqrt(law.lasting / (1 - law.lasting)));
  }

  /** @param instant UTC ms */
  at(instant: number): number {
    if (this.#quantiles === null) return this.#drawn(instant);
    const hours = (instant - EPOCH_MS) / HOUR_MS;
    const hour = floor(hours);
    const from = this.#atHour(hour);
    return hours === hour ? from : from + (this.#atHour(hour + 1) - from) * (hours - hour);
  }

  #atHour(hour: number): number {
    const step = floor(hour / STEP_HOURS);
    const from = this.#atStep(step);
    const z = from + ((this.#atStep(step + 1) - from) * (hour - step * STEP_HOURS)) / STEP_HOURS;
    const { least, premiums } = this.#quantiles!;
    const x = (z - least) * A_UNIT;
    const below = max(0, min(premiums.length - 2, floor(x)));
    const low = premiums[below]!;
    return low + (premiums[below + 1]! - low) * (x - below);
  }

  #atStep(step: number): number {
    const slot = step & (STEPS_KEPT - 1);
    if (this.#steps[slot] !== step) {
      this.#steps[slot] = step;
      this.#values[slot] = this.#drawn(instantOf(step * STEP_HOURS));
    }
    return this.#values[slot]!;
  }

  #drawn(instant: number): number {
    const quick = this.#mean + this.#common * this.#crowd.at(instant) + this.#own * this.#venue.at(instant);
    if (this.#lasting === null) return quick;
    const { common, everywhere, own, here } = this.#lasting;
    return quick + common * everywhere.at(instant) + own * here.at(instant);
  }
}

/** What stays for weeks: of the coin at all venues, and of the venue alone, each with its weight. */
interface Lasting {
  common: number;
  everywhere: Autoregression;
  own: number;
  here: Autoregression;
}

function lastingOf({ law, tier, seed, symbol }: Coin, source: string, deviation: number): Lasting {
  const shared = law.premium.lastingShared[tier];
  const path = (name: string) => new Autoregression(streamKey(seed, `${symbol}/${name}`), LASTS_MS);
  return {
    ...{ common: deviation * sqrt(shared), everywhere: path('premium lasting') },
    ...{ own: deviation * sqrt(1 - shared), here: path(`premium lasting ${source}`) },
  };
}

/** Premiums by equal steps of a standard normal: found without a search. */
interface Quantiles {
  least: number;
  premiums: Float64Array;
}

function between(knots: NonNullable<PremiumLaw['quantiles']>, z: number): number {
  const next = max(
    1,
    min(
      knots.length - 1,
      knots.findIndex(([above]) => above >= z),
    ),
  );
  const [[below, low], [above, high]] = [knots[next - 1]!, knots[next]!];
  return low + ((high - low) * (z - below)) / (above - below);
}

const known = new Map<PremiumLaw, Quantiles>();

/** Its knots lie at multiples of 1 / `A_UNIT`. */
function quantilesOf(law: PremiumLaw): Quantiles | null {
  const { quantiles: knots } = law;
  if (knots === null) return null;
  let quantiles = known.get(law);
  if (quantiles === undefined) {
    const least = knots[0]![0];
    const length = round((knots.at(-1)![0] - least) * A_UNIT) + 1;
    const premiums = Float64Array.from({ length }, (_, i) => between(knots, least + i / A_UNIT));
    quantiles = { least, premiums };
    known.set(law, quantiles);
  }
  return quantiles;
}
