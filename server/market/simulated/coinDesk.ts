import { DAY_MS } from '#contract/duration';
import type { Coin } from './coin';
import { Dislocations } from './dislocation';
import { Hours } from './hours';
import { streamKey, uniform, wave } from './noise';
import { Premium } from './premium';
import { EPOCH_MS, hourAt } from './time';
import type { VenueSpec } from './venues';

/** What all instruments of one coin share, at whatever venue. */
export class CoinDesk {
  readonly coin: Coin;
  readonly hours: Hours;
  readonly crowd: Crowd;
  /** Of the main venue's perpetual, whose fair price is the coin's: the index is found by it. */
  readonly premium: Premium;
  readonly dislocations: Dislocations;
  readonly hasFutures: boolean;

  /** @param venues those that list it, the main one first */
  constructor(coin: Coin, venues: readonly VenueSpec[], hasFutures: boolean) {
    this.coin = coin;
    this.hours = new Hours(coin);
    this.crowd = new Crowd(coin);
    this.premium = new Premium(coin, venues[0]!.source);
    this.hasFutures = hasFutures;
    this.dislocations = new Dislocations(
      coin,
      venues.map(({ source }) => source),
      hasFutures,
    );
  }

  /** Log of the index: what the coin itself is worth, over all venues. */
  indexLevelAt(instant: number): number {
    return this.hours.levelAt(instant) - this.premium.at(instant);
  }
}

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, max, min, round, sqrt } = Math;

const MOMENTUM_HOURS = 72;

/** Positions of one coin's crowd, which follows the last three days: open interest and the ratio of long to short accounts. */
class Crowd {
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
