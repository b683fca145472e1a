import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { emptyHour, fillHour, type HourRow } from './candles';
import type { Coin } from './coin';
import { hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, floor, max, min, sqrt } = Math;

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
export class Hours {
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
