import { LRUCache } from 'lru-cache';
import { BAR_MS, BARS, type Bar, SIMULATED, SIMULATED_SOURCES, type SimulatedSource } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { type Candles, indexesWithin, sliceCandles, type TimeRange } from '../base/maths/candles';
import {
  type Clock,
  type FundingHistory,
  type Instrument,
  type InstrumentKind,
  type InstrumentTerms,
  type Listing,
  type Market,
  type OrderBook,
  PERPETUALS,
  type RunningHour,
  type Ticker,
  type WalletState,
} from './exchange';
import { buildCandles } from './simulated/candles';
import { COINS, NEWCOMERS, type Tier } from './simulated/coins';
import { Conditions } from './simulated/conditions';
import type { SimulatedInstrument } from './simulated/instrument';
import { type LawNumber, NEWEST_LAW } from './simulated/laws';
import { streamKey, uniform, wave } from './simulated/noise';
import { EPOCH_MS, hourAt, instantOf } from './simulated/time';
import { FEE_TIERS, VENUES, type VenueSpec } from './simulated/venues';
import { type Listed, World } from './simulated/world';

const { exp, floor, max, min, round } = Math;

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
type Side = 'buy' | 'sell';

/**
 * The first full second after `after` and not after `until` in which the best price on the other side comes to `price`: what fills an
 * order that rests there. Hours and minutes that never come near are passed over.
 * @returns UTC ms; `null` where it does not.
 */
function meetingOf(
  instrument: SimulatedInstrument,
  side: Side,
  price: number,
  after: number,
  until: number,
): number | null {
  const ticks = round(price * instrument.desk.coin.priceUnits);
  for (let hour = hourAt(after); instantOf(hour) <= until; hour += 1) {
    const { lowest, highest } = instrument.rangeOf(hour);
    if (side === 'buy' ? lowest > ticks : highest < ticks) continue;
    const first = max(instantOf(hour), (floor(after / SECOND_MS) + 1) * SECOND_MS);
    const met = firstMet(instrument, side, ticks, first, min(until, instantOf(hour + 1) - SECOND_MS));
    if (met !== null) return met;
  }
  return null;
}

/** Between two full seconds, both included. */
function firstMet(
  instrument: SimulatedInstrument,
  side: Side,
  ticks: number,
  first: number,
  last: number,
): number | null {
  for (let at = first; at <= last; ) {
    const isWhole = at % MINUTE_MS === 0 && at + MINUTE_MS - SECOND_MS <= last;
    const second = isWhole ? metInMinute(instrument, side, ticks, at) : isMetAt(instrument, side, ticks, at) ? 0 : -1;
    if (second >= 0) return at + second * SECOND_MS;
    at += isWhole ? MINUTE_MS : SECOND_MS;
  }
  return null;
}

function isMetAt(instrument: SimulatedInstrument, side: Side, ticks: number, at: number): boolean {
  const { bid, ask } = instrument.bestAt(at);
  return side === 'buy' ? ask <= ticks : bid >= ticks;
}

/** The second of it; below zero where there is none. */
function metInMinute(instrument: SimulatedInstrument, side: Side, ticks: number, at: number): number {
  const { bids, asks, highest, lowest } = instrument.minuteOf(at / MINUTE_MS);
  if (side === 'buy') return lowest > ticks ? -1 : asks.findIndex((ask) => ask <= ticks);
  return highest < ticks ? -1 : bids.findIndex((bid) => bid >= ticks);
}

const COLLATERAL: Record<Tier, readonly [from: number, to: number]> = {
  major: [0.9, 0.975],
  middle: [0.7, 0.85],
  small: [0.4, 0.6],
};
/** Interest a year in quiet times; it goes up to about the threefold. */
const BORROW: Record<Tier, readonly [from: number, to: number]> = {
  major: [0.02, 0.05],
  middle: [0.06, 0.15],
  small: [0.12, 0.3],
};
const MOODS_MS = 5 * DAY_MS;

/** Terms of an instrument at an instant, UTC ms. */
function termsOf({ kind, desk, venue, symbol, funding }: SimulatedInstrument, at: number): InstrumentTerms {
  const { coin } = desk;
  const key = streamKey(coin.seed, `${venue.source} ${coin.symbol}/terms`);
  const drawn = ([from, to]: readonly [number, number], n: number) => from + (to - from) * uniform(key, n);
  const { maker, taker } = kind === 'spot' ? venue.spotFee : venue.derivativeFee;
  const crowding = wave(streamKey(coin.seed, `${venue.source} ${symbol}/adl`), at / MOODS_MS);
  return {
    makerFee: maker,
    takerFee: taker,
    deliveryFee: kind === 'future' ? venue.deliveryFee : null,
    fundingCap: funding?.cap ?? null,
    collateralRatio: round(drawn(COLLATERAL[coin.tier], 1) * 1000) / 1000,
    borrowApr: round(drawn(BORROW[coin.tier], 2) * exp(0.4 * wave(key, at / MOODS_MS)) * 1e4) / 1e4,
    adl: kind === 'spot' ? null : max(1, min(5, round(2 + 1.2 * crowding))),
  };
}

