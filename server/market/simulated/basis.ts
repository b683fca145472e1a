import { DAY_MS } from '#contract/duration';
import { Autoregression } from './autoregression';
import type { Coin } from './coin';
import { streamKey } from './noise';
import type { Term } from './quarters';

const { log1p, max, tanh } = Math;

const YEAR_MS = 365 * DAY_MS;
/** Half of a deviation is gone after 14 days. Its steps of 12 h are whole hours, so that within an hour it is a straight line. */
const FORGETS_MS = 20 * DAY_MS;
const STEPS = 40;
/** What futures cost above the index a year: the middle, how far the near one goes from it, and the far one from the near one. */
const MIDDLE = 0.08;
const SWING = 0.022;
const SLOPE = 0.014;
/** The basis of a coin at two venues differs by this much a year. */
const VENUE_SWING = 0.002;

/** Annualised basis of the futures of one coin at one venue. */
export class Basis {
  readonly #near: Autoregression;
  readonly #slope: Autoregression;
  readonly #venue: Autoregression;

  constructor(coin: Coin, source: string) {
    const path = (name: string) =>
      new Autoregression(streamKey(coin.seed, `${coin.symbol}/${name}`), FORGETS_MS, STEPS);
    this.#near = path('basis');
    this.#slope = path('basis slope');
    this.#venue = path(`basis ${source}`);
  }

  /** Log distance of a term's future from the index; nothing from its expiry on. */
  at(instant: number, { expiresAt }: Term): number {
    const left = max(0, expiresAt - instant) / YEAR_MS;
    return log1p(this.annualised(instant, left) * left);
  }

  /**
   * A fraction a year.
   * @param left years to expiry: the slope lies between one and two quarters.
   */
  annualised(instant: number, left: number): number {
    const near = MIDDLE + SWING * tanh(0.8 * this.#near.at(instant));
    const slope = SLOPE * tanh(0.8 * this.#slope.at(instant)) * max(-1, 4 * left - 1);
    return near + slope + VENUE_SWING * tanh(this.#venue.at(instant));
  }
}
