import { EPOCH_MS } from './time';

const { cos, exp, floor, imul, log, sqrt } = Math;

/**
 * Random numbers by counter: `bits(key, n)` is a pure function, so any instant of the simulated
 * market can be computed without the ones before it, and a restart finds the same numbers.
 */

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
/** Mixes a 32-bit word until each input bit reaches each output bit (MurmurHash3's finaliser). */
function mix(word: number): number {
  let x = word;
  x = imul(x ^ (x >>> 16), 0x85ebca6b);
  x = imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Key of one stream of random numbers: its name under a seed. */
export function streamKey(seed: number, name: string): number {
  let key = mix(seed ^ 0x9e3779b9);
  for (const character of name) key = mix(imul(key, 31) + (character.codePointAt(0) ?? 0));
  return key;
}

/** 32 random bits, the `n`-th of the stream. */
export const bits = (key: number, n: number): number => mix(key ^ imul(n, 0x9e3779b1));

/** Uniform in [0, 1). */
export const uniform = (key: number, n: number): number => bits(key, n) / 2 ** 32;

const TABLE_BITS = 12;
const TABLE_SIZE = 1 << TABLE_BITS;
const TABLE_MASK = TABLE_SIZE - 1;

/** A finite population with mean 0 and variance 1: drawing from a table costs a tenth of a logarithm and a cosine. */
function population(shape: (normal: number) => number): Float64Array {
  const golden = (sqrt(5) - 1) / 2;
  const values = Float64Array.from({ length: TABLE_SIZE }, (_, i) => {
    const radius = sqrt(-2 * log((i + 0.5) / TABLE_SIZE));
    return shape(radius * cos(2 * Math.PI * ((i * golden) % 1)));
  });
  const mean = values.reduce((sum, v) => sum + v, 0) / TABLE_SIZE;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / TABLE_SIZE;
  return values.map((v) => (v - mean) / sqrt(variance));
}

const NORMAL = population((z) => z);
/** Cubed tails: a kurtosis of about 6, as daily returns of coins have. */
const FAT_TAILED = population((z) => z + 0.06 * z ** 3);

const BUSYNESS = NORMAL.map((z) => exp(0.3 * z));

/** The `n`-th standard normal of the stream. */
export const normal = (key: number, n: number): number => NORMAL[bits(key, n) & TABLE_MASK]!;
/** exp(0.3 z) of the standard normal `z` from the low 12 bits of `word`. */
export const busynessOf = (word: number): number => BUSYNESS[word & TABLE_MASK]!;
export const fatTailed = (key: number, n: number): number => FAT_TAILED[bits(key, n) & TABLE_MASK]!;

const EXTREME_SIZE = 1024;
const EXTREME = Float64Array.from({ length: EXTREME_SIZE }, (_, i) => -2 * log((i + 0.5) / EXTREME_SIZE));
/** -2 ln U from the low 10 bits of `word`: what the extreme of a Brownian bridge is drawn from. */
export const extremeOf = (word: number): number => EXTREME[word & (EXTREME_SIZE - 1)]!;

/** Slow standard-normal noise, smooth in `x`, with one independent value per whole number. */
export function wave(key: number, x: number): number {
  const knot = floor(x);
  const f = x - knot;
  const blend = f * f * (3 - 2 * f);
  return normal(key, knot) * (1 - blend) + normal(key, knot + 1) * blend;
}

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
/** Steps in which the correlation falls to 1 / e where nobody asks for finer ones. */
const USUAL_STEPS = 8;
/** What lies farther back than so many of these times weighs under 2 %. */
const TIMES = 4;

const STEPS_KEPT = 8;

const known = new Map<number, Float64Array>();

/** Weights of the shocks, the newest first, so that the variance is 1: straight lines between the steps take a little of it. */
function weightsOf(steps: number): Float64Array {
  let weights = known.get(steps);
  if (weights === undefined) {
    const keep = exp(-1 / steps);
    const raw = Float64Array.from({ length: TIMES * steps }, (_, j) => keep ** j);
    const variance = raw.reduce((sum, weight) => sum + weight * weight, 0) * (1 - (1 - keep) / 3);
    weights = raw.map((weight) => weight / sqrt(variance));
    known.set(steps, weights);
  }
  return weights;
}

/**
 * A standard-normal value that forgets: the correlation over `forgetsMs` is 1 / e. An autoregression of order one as a sum over
 * its last shocks, so that any instant is found without the ones before it; straight lines in between.
 */
export class Autoregression {
  readonly #key: number;
  readonly #stepMs: number;
  readonly #weights: Float64Array;
  /** The steps that were asked for last, each at its number modulo the length: of one day much is asked. */
  readonly #steps = new Float64Array(STEPS_KEPT).fill(Number.NaN);
  readonly #values = new Float64Array(STEPS_KEPT);

  /** @param steps straight lines in `forgetsMs`: what is looked at more often needs more of them */
  constructor(key: number, forgetsMs: number, steps = USUAL_STEPS) {
    this.#key = key;
    this.#weights = weightsOf(steps);
    this.#stepMs = forgetsMs / steps;
  }

  /** @param instant UTC ms */
  at(instant: number): number {
    const x = (instant - EPOCH_MS) / this.#stepMs;
    const step = floor(x);
    const from = this.#valueOf(step);
    return from + (this.#valueOf(step + 1) - from) * (x - step);
  }

  #valueOf(step: number): number {
    const slot = step & (STEPS_KEPT - 1);
    if (this.#steps[slot] !== step) {
      this.#steps[slot] = step;
      this.#values[slot] = this.#sum(step);
    }
    return this.#values[slot]!;
  }

  #sum(step: number): number {
    const weights = this.#weights;
    let sum = 0;
    for (let j = 0; j < weights.length; j += 1) sum += weights[j]! * normal(this.#key, step - j);
    return sum;
  }
}
