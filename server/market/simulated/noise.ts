/**
 * Random numbers by counter: `bits(key, n)` is a pure function, so any instant of the simulated
 * market can be computed without the ones before it, and a restart finds the same numbers.
 */

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { cos, exp, floor, imul, log, sqrt } = Math;

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
