import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { InstrumentKind } from '../exchange';
import { emptyHour, fillHour, type HourRow } from './candles';
import type { Coin } from './coin';
import type { Tier } from './coins';
import { bits, normal, streamKey, uniform, wave } from './noise';
import { Premium } from './premium';
import { EPOCH_MS, hourAt, instantOf } from './time';
import type { VenueSpec } from './venues';

const { ceil, exp, floor, max, min, round, sqrt } = Math;

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const HOURS_KEPT = 64;
/** A day begins and ends within an hour: two of them are asked for by every instrument of the coin. */
const PARTS_KEPT = 2;

/** What the minutes `first` to `last` of an hour have shown. */
interface Shown {
  hour: number;
  first: number;
  last: number;
  top: number;
  bottom: number;
}

/** Hours of one coin as candles are made of them; the newest ones are kept, everything that is quoted lies within them. */
class Hours {
  readonly #coin: Coin;
  readonly #known = new Map<number, Readonly<HourRow>>();
  #shown: readonly Shown[] = [];
  constructor(coin: Coin) {
    this.#coin = coin;
  }

  get(hour: number): Readonly<HourRow> {
    const known = this.#known.get(hour);
    if (known) return known;
    if (this.#known.size >= HOURS_KEPT) this.#known.clear();
    const row = this.#make(hour);
    this.#known.set(hour, row);
    return row;
  }

  /**
   * Log price to the second, inside the candle of its hour.
   * @param strays how far the quote of a venue stands from it
   */
  levelAt(instant: number, strays = 0): number {
    const level = this.#coin.levelAt(instant) + strays;
    if (instant % HOUR_MS === 0 && strays === 0) return level;
    const { top, bottom } = this.get(hourAt(instant));
    // Extremes are drawn without the seconds in between: what would go beyond one turns back there.
    const below = level > top ? 2 * top - level : level;
    return below < bottom ? min(top, 2 * bottom - below) : below;
  }

  /** Extremes, as log prices, of what the full minutes between two instants of one hour have shown; none without a full minute. */
  shown(from: number, until: number): { top: number; bottom: number } {
    const hour = hourAt(from);
    const start = instantOf(hour);
    const [first, last] = [ceil((from - start) / MINUTE_MS), floor((until - start) / MINUTE_MS)];
    const known = this.#shown.find((one) => one.hour === hour && one.first === first && one.last === last);
    if (known) return known;
    const row = this.get(hour);
    const levels = this.#coin.minutesOf(hour).subarray(first, last + 1);
    const top = min(
      row.top,
      levels.reduce((highest, level) => max(highest, level), Number.NEGATIVE_INFINITY),
    );
    const bottom = max(
      row.bottom,
      levels.reduce((lowest, level) => min(lowest, level), Number.POSITIVE_INFINITY),
    );
    const shown = { hour, first, last, top, bottom };
    this.#shown = [shown, ...this.#shown.slice(0, PARTS_KEPT - 1)];
    return shown;
  }

  #make(hour: number): HourRow {
    const coin = this.#coin;
    const row = emptyHour();
    const day = floor(hour / 24);
    const sd = coin.dayVolatility(day) / sqrt(24);
    fillHour(row, coin, hour, coin.levelAtHour(hour), coin.levelAtHour(hour + 1), sd, coin.hourTurnover(day));
    return row;
  }
}

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const FEWEST = 3;
const MOST = 10;
/** Median of the peak, a fraction, and the standard deviation of its logarithm: some in ten are worth the costs of two venues. */
const PEAK: Record<Tier, { median: number; spread: number }> = {
  major: { median: 0.0008, spread: 0.72 },
  middle: { median: 0.0015, spread: 0.38 },
  small: { median: 0.003, spread: 0.2 },
};
/** Median of the life and the standard deviation of its logarithm: one in twenty lives longer than a minute. */
const LIFE_MS = 6 * SECOND_MS;
const LIFE_SPREAD = 1.4;
const LIFE_RANGE_MS = [1.5 * SECOND_MS, 300 * SECOND_MS] as const;
/** Parts of its life in which it opens and in which it stands at its peak. */
const OPENS = 0.15;
const STANDS = 0.35;

