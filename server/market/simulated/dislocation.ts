import { DAY_MS, HOUR_MS, SECOND_MS } from '#contract/duration';
import type { InstrumentKind } from '../exchange';
import type { Coin } from './coin';
import type { Tier } from './coins';
import { bits, normal, streamKey, uniform } from './noise';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, max, min } = Math;

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
export interface Dislocation {
  source: string;
  kind: InstrumentKind;
  from: number;
  until: number;
  peak: number;
}

/** The dislocations of one coin: three to ten a day, one at a time. */
export class Dislocations {
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
