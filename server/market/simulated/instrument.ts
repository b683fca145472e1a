import Big from 'big.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { InstrumentKind, OrderBook } from '../exchange';
import { Autoregression } from './autoregression';
import { Basis } from './basis';
import type { CandleShape } from './candles';
import { fundingHoursOf } from './coin';
import type { CoinDesk } from './coinDesk';
import type { Tier } from './coins';
import { Funding } from './funding';
import { type Best, bestAround, ladder } from './ladder';
import { streamKey, uniform } from './noise';
import { Premium } from './premium';
import { codeOf, type Term } from './quarters';
import { hourAt, instantOf } from './time';
import type { VenueSpec } from './venues';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, exp, floor, max, min, sqrt } = Math;

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
