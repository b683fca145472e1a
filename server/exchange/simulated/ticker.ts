import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { RunningHour, Ticker } from '../exchange';
import { emptyHour, fillHour } from './candles';
import type { Coin } from './coin';
import { type Funding, momentum } from './funding';
import type { Listing } from './listing';
import { normal, streamKey, uniform, wave } from './noise';
import { EPOCH_MS, hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, exp, floor, max, min, round, sqrt } = Math;

const HOURS_KEPT = 64;

interface Figures {
  high: number;
  low: number;
  lots: number;
  turnover: number;
}

/** Hours of one coin as candles show them; the newest ones are kept, a ticker asks for them every second. */
class Hours {
  readonly #coin: Coin;
  readonly #known = new Map<number, Figures>();
  constructor(coin: Coin) {
    this.#coin = coin;
  }

  get(hour: number): Figures {
    const known = this.#known.get(hour);
    if (known) return known;
    if (this.#known.size >= HOURS_KEPT) this.#known.clear();
    const row = this.#make(hour);
    this.#known.set(hour, row);
    return row;
  }

  /** Price to the second, inside the candle of its hour. */
  priceAt(instant: number): number {
    const price = this.#coin.priceOf(this.#coin.levelAt(instant));
    if (instant % HOUR_MS === 0) return price;
    const row = this.get(hourAt(instant));
    return min(row.high, max(row.low, price));
  }

  #make(hour: number): Figures {
    const coin = this.#coin;
    const row = emptyHour();
    const day = floor(hour / 24);
    const from = coin.levelAtHour(hour);
    const to = coin.levelAtHour(hour + 1);
    const sd = coin.dayVolatility(day) / sqrt(24);
    fillHour(row, coin, hour, from, to, sd, coin.hourTurnover(day));
    const ends = [coin.priceOf(from), coin.priceOf(to)];
    return {
      high: max(coin.priceOf(row.top), ...ends),
      low: min(coin.priceOf(row.bottom), ...ends),
      lots: row.lots,
      turnover: row.turnover,
    };
  }
}

/** Adds the part of an hour between the instants `from` and `to`, both within it or at its ends. */
function addPart(day: Figures, coin: Coin, hours: Hours, hour: number, from: number, to: number): void {
  if (to <= from) return;
  const row = hours.get(hour);
  const share = (to - from) / HOUR_MS;
  day.lots += floor(row.lots * share);
  day.turnover += floor(row.turnover * share);
  if (share === 1) {
    day.high = max(day.high, row.high);
    day.low = min(day.low, row.low);
    return;
  }
  // Of a running hour nobody knows the extremes yet: only what its minutes have shown counts.
  const levels = coin.minutesOf(hour);
  const start = instantOf(hour);
  let top = Number.NEGATIVE_INFINITY;
  let bottom = Number.POSITIVE_INFINITY;
  for (let m = ceil((from - start) / MINUTE_MS); m <= (to - start) / MINUTE_MS; m += 1) {
    top = max(top, levels[m]!);
    bottom = min(bottom, levels[m]!);
  }
  if (top < bottom) return;
  day.high = max(day.high, min(row.high, coin.priceOf(top)));
  day.low = min(day.low, max(row.low, coin.priceOf(bottom)));
}

/** What was traded in the 24 h before `at`, from the listing on; prices of both ends count. */
function lastDay(coin: Coin, hours: Hours, from: number, at: number, price: number): Figures {
  const first = hours.priceAt(from);
  const day = { high: max(price, first), low: min(price, first), lots: 0, turnover: 0 };
  for (let hour = hourAt(from); instantOf(hour) < at; hour += 1) {
    addPart(day, coin, hours, hour, max(from, instantOf(hour)), min(at, instantOf(hour + 1)));
  }
  return day;
}