/** Most are of spot, where coins have to be moved to even them out. */
const SPOT_SHARE = 0.75;
const FUTURE_FROM = 0.92;

const DAYS_KEPT = 4;

/** A stretch in which the prices of one kind of instrument of a coin stand apart at one venue. UTC ms; `peak` signed, a fraction. */
interface Dislocation {
  source: string;
  kind: InstrumentKind;
  from: number;
  until: number;
  peak: number;
}

/** The dislocations of one coin: three to ten a day, one at a time. */
class Dislocations {
  readonly #tier: Tier;
  readonly #key: number;
  readonly #sources: readonly string[];
  readonly #hasFutures: boolean;
  readonly #days = new Map<number, readonly Dislocation[]>();

  /** @param sources the venues that list the coin */
  constructor(coin: Coin, sources: readonly string[], hasFutures: boolean) {
    this.#tier = coin.tier;
    this.#sources = sources;
    this.#key = streamKey(coin.seed, `${coin.symbol}/dislocation`);
    this.#hasFutures = hasFutures;
  }

  /** How far the prices of this kind stand apart at this venue, a fraction. */
  at(source: string, kind: InstrumentKind, instant: number): number {
    const events = this.ofDay(instant);
    // Each has its part of the day.
    const event = events[floor(((instant % DAY_MS) / DAY_MS) * events.length)]!;
    if (event.source !== source || event.kind !== kind || instant < event.from || instant >= event.until) return 0;
    const lived = (instant - event.from) / (event.until - event.from);
    if (lived < OPENS) return (event.peak * lived) / OPENS;
    return event.peak * min(1, (1 - lived) / (1 - OPENS - STANDS));
  }

  /** Those that open on the day of an instant, in their order; each ends on that day. */
  ofDay(instant: number): readonly Dislocation[] {
    const day = floor(instant / DAY_MS);
    let events = this.#days.get(day);
    if (events === undefined) {
      const count = FEWEST + (bits(this.#key, day) % (MOST - FEWEST + 1));
      events = Array.from({ length: count }, (_, i) => this.#event(day, i, count));
      if (this.#days.size >= DAYS_KEPT) this.#days.clear();
      this.#days.set(day, events);
    }
    return events;
  }

  /** How far the prices of this kind go apart at this venue within an hour, down and up, fractions. */
  within(source: string, kind: InstrumentKind, from: number): { down: number; up: number } {
    let [down, up] = [0, 0];
    for (const event of this.ofDay(from)) {
      if (event.source !== source || event.kind !== kind || event.from >= from + HOUR_MS || event.until <= from)
        continue;
      down = min(down, event.peak);
      up = max(up, event.peak);
    }
    return { down, up };
  }

  /** The `i`-th of the `count` events of a day: each has its part of the day, and ends in it. */
  #event(day: number, i: number, count: number): Dislocation {
    const n = (day * MOST + i) * 8 + 0x1000000;
    const draw = (k: number) => uniform(this.#key, n + k);
    const { median, spread } = PEAK[this.#tier];
    const [shortest, longest] = LIFE_RANGE_MS;
    const life = max(shortest, min(longest, LIFE_MS * exp(LIFE_SPREAD * normal(this.#key, n))));
    const part = DAY_MS / count;
    const from = floor(day * DAY_MS + i * part + draw(1) * (part - life));
    const kind = this.#kindOf(draw(3));
    // The main venue's perpetual is what the others go by.
    const first = kind === 'perpetual' ? 1 : 0;
    return {
      source: this.#sources[first + floor(draw(2) * (this.#sources.length - first))]!,
      kind,
      from,
      until: from + life,
      peak: (draw(4) < 0.5 ? -1 : 1) * median * exp(spread * normal(this.#key, n + 5)),
    };
  }

  #kindOf(draw: number): InstrumentKind {
    if (draw < SPOT_SHARE || this.#sources.length === 1) return 'spot';
    return this.#hasFutures && draw > FUTURE_FROM ? 'future' : 'perpetual';
  }
}

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
