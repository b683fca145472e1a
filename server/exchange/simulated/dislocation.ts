import { DAY_MS, SECOND_MS } from '#contract/duration';
import type { InstrumentKind } from '../exchange';
import type { Coin, Tier } from './coin';
import { bits, normal, streamKey, uniform } from './noise';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, max, min } = Math;

const FEWEST = 3;
const MOST = 10;
/** Median of the peak, a fraction, and the standard deviation of its logarithm: some in ten are worth the costs of two venues. */
const PEAK: Record<Tier, { median: number; spread: number }> = {
  major: { median: 0.0008, spread: 0.72 },
  middle: { median: 0.0015, spread: 0.42 },
  small: { median: 0.003, spread: 0.3 },
};
/** Median of the life and the standard deviation of its logarithm: one in twenty lives longer than a minute. */
const LIFE_MS = 6 * SECOND_MS;
const LIFE_SPREAD = 1.4;
const LIFE_RANGE_MS = [1.5 * SECOND_MS, 300 * SECOND_MS] as const;
/** Parts of its life in which it opens and in which it stands at its peak. */
const OPENS = 0.15;
const STANDS = 0.35;

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
  #slot: { from: number; until: number; event: Dislocation } | undefined;

  /** @param sources the venues that list the coin */
  constructor(coin: Coin, sources: readonly string[], hasFutures: boolean) {
    this.#tier = coin.tier;
    this.#sources = sources;
    this.#key = streamKey(coin.seed, `${coin.symbol}/dislocation`);
    this.#hasFutures = hasFutures;
  }

  /** How far the prices of this kind stand apart at this venue, a fraction. */
  at(source: string, kind: InstrumentKind, instant: number): number {
    const event = this.#eventAt(instant);
    if (event.source !== source || event.kind !== kind || instant < event.from || instant >= event.until) return 0;
    const lived = (instant - event.from) / (event.until - event.from);
    if (lived < OPENS) return (event.peak * lived) / OPENS;
    return event.peak * min(1, (1 - lived) / (1 - OPENS - STANDS));
  }

  /** Those that open on the day of an instant, in their order. */
  ofDay(instant: number): Dislocation[] {
    const day = floor(instant / DAY_MS);
    const count = this.#countOf(day);
    return Array.from({ length: count }, (_, i) => this.#event(day, i, count));
  }

  #eventAt(instant: number): Dislocation {
    if (this.#slot && instant >= this.#slot.from && instant < this.#slot.until) return this.#slot.event;
    const day = floor(instant / DAY_MS);
    const count = this.#countOf(day);
    const i = floor(((instant - day * DAY_MS) / DAY_MS) * count);
    const from = day * DAY_MS + (i * DAY_MS) / count;
    this.#slot = { from, until: from + DAY_MS / count, event: this.#event(day, i, count) };
    return this.#slot.event;
  }

  #countOf(day: number): number {
    return FEWEST + (bits(this.#key, day) % (MOST - FEWEST + 1));
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
    return {
      source: this.#sources[floor(draw(2) * this.#sources.length)]!,
      kind: this.#kindOf(draw(3)),
      from,
      until: from + life,
      peak: (draw(4) < 0.5 ? -1 : 1) * median * exp(spread * normal(this.#key, n + 5)),
    };
  }

  #kindOf(draw: number): InstrumentKind {
    if (this.#hasFutures && draw > 0.8) return 'future';
    return draw < 0.45 ? 'spot' : 'perpetual';
  }
}