const NOTHING_KNOWN = {
  mark: null,
  index: null,
  change24h: null,
  high24h: null,
  low24h: null,
  volume24h: null,
  turnover24h: null,
  fundingRate: null,
  nextFundingAt: null,
  openInterest: null,
  openInterestChange24h: null,
  longShortRatio: null,
};

/** Positions of one coin's crowd: open interest and the ratio of long to short accounts. */
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
    return round(usual * exp(0.3 * wave(this.#key, days / 4) + 0.08 * momentum(this.#coin, hourAt(instant))));
  }

  longShortRatio(instant: number): number {
    const days = (instant - EPOCH_MS) / DAY_MS;
    const crowd = 0.2 + 0.22 * wave(this.#key, 1e6 + days / 2) - 0.12 * momentum(this.#coin, hourAt(instant));
    return round(exp(crowd) * 100) / 100;
  }
}

/** Answers how one coin stood at any instant after its listing. */
export class TickerSource {
  readonly #coin: Coin;
  readonly #funding: Funding;
  readonly #crowd: Crowd;
  readonly #hours: Hours;
  readonly #premiumKey: number;

  constructor(coin: Coin, funding: Funding) {
    this.#coin = coin;
    this.#funding = funding;
    this.#crowd = new Crowd(coin);
    this.#hours = new Hours(coin);
    this.#premiumKey = streamKey(coin.seed, `${coin.symbol}/premium`);
  }

  at(asked: number, { listedAt, stoppedAt }: Listing): Ticker {
    const coin = this.#coin;
    if (stoppedAt !== null && asked >= stoppedAt) {
      return { symbol: coin.symbol, at: stoppedAt, price: this.#hours.priceAt(stoppedAt), ...NOTHING_KNOWN };
    }
    const at = floor(asked / 1000) * 1000;
    const dayAgo = at - DAY_MS;
    const price = this.#hours.priceAt(at);
    const day = lastDay(coin, this.#hours, max(dayAgo, listedAt), at, price);
    const wasListed = dayAgo >= listedAt;
    const nextFundingAt = this.#funding.nextAfter(at);
    const fundingRate = this.#funding.rate(nextFundingAt, at);
    const interest = this.#crowd.openInterest(at);
    return {
      symbol: coin.symbol,
      at,
      price,
      ...this.#markAndIndex(price, at, fundingRate),
      change24h: wasListed ? price / this.#hours.priceAt(dayAgo) - 1 : null,
      high24h: day.high,
      low24h: day.low,
      volume24h: day.lots / coin.lotUnits,
      turnover24h: day.turnover,
      fundingRate,
      nextFundingAt,
      openInterest: interest,
      openInterestChange24h: wasListed ? interest / this.#crowd.openInterest(dayAgo) - 1 : null,
      longShortRatio: this.#crowd.longShortRatio(at),
    };
  }

  /** What was traded since the full hour before `asked`; `null` right at it, and once the coin has stopped. */
  runningHour(asked: number, { stoppedAt }: Listing): RunningHour | null {
    const at = floor(asked / 1000) * 1000;
    const hour = hourAt(at);
    const time = instantOf(hour);
    if (at === time || (stoppedAt !== null && asked >= stoppedAt)) return null;
    const [open, close] = [this.#hours.priceAt(time), this.#hours.priceAt(at)];
    const part = { high: max(open, close), low: min(open, close), lots: 0, turnover: 0 };
    addPart(part, this.#coin, this.#hours, hour, time, at);
    const { high, low, lots, turnover } = part;
    return { time, at, open, high, low, close, volume: lots / this.#coin.lotUnits, turnover };
  }

  #markAndIndex(price: number, at: number, rate: number): { mark: number; index: number } {
    const minute = floor(at / MINUTE_MS);
    const premium = ((rate * 8) / this.#coin.fundingHours) * 1.5 + 0.00008 * normal(this.#premiumKey, minute);
    return {
      mark: this.#coin.round(price * (1 + 0.00004 * normal(this.#premiumKey, -minute))),
      index: this.#coin.round(price / (1 + premium)),
    };
  }
}
