import { normal } from './noise';
import { EPOCH_MS } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, sqrt } = Math;

/** Steps in which the correlation falls to 1 / e, and how many of the past are summed: what lies farther back weighs under 2 %. */
const STEPS = 8;
const TERMS = 32;
const KEEP = exp(-1 / STEPS);
/** Straight lines between the steps take a little of the variance: 1 - (1 - KEEP) / 3 is left. */
const WEIGHTS = (() => {
  const raw = Float64Array.from({ length: TERMS }, (_, j) => KEEP ** j);
  const variance = raw.reduce((sum, weight) => sum + weight * weight, 0) * (1 - (1 - KEEP) / 3);
  return raw.map((weight) => weight / sqrt(variance));
})();

/**
 * A standard-normal value that forgets: the correlation over `forgetsMs` is 1 / e. An autoregression of order one as a sum over
 * its last shocks, so that any instant is found without the ones before it; straight lines in between.
 */
export class Autoregression {
  readonly #key: number;
  readonly #stepMs: number;
  /** The step that was asked for last: of one moment much is asked. */
  #step = Number.NaN;
  #from = 0;
  #to = 0;

  constructor(key: number, forgetsMs: number) {
    this.#key = key;
    this.#stepMs = forgetsMs / STEPS;
  }

  /** @param instant UTC ms */
  at(instant: number): number {
    const x = (instant - EPOCH_MS) / this.#stepMs;
    const step = floor(x);
    if (step !== this.#step) {
      this.#from = step === this.#step + 1 ? this.#to : this.#sum(step);
      this.#to = this.#sum(step + 1);
      this.#step = step;
    }
    return this.#from + (this.#to - this.#from) * (x - step);
  }

  #sum(step: number): number {
    let sum = 0;
    for (let j = 0; j < TERMS; j += 1) sum += WEIGHTS[j]! * normal(this.#key, step - j);
    return sum;
  }
}
