import { HOUR_MS } from '#contract/duration';
import type { FundingHistory } from '../exchange';
import type { Coin } from './coin';
import type { Premium } from './premium';
import { EPOCH_MS, hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { abs, floor, max, min, round, sign } = Math;

/** The interest part of funding: 0.01 % in 8 h, as the exchanges set it, and how far a premium is taken back towards it. */
const INTEREST_8H = 0.0001;
const TAKEN_BACK = 0.0005;

/** Funding of one perpetual: the mean premium of the interval, taken back towards the interest, within the venue's cap. */
export class Funding {
  readonly hours: number;
  /** The largest rate of one settlement, a fraction. */
  readonly cap: number;
  readonly #premium: Premium;

  /** @param hours between two settlements: 1, 4 or 8 */
  constructor(coin: Coin, premium: Premium, hours: number) {
    this.hours = hours;
    this.cap = coin.tier === 'major' ? 0.003 : 0.02;
    this.#premium = premium;
  }

  /** The first settlement after `instant`, UTC ms. */
  nextAfter(instant: number): number {
    const interval = this.hours * HOUR_MS;
    return EPOCH_MS + (floor((instant - EPOCH_MS) / interval) + 1) * interval;
  }

  /** Rate of the settlement at `settlesAt` as `asOf` predicts it: by the hours that have begun; what was seen last is what settles. */
  rate(settlesAt: number, asOf: number): number {
    const end = hourAt(settlesAt);
    const last = min(hourAt(asOf), end - 1);
    const first = end - this.hours;
    let sum = 0;
    for (let hour = first; hour <= last; hour += 1) sum += this.#premium.at(instantOf(hour));
    return this.#rateOf(sum / (last - first + 1));
  }

  /** Settlements after `start` and not after `end`, both UTC ms. */
  history(start: number, end: number): FundingHistory {
    const interval = this.hours * HOUR_MS;
    const first = this.nextAfter(start);
    const count = max(0, floor((end - first) / interval) + 1);
    const column = () => new Float64Array(new SharedArrayBuffer(count * 8));
    const [time, rate, hours] = [column(), column(), column().fill(this.hours)];
    for (let i = 0; i < count; i += 1) {
      time[i] = first + i * interval;
      rate[i] = this.rate(time[i]!, time[i]!);
    }
    return { time, rate, hours };
  }

  #rateOf(premium: number): number {
    const back = max(-TAKEN_BACK, min(TAKEN_BACK, INTEREST_8H - premium));
    const rate = ((premium + back) * this.hours) / 8;
    return round(sign(rate) * min(this.cap, abs(rate)) * 1e8) / 1e8;
  }
}
