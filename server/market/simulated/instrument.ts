import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { BookLevel, FundingHistory, InstrumentKind, OrderBook } from '../exchange';
import type { CandleShape } from './candles';
import { type Coin, fundingHoursOf } from './coin';
import type { CoinDesk } from './coinDesk';
import type { Tier } from './coins';
import { Autoregression, streamKey, uniform } from './noise';
import { Premium } from './premium';
import { codeOf, type Term } from './quarters';
import { EPOCH_MS, hourAt, instantOf } from './time';
import type { VenueSpec } from './venues';

const { abs, ceil, exp, floor, log1p, max, min, round, sign, sqrt, tanh } = Math;

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const LEVELS = 24;
/** The last level lies so far from the first; the levels are the closer the nearer they are to the middle. */
const REACH = 0.05;
const DISTANCE = Float64Array.from({ length: LEVELS }, (_, i) => REACH * (i / (LEVELS - 1)) ** 2.2);
/** Size of a level, times that of the first. */
const SIZE = Float64Array.from({ length: LEVELS }, (_, i) => 1 + 0.6 * i);
/** Hides the last bits of a product, so that what lies on a step stays there. */
const GRAIN = 1e-9;

/** In price steps. */
interface Best {
  bid: number;
  ask: number;
}

/** @param halfSpread a fraction of the middle. @param priceUnits steps a USDT */
function bestAround(middle: number, halfSpread: number, priceUnits: number): Best {
  const bid = max(1, floor(middle * (1 - halfSpread) * priceUnits + GRAIN));
  return { bid, ask: max(bid + 1, ceil(middle * (1 + halfSpread) * priceUnits - GRAIN)) };
}

interface Sizes {
  /** USDT at the best price. */
  bidSize: number;
  askSize: number;
}

/** Steps a USDT, and a coin. */
interface Steps {
  priceUnits: number;
  lotUnits: number;
}

/** 24 levels a side out to 5 % from the best price. */
function ladder({ bid, ask }: Best, { bidSize, askSize }: Sizes, steps: Steps) {
  return { bids: side(bid, -1, bidSize, steps), asks: side(ask, 1, askSize, steps) };
}

function side(best: number, direction: 1 | -1, size: number, { priceUnits, lotUnits }: Steps): BookLevel[] {
  const levels: BookLevel[] = new Array(LEVELS);
  const lots = (size * lotUnits * priceUnits) / best;
  let ticks = best - direction;
  for (let i = 0; i < LEVELS; i += 1) {
    const next = best + direction * round(DISTANCE[i]! * best);
    ticks = direction === 1 ? max(ticks + 1, next) : min(ticks - 1, next);
    levels[i] = { ticks, lots: max(1, floor(lots * SIZE[i]!)) };
  }
  return direction === 1 ? levels : levels.filter((level) => level.ticks > 0);
}

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
/** The interest part of funding: 0.01 % in 8 h, as the exchanges set it, and how far a premium is taken back towards it. */
const INTEREST_8H = 0.0001;
const TAKEN_BACK = 0.0005;

/** Funding of one perpetual: the mean premium of the interval, taken back towards the interest, within the venue's cap. */
class Funding {
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
class Basis {
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

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const QUOTE_MS = 250;
/** How far the quotes of a venue stray from the fair price, a fraction, and how soon they forget it. */
const STRAYS: Record<Tier, { deviation: number; forgetsMs: number }> = {
  major: { deviation: 0.0001, forgetsMs: 10 * SECOND_MS },
  middle: { deviation: 0.0003, forgetsMs: 20 * SECOND_MS },
  small: { deviation: 0.0008, forgetsMs: 60 * SECOND_MS },
};
const FUTURE_STRAYS = { deviation: 0.0003, forgetsMs: 60 * SECOND_MS };
/** Half-spread of a coin with 100 million USDT of turnover; it narrows with the root of the turnover. */
const HALF_SPREAD = 0.0002;
const HALF_SPREAD_TURNOVER = 100;
const HALF_SPREAD_RANGE = [0.00002, 0.001] as const;
/** Spot is never narrower than this: what stands apart there is seldom worth taking. */
const SPOT_HALF_SPREAD: Record<Tier, number> = { major: 0.00002, middle: 0.0002, small: 0.00125 };
const FUTURE_SPREAD = 3;
/** USDT at the best price, and how it comes and goes. */
const TOUCH: Record<Tier, readonly [from: number, to: number]> = {
  major: [200_000, 500_000],
  middle: [20_000, 80_000],
  small: [1_000, 5_000],
};
const TOUCH_SWING = 0.33;
const TOUCH_FORGETS_MS = 15 * SECOND_MS;
/** Part of the trading in a coin's perpetual. */
const TRADED: Record<InstrumentKind, number> = { perpetual: 1, spot: 0.35, future: 0.04 };
const HOURS_KEPT = 64;
const NOT_APART = { down: 0, up: 0 };

/** Four hours and some: as far as anybody looks at once. */
const MINUTES_KEPT = 300;

/** Best prices at the seconds of a minute, in price steps, with the highest bid and the lowest ask. */
interface QuotedMinute {
  bids: Float64Array;
  asks: Float64Array;
  highest: number;
  lowest: number;
}

/** In log price. */
interface InstrumentHour {
  offset: number;
  down: number;
  up: number;
}

/** One instrument at one venue: where it is quoted around the fair price of its coin. */
export class SimulatedInstrument {
  readonly symbol: string;
  readonly kind: InstrumentKind;
  readonly desk: CoinDesk;
  readonly venue: VenueSpec;
  readonly term: Term | null;
  /** Of a perpetual. */
  readonly funding: Funding | null;
  readonly shape: CandleShape;
  readonly #premium: Premium | null;
  readonly #basis: Basis | null;
  readonly #halfSpread: number;
  readonly #strays: { deviation: number; path: Autoregression };
  readonly #touch: { usual: number; bids: Autoregression; asks: Autoregression };
  readonly #steps: { tickSize: Big; lotSize: Big };
  readonly #hours = new Map<number, InstrumentHour>();
  /** The newest one that was asked for. */
  #quoted: { at: number; book: OrderBook } | undefined;
  readonly #minutes = new Map<number, QuotedMinute>();

