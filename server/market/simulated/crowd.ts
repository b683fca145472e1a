import { DAY_MS } from '#contract/duration';
import type { Coin } from './coin';
import { streamKey, uniform, wave } from './noise';
import { EPOCH_MS, hourAt } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, max, min, round, sqrt } = Math;

const MOMENTUM_HOURS = 72;

/** Positions of one coin's crowd, which follows the last three days: open interest and the ratio of long to short accounts. */
export class Crowd {
  readonly #coin: Coin;
  readonly #key: number;
  constructor(coin: Coin) {
    this.#coin = coin;
    this.#key = streamKey(coin.seed, `${coin.symbol}/crowd`);
  }

  /** Quote currency. */
  openInterest(instant: number): number {
    const days = (instant - EPOCH_MS) / DAY_MS;
    const usual = this.#coin.spec.turnoverMillions * 1e6 * (0.2 + 0.5 * uniform(this.#key, -1));
    return round(usual * exp(0.3 * wave(this.#key, days / 4) + 0.08 * this.#momentum(hourAt(instant))));
  }

  longShortRatio(instant: number): number {
    const days = (instant - EPOCH_MS) / DAY_MS;
    const crowd = 0.2 + 0.22 * wave(this.#key, 1e6 + days / 2) - 0.12 * this.#momentum(hourAt(instant));
    return round(exp(crowd) * 100) / 100;
  }

  /** Return of the last three days in its own standard deviations, limited to [-3, 3]. */
  #momentum(hour: number): number {
    const coin = this.#coin;
    const move = coin.levelAtHour(hour) - coin.levelAtHour(max(0, hour - MOMENTUM_HOURS));
    return max(-3, min(3, move / (coin.dayVolatility(floor(hour / 24)) * sqrt(MOMENTUM_HOURS / 24))));
  }
}
