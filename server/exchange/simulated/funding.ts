import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { FundingHistory } from '../exchange';
import type { Coin } from './coin';
import { normal, streamKey, wave } from './noise';
import { EPOCH_MS, hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { floor, max, min, round, sqrt } = Math;

const MOMENTUM_HOURS = 72;
/** The interest part of funding: 0.01 % in 8 h, as the exchanges set it. */
const INTEREST_8H = 0.0001;
const CAP_8H = 0.02;

/** Return of the last three days in its own standard deviations, limited to [-3, 3]. */
export function momentum(coin: Coin, hour: number): number {
  const move = coin.levelAtHour(hour) - coin.levelAtHour(max(0, hour - MOMENTUM_HOURS));
  return inDeviations(coin, hour, move);
}

function inDeviations(coin: Coin, hour: number, move: number): number {
  const score = move / (coin.dayVolatility(floor(hour / 24)) * sqrt(MOMENTUM_HOURS / 24));
  return max(-3, min(3, score));
}

/** Funding of one coin: a crowd that pays to follow the last three days, with moods of its own. */
export class Funding {
  readonly #coin: Coin;
  readonly #moodKey: number;
  readonly #noiseKey: number;
  readonly #heat: number;

  constructor(coin: Coin) {
    this.#coin = coin;
    this.#moodKey = streamKey(coin.seed, `${coin.symbol}/funding mood`);
    this.#noiseKey = streamKey(coin.seed, `${coin.symbol}/funding`);
    this.#heat = coin.spec.turnoverMillions >= 800 ? 0.7 : coin.spec.sector === 'Meme' ? 2 : 1.2;
  }

  /** The first settlement after `instant`, UTC ms. */
  nextAfter(instant: number): number {
    const interval = this.#coin.fundingHours * HOUR_MS;
    return EPOCH_MS + (floor((instant - EPOCH_MS) / interval) + 1) * interval;
  }

  /** Rate of the settlement at `settlesAt` as `asOf` sees it; what was seen last is what settles. */
  rate(settlesAt: number, asOf: number): number {
    const hour = hourAt(min(asOf, settlesAt - 1));
    return this.#rate(settlesAt, momentum(this.#coin, hour));
  }

  /** Settlements after `start` and not after `end`, both UTC ms. */
  history(start: number, end: number): FundingHistory {
    const interval = this.#coin.fundingHours * HOUR_MS;
    const first = this.nextAfter(start);
    const count = max(0, floor((end - first) / interval) + 1);
    const time = new Float64Array(new SharedArrayBuffer(count * 8));
    const rate = new Float64Array(new SharedArrayBuffer(count * 8));
    if (count === 0) return { time, rate };
    // The look-back of the hour before the first settlement reaches into the fourth day before it.
    const fromDay = max(0, floor((first - EPOCH_MS) / DAY_MS) - 4);
    const levels = this.#coin.hours(fromDay, floor((end - EPOCH_MS) / DAY_MS) + 1, () => null);
    for (let i = 0; i < count; i += 1) {
      const hour = hourAt(first) + i * this.#coin.fundingHours;
      // The crowd of the hour before: the settlement itself brings no news.
      const at = hour - 1 - fromDay * 24;
      const move = levels[at]! - levels[max(0, at - MOMENTUM_HOURS)]!;
      time[i] = instantOf(hour);
      rate[i] = this.#rate(time[i]!, inDeviations(this.#coin, hour - 1, move));
    }
    return { time, rate };
  }

  #rate(settlesAt: number, crowd: number): number {
    const hour = hourAt(settlesAt);
    const mood = wave(this.#moodKey, hour / 110);
    const noise = normal(this.#noiseKey, hour);
    const rate8h = INTEREST_8H + this.#heat * (0.00006 * crowd + 0.00008 * mood + 0.00002 * noise);
    const limited = max(-CAP_8H, min(CAP_8H, rate8h));
    return round(((limited * this.#coin.fundingHours) / 8) * 1e8) / 1e8;
  }
}