  constructor(desk: CoinDesk, venue: VenueSpec, kind: InstrumentKind, term: Term | null = null) {
    const { coin } = desk;
    this.desk = desk;
    this.venue = venue;
    this.kind = kind;
    this.term = term;
    this.symbol = symbolOf(coin.spec.base, kind, term);
    const path = (name: string, forgetsMs: number) =>
      new Autoregression(streamKey(coin.seed, `${venue.source} ${this.symbol}/${name}`), forgetsMs);
    const { deviation, forgetsMs } = kind === 'future' ? FUTURE_STRAYS : STRAYS[coin.tier];
    this.#strays = { deviation, path: path('strays', forgetsMs) };
    const isMain = desk.premium.source === venue.source;
    this.#premium = kind === 'perpetual' && !isMain ? new Premium(coin, venue.source) : null;
    this.#basis = kind === 'future' ? new Basis(coin, venue.source) : null;
    this.funding =
      kind === 'perpetual'
        ? new Funding(coin, this.#premium ?? desk.premium, fundingHoursOf(coin, venue.source))
        : null;
    const { halfSpread, depth, touch } = usualQuote(desk, venue, kind);
    this.#halfSpread = halfSpread;
    this.#touch = { usual: touch, bids: path('bids', TOUCH_FORGETS_MS), asks: path('asks', TOUCH_FORGETS_MS) };
    this.#steps = { tickSize: new Big(1).div(coin.priceUnits), lotSize: new Big(1).div(coin.lotUnits) };
    const isAnchor = isMain && kind === 'perpetual';
    this.shape = {
      offsetAtHour: isAnchor ? null : (hour) => this.#offset(instantOf(hour)),
      apartInHour: isAnchor ? null : (hour) => desk.dislocations.within(venue.source, kind, instantOf(hour)),
      // A quote is rounded away from the middle once.
      pad: 1.01 * this.#halfSpread,
      share: TRADED[kind] * depth,
    };
  }

  /** Log distance of the fair price of this instrument from its coin's. */
  offsetAt(instant: number): number {
    if (this.shape.offsetAtHour === null) return 0;
    return instant % HOUR_MS === 0 ? this.hourAt(hourAt(instant)).offset : this.#offset(instant);
  }

  /** Where an hour begins, and how far its quotes go apart; the newest ones are kept, a ticker asks for a day of them. */
  hourAt(hour: number): InstrumentHour {
    const known = this.#hours.get(hour);
    if (known !== undefined) return known;
    if (this.#hours.size >= HOURS_KEPT) this.#hours.clear();
    const { offsetAtHour, apartInHour } = this.shape;
    const made = { offset: offsetAtHour?.(hour) ?? 0, ...(apartInHour?.(hour) ?? NOT_APART) };
    this.#hours.set(hour, made);
    return made;
  }

  /** The fair price to the tick, inside the candle of its hour. */
  priceAt(instant: number): number {
    return this.desk.coin.priceOf(this.desk.hours.levelAt(instant) + this.offsetAt(instant));
  }

  /** What is quoted at an instant: a new book every quarter of a second, the same one to whoever asks. */
  book(asked: number): OrderBook {
    const at = floor(asked / QUOTE_MS) * QUOTE_MS;
    if (this.#quoted?.at === at) return this.#quoted.book;
    const { coin } = this.desk;
    const { usual, bids, asks } = this.#touch;
    const sizes = { bidSize: usual * swing(bids.at(at)), askSize: usual * swing(asks.at(at)) };
    const book = { ...this.#steps, ...ladder(this.bestAt(at), sizes, coin) };
    this.#quoted = { at, book };
    return book;
  }

  /** The best prices at each second of a minute (number since the epoch of UTC); kept, since every order that rests looks for its own among them. */
  minuteOf(minute: number): QuotedMinute {
    const known = this.#minutes.get(minute);
    if (known !== undefined) return known;
    if (this.#minutes.size >= MINUTES_KEPT) this.#minutes.clear();
    const [bids, asks] = [new Float64Array(60), new Float64Array(60)];
    const quoted = { bids, asks, highest: 0, lowest: Number.POSITIVE_INFINITY };
    for (let second = 0; second < 60; second += 1) {
      const { bid, ask } = this.bestAt(minute * MINUTE_MS + second * SECOND_MS);
      bids[second] = bid;
      asks[second] = ask;
      quoted.highest = max(quoted.highest, bid);
      quoted.lowest = min(quoted.lowest, ask);
    }
    this.#minutes.set(minute, quoted);
    return quoted;
  }

  /** The best prices at an instant that is a multiple of a quarter of a second, in price steps. */
  bestAt(at: number): Best {
    const { coin, hours, dislocations } = this.desk;
    const { deviation, path } = this.#strays;
    const apart = dislocations.at(this.venue.source, this.kind, at);
    const middle = exp(hours.levelAt(at, deviation * path.at(at)) + this.offsetAt(at) + apart);
    return bestAround(middle, this.#halfSpread, coin.priceUnits);
  }

  /** Lowest and highest price, in price steps, that anything quoted in an hour can have. */
  rangeOf(hour: number): { lowest: number; highest: number } {
    const { coin, hours } = this.desk;
    const row = hours.get(hour);
    const [own, next] = [this.hourAt(hour), this.hourAt(hour + 1)];
    const lowest = row.bottom + min(own.offset, next.offset) + own.down - this.shape.pad;
    const highest = row.top + max(own.offset, next.offset) + own.up + this.shape.pad;
    return {
      lowest: floor(coin.priceBelow(lowest) * coin.priceUnits),
      highest: ceil(coin.priceAbove(highest) * coin.priceUnits),
    };
  }

  #offset(instant: number): number {
    const { premium } = this.desk;
    if (this.kind === 'perpetual') return (this.#premium?.at(instant) ?? premium.at(instant)) - premium.at(instant);
    return (this.#basis && this.term ? this.#basis.at(instant, this.term) : 0) - premium.at(instant);
  }
}

/** What is quoted as a rule: half the spread, a fraction; size at the best price, USDT; depth, times that of the main venue. */
function usualQuote({ coin }: CoinDesk, venue: VenueSpec, kind: InstrumentKind) {
  const [leastDepth, mostDepth] = venue.depth;
  const depth = leastDepth + (mostDepth - leastDepth) * uniform(coin.key, 21);
  const [smallest, largest] = TOUCH[kind === 'future' ? 'middle' : coin.tier];
  // The swing stays within the range, whatever the coin's usual size.
  const lowest = smallest * exp(TOUCH_SWING);
  const touch = depth * lowest * (largest / exp(TOUCH_SWING) / lowest) ** uniform(coin.key, 22);
  const [narrowest, widest] = HALF_SPREAD_RANGE;
  const half = HALF_SPREAD * sqrt(HALF_SPREAD_TURNOVER / coin.spec.turnoverMillions);
  const least = kind === 'spot' ? SPOT_HALF_SPREAD[coin.tier] : narrowest;
  const halfSpread = max(least, min(widest, half)) * venue.spread * (kind === 'future' ? FUTURE_SPREAD : 1);
  return { depth, touch, halfSpread };
}

const swing = (z: number): number => exp(max(-TOUCH_SWING, min(TOUCH_SWING, 0.2 * z)));

/** What stands in the name of spot where a future has its day. */
export const SPOT = 'SPOT';

/** Names that never collide in a source and go into a URL as they are: `BTCUSDT`, `BTCUSDT_SPOT`, `BTCUSDT_261225`. */
function symbolOf(base: string, kind: InstrumentKind, term: Term | null): string {
  const perpetual = `${base}USDT`;
  if (kind === 'spot') return `${perpetual}_${SPOT}`;
  return term === null ? perpetual : `${perpetual}_${codeOf(term)}`;
}
