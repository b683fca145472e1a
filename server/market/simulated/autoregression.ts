import { normal } from './noise';
import { EPOCH_MS } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, sqrt } = Math;

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
