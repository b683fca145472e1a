import { HOUR_MS } from '#contract/duration';
import { Autoregression } from './autoregression';
import type { Coin, Tier } from './coin';
import { streamKey, uniform } from './noise';

const { sqrt } = Math;

/** After 8 h 82 % of a premium is left. Its steps of 5 h are whole hours, so that within an hour it is a straight line. */
const FORGETS_MS = 40 * HOUR_MS;
/** Standard deviation of a coin's premium, from coin to coin, and the mean around which it moves. */
const DEVIATION: Record<Tier, readonly [from: number, to: number]> = {
  major: [0.0004, 0.0004],
  middle: [0.0008, 0.0011],
  small: [0.0011, 0.0015],
};
const MEAN: Record<Tier, number> = { major: 0.00002, middle: 0.00005, small: 0.00006 };
/** Correlation of the premiums of one coin at two venues. */
const SHARED: Record<Tier, number> = { major: 0.88, middle: 0.52, small: 0.52 };

/** How far the perpetual of one coin at one venue stands above the index, a fraction. */
export class Premium {
  readonly source: string;
  readonly #mean: number;
  readonly #common: number;
  readonly #own: number;
  readonly #crowd: Autoregression;
  readonly #venue: Autoregression;

  constructor(coin: Coin, source: string) {
    this.source = source;
    const [from, to] = DEVIATION[coin.tier];
    const deviation = from + (to - from) * uniform(coin.key, 11);
    const shared = SHARED[coin.tier];
    this.#mean = MEAN[coin.tier];
    this.#common = deviation * sqrt(shared);
    this.#own = deviation * sqrt(1 - shared);
    this.#crowd = new Autoregression(streamKey(coin.seed, `${coin.symbol}/premium`), FORGETS_MS);
    this.#venue = new Autoregression(streamKey(coin.seed, `${coin.symbol}/premium ${source}`), FORGETS_MS);
  }

  /** @param instant UTC ms */
  at(instant: number): number {
    return this.#mean + this.#common * this.#crowd.at(instant) + this.#own * this.#venue.at(instant);
  }
}
