import { bits, fatTailed, normal, streamKey, uniform, wave } from './noise';
import { EPOCH_MS } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, min, sqrt } = Math;

export interface FactorShape {
  /** Standard deviation of a day's log return. */
  dayVolatility: number;
  /** Days in which half of a distance from the long-run level is lost: keeps prices plausible for years. */
  halfLifeDays: number;
  /** Jumps per day, and their standard deviation in log return. */
  jumpChance: number;
  jumpSize: number;
}

/** News is not digested at once: of a jump this part comes in each hour of what is still to come, and all of it in half a day. */
const JUMP_PART = 0.28;
const JUMP_HOURS = 12;
/** Part of a jump that has come by the number of hours since it began. */
const JUMPED = Float64Array.from(
  { length: JUMP_HOURS + 1 },
  (_, h) => (1 - (1 - JUMP_PART) ** h) / (1 - (1 - JUMP_PART) ** JUMP_HOURS),
);

const KEPT = 6;

/** The few newest blocks by number: a tick asks for the same hour and minute again and again. */
class RecentBlocks {
  #numbers: number[] = new Array(KEPT).fill(-1);
  #blocks: (Float64Array | undefined)[] = new Array(KEPT);
  #next = 0;

  get(number: number, make: () => Float64Array): Float64Array {
    const slot = this.#numbers.indexOf(number);
    if (slot >= 0) return this.#blocks[slot]!;
    const block = make();
    this.#numbers[this.#next] = number;
    this.#blocks[this.#next] = block;
    this.#next = (this.#next + 1) % KEPT;
    return block;
  }
}

/**
 * One source of log returns: the whole market, a sector, or what is a coin's own. A mean-reverting
 * path of days from the epoch; hours within a day, minutes within an hour and seconds within a
 * minute are Brownian bridges, so each scale ends where the coarser one says.
 */
export class Factor {
  readonly #shape: FactorShape;
  readonly #keys: { day: number; regime: number; jump: number; hour: number; minute: number; second: number };
  #levels = new Float64Array([0]);
  #jumps = new Float64Array(0);
  #regimes = new Float64Array(0);
  readonly #days = new RecentBlocks();
  readonly #hours = new RecentBlocks();
  readonly #minutes = new RecentBlocks();

  constructor(seed: number, name: string, shape: FactorShape) {
    this.#shape = shape;
    const key = (part: string) => streamKey(seed, `${name}/${part}`);
    this.#keys = {
      day: key('day'),
      regime: key('regime'),
      jump: key('jump'),
      hour: key('hour'),
      minute: key('minute'),
      second: key('second'),
    };
  }

  /** Standard deviation of the log return of this day (number since the epoch): calm and wild weeks alternate. */
  volatility(day: number): number {
    this.#extendTo(day);
    return this.#shape.dayVolatility * this.#regimes[day]!;
  }

  /** Writes the levels at 00:00, 01:00 ... 24:00 of a day to `out[at .. at + 24]`. */
  fillDay(day: number, out: Float64Array, at: number): void {
    this.#extendTo(day);
    const start = this.#levels[day]!;
    const jump = this.#jumps[day]!;
    const jumpHour = bits(this.#keys.jump, -1 - day) % (24 - JUMP_HOURS);
    const drift = (this.#levels[day + 1]! - start - jump) / 24;
    const sd = (this.#shape.dayVolatility * this.#regimes[day]!) / sqrt(24);
    let walk = 0;
    for (let h = 1; h <= 24; h += 1) {
      walk += sd * normal(this.#keys.hour, day * 24 + h - 1);
      out[at + h] = walk;
    }
    const slope = drift - walk / 24;
    for (let h = 1; h < 24; h += 1) out[at + h] = start + out[at + h]! + slope * h;
    if (jump !== 0) {
      for (let h = jumpHour + 1; h < 24; h += 1) out[at + h]! += jump * JUMPED[min(JUMP_HOURS, h - jumpHour)]!;
    }
    out[at] = start;
    out[at + 24] = this.#levels[day + 1]!;
  }

  /** Levels at each full hour from day `from` to the start of day `to`, both included. */
  hours(from: number, to: number): Float64Array {
    const levels = new Float64Array((to - from) * 24 + 1);
    for (let day = from; day < to; day += 1) this.fillDay(day, levels, (day - from) * 24);
    return levels;
  }

  /** Level at a full hour, counted from the epoch. */
  atHour(hour: number): number {
    const day = floor(hour / 24);
    return this.#day(day)[hour - day * 24]!;
  }

  /** Levels at the minutes 0 ... 60 of an hour. */
  minutesOf(hour: number): Float64Array {
    return this.#hours.get(hour, () => {
      const sd = this.volatility(floor(hour / 24)) / sqrt(24 * 60);
      return bridge(this.atHour(hour), this.atHour(hour + 1), sd, this.#keys.minute, hour * 60);
    });
  }

  /** Level at an instant, UTC ms, to the second. */
  at(instant: number): number {
    const second = floor((instant - EPOCH_MS) / 1000);
    const minute = floor(second / 60);
    const hour = floor(minute / 60);
    const block = this.#minutes.get(minute, () => {
      const around = this.minutesOf(hour);
      const sd = this.volatility(floor(hour / 24)) / sqrt(24 * 3600);
      const m = minute - hour * 60;
      return bridge(around[m]!, around[m + 1]!, sd, this.#keys.second, minute * 60);
    });
    return block[second - minute * 60]!;
  }

  #day(day: number): Float64Array {
    return this.#days.get(day, () => this.hours(day, day + 1));
  }

  #extendTo(day: number): void {
    if (day < this.#jumps.length) return;
    const known = this.#jumps.length;
    // Room for a year ahead: a server that runs for long extends once a year, not once a day.
    const length = day + 366;
    const levels = new Float64Array(length + 1);
    const jumps = new Float64Array(length);
    const regimes = new Float64Array(length);
    levels.set(this.#levels);
    jumps.set(this.#jumps);
    regimes.set(this.#regimes);
    const { dayVolatility, halfLifeDays, jumpChance, jumpSize } = this.#shape;
    const keep = 2 ** (-1 / halfLifeDays);
    for (let d = known; d < length; d += 1) {
      regimes[d] = exp(0.35 * wave(this.#keys.regime, d / 18) - 0.06);
      jumps[d] = uniform(this.#keys.jump, d) < jumpChance ? jumpSize * normal(this.#keys.jump, d + 0x400000) : 0;
      levels[d + 1] = levels[d]! * keep + dayVolatility * regimes[d]! * fatTailed(this.#keys.day, d) + jumps[d]!;
    }
    this.#levels = levels;
    this.#jumps = jumps;
    this.#regimes = regimes;
  }
}

/** 61 points from `start` to `end` with noise of `sd` a step, the noise pinned to 0 at both ends. */
function bridge(start: number, end: number, sd: number, key: number, first: number): Float64Array {
  const points = new Float64Array(61);
  let walk = 0;
  for (let i = 1; i <= 60; i += 1) {
    walk += sd * normal(key, first + i);
    points[i] = walk;
  }
  const slope = (end - start - walk) / 60;
  for (let i = 1; i < 60; i += 1) points[i] = start + points[i]! + slope * i;
  points[0] = start;
  points[60] = end;
  return points;
}