const AVERAGED_MS = 30 * MINUTE_MS;

/** Price at which a future is delivered: the mean of the index over the last half hour, each second of it. */
function deliveredAt({ desk }: SimulatedInstrument, expiresAt: number): number {
  let sum = 0;
  for (let at = expiresAt - AVERAGED_MS + SECOND_MS; at <= expiresAt; at += SECOND_MS)
    sum += Math.exp(desk.indexLevelAt(at));
  return desk.coin.round(sum / (AVERAGED_MS / SECOND_MS));
}

/** History offered of each bar, counted back from today's midnight. */
const DAYS_OFFERED: Record<Bar, number> = { '1d': 730, '4h': 90, '1h': 90 };

const LISTS_CHANGE_MS = 8 * HOUR_MS;
/** The part of its life up to which a gap stands at its peak. */
const GAP_STANDS = 0.45;
const LISTS_KEPT = 8;

/** Funding asked for from here on is worked out by itself: who asks for the last days or weeks does not pay for two years. */
const LATELY_MS = 31 * DAY_MS;

const USDT = 'USDT';
const ASSETS: ReadonlySet<string> = new Set([
  USDT,
  ...COINS.map(({ base }) => base),
  ...NEWCOMERS.map(({ base }) => base),
]);

interface Kept<T> {
  stamp: string;
  value: T;
}

/**
 * One venue of the market that needs no exchange: everything in it is a function of seed, instrument and instant, so a
 * restart continues the same history and two servers with one seed agree.
 */
export class SimulatedMarket implements Market {
  readonly source: SimulatedSource;
  readonly kind = 'simulated';
  readonly feeShares = FEE_TIERS.map(({ share }) => share);
  readonly #clock: Clock;
  readonly #world: World;
  readonly #venue: VenueSpec;
  readonly #conditions: Conditions;
  readonly #candles = new Map<string, Kept<Candles>>();
  readonly #funding = new Map<string, Kept<FundingHistory>>();
  readonly #delivered = new Map<string, number>();
  readonly #instruments = new Map<string, Kept<Instrument>>();
  readonly #instrumentLists = new Map<string, Kept<Instrument[]>>();
  readonly #tickers = new Map<string, Kept<Ticker[]>>();
  readonly #lists = new LRUCache<number, Map<string, Listed>>({ max: LISTS_KEPT });

  constructor(world: World, source: SimulatedSource, clock: Clock) {
    this.source = source;
    this.#world = world;
    this.#clock = clock;
    this.#venue = VENUES.find((venue) => venue.source === source)!;
    this.#conditions = new Conditions(world.seed, this.#venue);
  }

  /** The same venue for who lives at another time: what is worked out of the market serves both. */
  seenBy(clock: Clock): SimulatedMarket {
    return new SimulatedMarket(this.#world, this.source, clock);
  }

  version(): string {
    return `${this.source}-${this.#world.seed}-${hourAt(this.#clock())}`;
  }

  async instruments(kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Instrument[]> {
    const now = this.#clock();
    return keep(this.#instrumentLists, kinds.join(), String(hourAt(now)), () =>
      this.#ofKinds(kinds, now).map((listed) => this.#instrument(listed, now)),
    );
  }

  async candles(symbol: string, bar: Bar, range?: TimeRange): Promise<Candles | null> {
    const now = this.#clock();
    const listed = this.#find(symbol, now);
    if (!listed || !BARS.includes(bar)) return null;
    const candles = this.#allCandles(listed, bar, now);
    return sliceCandles(candles, ...indexesWithin(candles.time, range));
  }

  async runningHour(symbol: string): Promise<RunningHour | null> {
    const now = this.#clock();
    const listed = this.#find(symbol, now);
    return listed ? listed.ticker.runningHour(now, listed) : null;
  }

  async funding(symbol: string, range?: TimeRange): Promise<FundingHistory | null> {
    const now = this.#clock();
    const listed = this.#find(symbol, now);
    const funding = listed?.instrument.funding;
    if (!listed || !funding) return null;
    const offered = Math.max(listed.listedAt, startOf('1d', now));
    const end = Math.min(now, listed.stoppedAt ?? now);
    if (range?.start !== undefined && range.start > now - LATELY_MS) {
      const before = Math.max(offered, range.start - 1);
      return within(funding.history(before, Math.min(end, (range.end ?? end + 1) - 1)), range);
    }
    const history = keep(this.#funding, symbol, `${offered} ${hourAt(end)}`, () => funding.history(offered, end));
    return within(history, range);
  }

  async tickers(at = this.#clock(), kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Ticker[]> {
    const instant = this.#heardAt(Math.min(at, this.#clock()));
    return keep(this.#tickers, kinds.join(), String(Math.floor(instant / SECOND_MS)), () =>
      this.#ofKinds(kinds, instant).map((listed) => listed.ticker.at(instant, listed)),
    );
  }

  listed(symbol: string, at = this.#clock()): Listing | null {
    const instant = this.#heardAt(Math.min(at, this.#clock()));
    const listed = this.#find(symbol, instant);
    if (!listed) return null;
    const instrument = keep(this.#instruments, symbol, String(hourAt(instant)), () =>
      this.#instrument(listed, instant),
    );
    return { instrument, ticker: listed.ticker.at(instant, listed) };
  }

  book(symbol: string, at = this.#clock()): OrderBook | null {
    const instant = Math.min(at, this.#clock());
    const listed = this.#find(symbol, instant);
    if (!listed || this.isOut(instant) || (listed.stoppedAt !== null && instant >= listed.stoppedAt)) return null;
    return listed.instrument.book(instant);
  }

  meetsAt(symbol: string, side: 'buy' | 'sell', price: number, after: number, until: number): number | null {
    const now = this.#clock();
    const listed = this.#find(symbol, min(until, now));
    if (!listed) return null;
    const end = min(until, now, (listed.stoppedAt ?? Number.POSITIVE_INFINITY) - 1);
    let met = meetingOf(listed.instrument, side, price, max(after, listed.listedAt), end);
    // Nobody meets anybody while the venue is out.
    for (
      let out = met && this.#conditions.outageAt(met);
      met !== null && out;
      out = met && this.#conditions.outageAt(met)
    ) {
      met = meetingOf(listed.instrument, side, price, out.until - 1, end);
    }
    return met;
  }

  terms(symbol: string, at = this.#clock()): InstrumentTerms | null {
    const listed = this.#find(symbol, at);
    return listed ? termsOf(listed.instrument, at) : null;
  }

  wallet(asset: string, at = this.#clock()): WalletState | null {
    return ASSETS.has(asset) ? this.#conditions.wallet(asset, at) : null;
  }

  isOut(at = this.#clock()): boolean {
    return this.#conditions.outageAt(at) !== null;
  }

  latencyMs(at = this.#clock()): number {
    return this.#conditions.latencyMs(at);
  }

  clockAheadMs(at = this.#clock()): number {
    return this.#conditions.clockAheadMs(at);
  }

  deliveryPrice(symbol: string): number | null {
    const known = this.#delivered.get(symbol);
    if (known !== undefined) return known;
    const listed = this.#find(symbol, this.#clock());
    const term = listed?.instrument.term;
    if (!listed || !term || term.expiresAt > this.#clock()) return null;
    const price = deliveredAt(listed.instrument, term.expiresAt);
    this.#delivered.set(symbol, price);
    return price;
  }

  /** In the middle of each gap. */
  gapsWithin(symbol: string, sources: readonly string[], least: number, from: number, until: number): number[] {
    const listed = this.#find(symbol, from);
    if (!listed) return [];
    const { desk, kind } = listed.instrument;
    const gaps = [...desk.dislocations.ofDay(from), ...desk.dislocations.ofDay(until - 1)];
    const found = gaps.filter(
      (gap) => gap.kind === kind && sources.includes(gap.source) && Math.abs(gap.peak) >= least,
    );
    const middles = found.map((gap) => Math.floor(gap.from + (gap.until - gap.from) * GAP_STANDS));
    return [...new Set(middles)].filter((at) => at > from && at <= until).sort((a, b) => a - b);
  }

  /** A venue that is out says nothing new. */
  #heardAt(instant: number): number {
    return this.#conditions.outageAt(instant)?.from ?? instant;
  }

  #instrument(listed: Listed, now: number): Instrument {
    const { symbol, kind, term, funding, desk } = listed.instrument;
    const { coin } = desk;
    const bars = BARS.filter((bar) => endOf(bar, listed, now) > firstOf(bar, listed, now));
    const coarsest = bars[0];
    return {
      symbol,
      kind,
      base: coin.spec.base,
      quote: USDT,
      settle: USDT,
      contractSize: '1',
      expiresAt: term?.expiresAt ?? null,
      exchange: this.source,
      sector: coin.spec.sector,
      listedAt: coarsest ? firstOf(coarsest, listed, now) : listed.listedAt,
      lastAt: coarsest ? endOf(coarsest, listed, now) - BAR_MS[coarsest] : listed.listedAt,
      bars,
      fundingHours: funding?.hours ?? null,
      tickSize: (1 / coin.priceUnits).toFixed(coin.priceDecimals),
      lotSize: (1 / coin.lotUnits).toFixed(coin.lotDecimals),
      minNotional: coin.tier === 'major' ? '20' : '5',
      maxLeverage: kind === 'spot' ? 1 : leverageOf(coin.spec.turnoverMillions),
    };
  }

  #allCandles(listed: Listed, bar: Bar, now: number): Candles {
    const from = hourAt(firstOf(bar, listed, now));
    const to = Math.max(from, hourAt(endOf(bar, listed, now)));
    const { symbol, shape, desk } = listed.instrument;
    return keep(this.#candles, `${symbol} ${bar}`, `${from} ${to}`, () =>
      buildCandles(desk.coin, bar, from, to, shape, (factor, fromDay, toDay) =>
        this.#world.sharedHours(factor, fromDay, toDay),
      ),
    );
  }

  #ofKinds(kinds: readonly InstrumentKind[], instant: number): Listed[] {
    return [...this.#listedAt(instant).values()].filter(({ instrument }) => kinds.includes(instrument.kind));
  }

  /** What is listed at an instant, or a future that was delivered before. */
  #find(symbol: string, instant: number): Listed | undefined {
    return this.#lists.get(listOf(instant))?.get(symbol) ?? this.#world.find(this.#venue, symbol, instant);
  }

  /** Ascending by symbol. */
  #listedAt(instant: number): Map<string, Listed> {
    const list = listOf(instant);
    let listed = this.#lists.get(list);
    if (listed === undefined) {
      const rows = this.#world.listedAt(this.#venue, instant).map((one) => [one.instrument.symbol, one] as const);
      listed = new Map(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
      this.#lists.set(list, listed);
    }
    return listed;
  }
}

/** Number of the list that holds at an instant: coins come and go at midnight, futures at 08:00 UTC. */
const listOf = (instant: number): number => Math.floor(instant / LISTS_CHANGE_MS);

function within({ time, rate, hours }: FundingHistory, range: TimeRange | undefined): FundingHistory {
  const [from, to] = indexesWithin(time, range);
  return { time: time.subarray(from, to), rate: rate.subarray(from, to), hours: hours.subarray(from, to) };
}

/** Opening instant of the oldest bar offered. */
function startOf(bar: Bar, now: number): number {
  return Math.max(EPOCH_MS, Math.floor(now / DAY_MS) * DAY_MS - DAYS_OFFERED[bar] * DAY_MS);
}

/** Opening instant of the first whole bar of an instrument. */
function firstOf(bar: Bar, { listedAt }: Listed, now: number): number {
  return Math.max(Math.ceil(listedAt / BAR_MS[bar]) * BAR_MS[bar], startOf(bar, now));
}

/** Close of the newest closed bar. */
function endOf(bar: Bar, { stoppedAt }: Listed, now: number): number {
  return Math.floor(Math.min(now, stoppedAt ?? now) / BAR_MS[bar]) * BAR_MS[bar];
}

function leverageOf(turnoverMillions: number): number {
  if (turnoverMillions >= 5_000) return 125;
  if (turnoverMillions >= 400) return 75;
  return turnoverMillions >= 60 ? 50 : 25;
}

/** The value kept under `key` while its stamp is the same, else a new one. */
function keep<K, T>(store: Map<K, Kept<T>>, key: K, stamp: string, make: () => T): T {
  const known = store.get(key);
  if (known?.stamp === stamp) return known.value;
  const value = make();
  store.set(key, { stamp, value });
  return value;
}

interface SimulatedOptions {
  /** Chooses the history; the same seed always gives the same one. */
  seed?: number;
  /** What its prices follow; the newest where none is given. */
  law?: LawNumber;
  clock: Clock;
}

/** The three venues of one simulated world, the main one first. */
export function createSimulatedVenues({ seed = 1, law = NEWEST_LAW, clock }: SimulatedOptions): SimulatedMarket[] {
  const world = new World(seed, law);
  return SIMULATED_SOURCES.map((source) => new SimulatedMarket(world, source, clock));
}

/** The main venue alone. */
export function createSimulatedMarket({ seed = 1, law = NEWEST_LAW, clock }: SimulatedOptions): Market {
  return new SimulatedMarket(new World(seed, law), SIMULATED, clock);
}
