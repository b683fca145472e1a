import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { type InstrumentKind, NOTHING_KNOWN, type RunningHour, type Ticker } from '../exchange';
import { partOf } from './candles';
import { Coin, createSharedFactors } from './coin';
import { CoinDesk } from './coinDesk';
import { COINS, type CoinSpec, NEWCOMERS } from './coins';
import type { Factor } from './factor';
import { SimulatedInstrument, SPOT } from './instrument';
import { type LawNumber, MARKET_LAWS } from './laws';
import { normal, streamKey, uniform } from './noise';
import { type Term, termOfCode, termsAt } from './quarters';
import { EPOCH_MS, hourAt, instantOf } from './time';
import { VENUES, type VenueSpec } from './venues';

const { ceil, floor, max, min } = Math;

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;

/** From when on and until when an instrument is traded; UTC ms, `stoppedAt` excluded. */
interface Traded {
  listedAt: number;
  stoppedAt: number | null;
}

/** What was traded in a stretch: extremes as log prices, of whole hours and of what a running hour has shown so far. */
interface Stretch {
  wholeTop: number;
  wholeBottom: number;
  partTop: number;
  partBottom: number;
  lots: number;
  turnover: number;
}

/** The whole hours `first` up to `end` (excluded): of a day they stay the same for an hour. */
interface WholeHours extends Pick<Stretch, 'wholeTop' | 'wholeBottom' | 'lots' | 'turnover'> {
  first: number;
  end: number;
}

const NO_HOURS: WholeHours = {
  ...{ first: 0, end: 0, wholeTop: NEGATIVE_INFINITY, wholeBottom: POSITIVE_INFINITY },
  ...{ lots: 0, turnover: 0 },
};

/** Answers how one instrument stood at any instant after its listing. */
class TickerSource {
  readonly #instrument: SimulatedInstrument;
  readonly #markKey: number;
  /** The newest answer: within a second several ask. */
  #told: { listedAt: number; ticker: Ticker } | undefined;
  #whole: WholeHours | undefined;

  constructor(instrument: SimulatedInstrument) {
    this.#instrument = instrument;
    const { coin } = instrument.desk;
    this.#markKey = streamKey(coin.seed, `${instrument.venue.source} ${instrument.symbol}/mark`);
  }

  at(asked: number, { listedAt, stoppedAt }: Traded): Ticker {
    if (stoppedAt !== null && asked >= stoppedAt) {
      const { symbol } = this.#instrument;
      return { symbol, at: stoppedAt, price: this.#instrument.priceAt(stoppedAt), ...NOTHING_KNOWN };
    }
    const at = floor(asked / SECOND_MS) * SECOND_MS;
    if (this.#told?.ticker.at === at && this.#told.listedAt === listedAt) return this.#told.ticker;
    const ticker = this.#tickerAt(at, listedAt);
    this.#told = { listedAt, ticker };
    return ticker;
  }

  #tickerAt(at: number, listedAt: number): Ticker {
    const { desk, symbol } = this.#instrument;
    const { coin } = desk;
    const dayAgo = at - DAY_MS;
    const price = this.#instrument.priceAt(at);
    const from = max(dayAgo, listedAt);
    const first = this.#instrument.priceAt(from);
    const day = this.#stretch(from, at);
    return {
      symbol,
      at,
      price,
      mark: coin.round(price * (1 + 0.00004 * normal(this.#markKey, floor(at / MINUTE_MS)))),
      index: coin.priceOf(desk.indexLevelAt(at)),
      change24h: dayAgo >= listedAt ? price / first - 1 : null,
      high24h: this.#highest(day, max(price, first)),
      low24h: this.#lowest(day, min(price, first)),
      volume24h: day.lots / coin.lotUnits,
      turnover24h: day.turnover,
      ...this.#fundingAt(at),
      ...this.#crowdAt(at, dayAgo >= listedAt),
    };
  }

  /** What was traded since the full hour before `asked`; `null` right at it, and once the instrument has stopped. */
  runningHour(asked: number, { stoppedAt }: Traded): RunningHour | null {
    const at = floor(asked / SECOND_MS) * SECOND_MS;
    const time = instantOf(hourAt(at));
    if (at === time || (stoppedAt !== null && asked >= stoppedAt)) return null;
    const [open, close] = [this.#instrument.priceAt(time), this.#instrument.priceAt(at)];
    const part = this.#stretch(time, at);
    const [high, low] = [this.#highest(part, max(open, close)), this.#lowest(part, min(open, close))];
    return {
      time,
      at,
      open,
      high,
      low,
      close,
      volume: part.lots / this.#instrument.desk.coin.lotUnits,
      turnover: part.turnover,
    };
  }

  /** Everything traded between two instants. */
  #stretch(from: number, until: number): Stretch {
    const first = ceil((from - EPOCH_MS) / HOUR_MS);
    const end = hourAt(until);
    // Of a running hour nobody knows the extremes yet: only what its minutes have shown counts.
    if (first > end) return this.#parts(NO_HOURS, [[from, until]]);
    return this.#parts(this.#wholeHours(first, end), [
      [from, instantOf(first)],
      [instantOf(end), until],
    ]);
  }

  #wholeHours(first: number, end: number): WholeHours {
    if (this.#whole?.first === first && this.#whole.end === end) return this.#whole;
    if (first === end) return NO_HOURS;
    const instrument = this.#instrument;
    const { hours } = instrument.desk;
    const { share } = instrument.shape;
    const sum = { ...NO_HOURS, first, end };
    let own = instrument.hourAt(first);
    for (let hour = first; hour < end; hour += 1) {
      const next = instrument.hourAt(hour + 1);
      const row = hours.get(hour);
      sum.wholeTop = max(sum.wholeTop, row.top + max(own.offset, next.offset) + own.up);
      sum.wholeBottom = min(sum.wholeBottom, row.bottom + min(own.offset, next.offset) + own.down);
      sum.lots += partOf(row.lots, share);
      sum.turnover += partOf(row.turnover, share);
      own = next;
    }
    this.#whole = sum;
    return sum;
  }

  /** Whole hours with parts of the hours around them. */
  #parts({ wholeTop, wholeBottom, lots, turnover }: WholeHours, parts: [from: number, until: number][]): Stretch {
    const instrument = this.#instrument;
    const { hours } = instrument.desk;
    const { share } = instrument.shape;
    const sum = { wholeTop, wholeBottom, partTop: NEGATIVE_INFINITY, partBottom: POSITIVE_INFINITY, lots, turnover };
    for (const [start, end] of parts) {
      if (end <= start) continue;
      const row = hours.get(hourAt(start));
      const shown = hours.shown(start, end);
      const there = instrument.offsetAt(end);
      sum.partTop = max(sum.partTop, shown.top + there);
      sum.partBottom = min(sum.partBottom, shown.bottom + there);
      const part = (share * (end - start)) / HOUR_MS;
      sum.lots += floor(row.lots * part);
      sum.turnover += floor(row.turnover * part);
    }
    return sum;
  }

  #highest({ wholeTop, partTop }: Stretch, price: number): number {
    const { desk, shape } = this.#instrument;
    const whole = wholeTop === NEGATIVE_INFINITY ? price : desk.coin.priceAbove(wholeTop + shape.pad);
    return max(price, whole, partTop === NEGATIVE_INFINITY ? price : desk.coin.priceOf(partTop));
  }

  #lowest({ wholeBottom, partBottom }: Stretch, price: number): number {
    const { desk, shape } = this.#instrument;
    const whole = wholeBottom === POSITIVE_INFINITY ? price : desk.coin.priceBelow(wholeBottom - shape.pad);
    return min(price, whole, partBottom === POSITIVE_INFINITY ? price : desk.coin.priceOf(partBottom));
  }

  #fundingAt(at: number) {
    const { funding } = this.#instrument;
    if (funding === null) return { fundingRate: null, settledFundingRate: null, nextFundingAt: null };
    const nextFundingAt = funding.nextAfter(at);
    const settledAt = nextFundingAt - funding.hours * HOUR_MS;
    return {
      fundingRate: funding.rate(nextFundingAt, at),
      settledFundingRate: funding.rate(settledAt, settledAt),
      nextFundingAt,
    };
  }

  #crowdAt(at: number, wasListed: boolean) {
    const { desk, kind, shape } = this.#instrument;
    if (kind === 'spot') return { openInterest: null, openInterestChange24h: null, longShortRatio: null };
    const interest = desk.crowd.openInterest(at);
    return {
      openInterest: partOf(interest, shape.share),
      openInterestChange24h: wasListed ? interest / desk.crowd.openInterest(at - DAY_MS) - 1 : null,
      longShortRatio: desk.crowd.longShortRatio(at),
    };
  }
}

/** A coin as it is listed at some instant. Both instants UTC ms at 00:00; `stoppedAt` is excluded from trading. */
interface Listing {
  spec: CoinSpec;
  listedAt: number;
  stoppedAt: number | null;
}

const NEWCOMERS_LISTED = 8;
const NEWCOMER_EVERY_MS = 25 * DAY_MS;
const NEWCOMER_TRADED_MS = 170 * DAY_MS;

/**
 * All coins listed at `instant`. The list moves on by itself, so that whenever the product is started
 * there are coins younger than 31 and than 60 days, and one that stopped trading.
 */
function listingsAt(instant: number): Listing[] {
  // A coin appears once its first day has closed: before that there is nothing to show of it.
  const listedBefore = instant - DAY_MS;
  const lasting = COINS.map((spec) => ({ spec, listedAt: spec.listedAt ?? EPOCH_MS, stoppedAt: null })).filter(
    ({ listedAt }) => listedAt <= listedBefore,
  );
  const newest = Math.floor((listedBefore - EPOCH_MS) / NEWCOMER_EVERY_MS);
  const newcomers: Listing[] = [];
  for (let turn = Math.max(0, newest - NEWCOMERS_LISTED + 1); turn <= newest; turn += 1) {
    const listedAt = EPOCH_MS + turn * NEWCOMER_EVERY_MS;
    newcomers.push({
      spec: NEWCOMERS[turn % NEWCOMERS.length]!,
      listedAt,
      stoppedAt: instant >= listedAt + NEWCOMER_TRADED_MS ? listedAt + NEWCOMER_TRADED_MS : null,
    });
  }
  return [...lasting, ...newcomers];
}

const WITH_FUTURES = 10;
const LARGEST: ReadonlySet<CoinSpec> = new Set(
  [...COINS].sort((a, b) => b.turnoverMillions - a.turnoverMillions).slice(0, WITH_FUTURES),
);

/** An instrument as it is listed at some instant. */
export interface Listed extends Traded {
  instrument: SimulatedInstrument;
  ticker: TickerSource;
}

/** Hours of a factor over the days `from` to `to`, numbers since the epoch. */
interface KeptHours {
  from: number;
  to: number;
  levels: Float64Array;
}

/** The one process behind all simulated venues: every coin has one fair price, and each venue quotes around it. */
export class World {
  readonly seed: number;
  readonly #shared: ReturnType<typeof createSharedFactors>;
  readonly #desks = new Map<CoinSpec, CoinDesk>();
  readonly #instruments = new Map<string, { instrument: SimulatedInstrument; ticker: TickerSource }>();
  readonly #isListed = new Map<string, boolean>();
  readonly #hours = new Map<Factor, KeptHours>();

  constructor(seed: number, law: LawNumber) {
    this.seed = seed;
    this.#shared = createSharedFactors(seed, MARKET_LAWS[law]);
  }

  /** Everything that a venue lists in the hour of an instant. */
  listedAt(venue: VenueSpec, instant: number): Listed[] {
    const hour = instantOf(hourAt(instant));
    return listingsAt(hour)
      .filter(({ spec }) => this.#lists(venue, spec))
      .flatMap((listing) => [
        this.#listed(venue, listing, 'perpetual'),
        this.#listed(venue, listing, 'spot'),
        ...(LARGEST.has(listing.spec) ? termsAt(hour).map((term) => this.#listed(venue, listing, 'future', term)) : []),
      ]);
  }

  /** One instrument as it is listed at an instant, or a future that was delivered before; `undefined` for any other name. */
  find(venue: VenueSpec, symbol: string, instant: number): Listed | undefined {
    const [perpetual, code] = symbol.split('_');
    const term = code === undefined || code === SPOT ? undefined : termOfCode(code);
    const listing = listingsAt(min(instant, term?.expiresAt ?? instant)).find(
      ({ spec }) => `${spec.base}USDT` === perpetual,
    );
    if (!listing || !this.#lists(venue, listing.spec)) return undefined;
    if (code === undefined) return this.#listed(venue, listing, 'perpetual');
    if (code === SPOT) return this.#listed(venue, listing, 'spot');
    if (!term || !LARGEST.has(listing.spec) || instant < term.listedAt) return undefined;
    const stoppedAt = instant >= term.expiresAt ? term.expiresAt : listing.stoppedAt;
    return this.#listed(venue, { ...listing, stoppedAt }, 'future', term);
  }

  /** Hours of a factor that many coins share, computed once for the longest window; `null` for a coin's own factor. */
  sharedHours(factor: Factor, fromDay: number, toDay: number): Float64Array | null {
    const { market, sectors, leaders } = this.#shared;
    const isShared = factor === market || [...sectors.values(), ...leaders.values()].includes(factor);
    if (!isShared) return null;
    let kept = this.#hours.get(factor);
    if (kept === undefined || kept.from > fromDay || kept.to < toDay) {
      kept = { from: fromDay, to: toDay, levels: factor.hours(fromDay, toDay) };
      this.#hours.set(factor, kept);
    }
    return kept.levels.subarray((fromDay - kept.from) * 24, (toDay - kept.from) * 24 + 1);
  }

  #listed(venue: VenueSpec, { spec, listedAt, stoppedAt }: Listing, kind: InstrumentKind, term?: Term): Listed {
    const key = `${venue.source} ${spec.base} ${kind} ${term?.expiresAt ?? ''}`;
    let known = this.#instruments.get(key);
    if (known === undefined) {
      const instrument = new SimulatedInstrument(this.#deskOf(spec), venue, kind, term);
      known = { instrument, ticker: new TickerSource(instrument) };
      this.#instruments.set(key, known);
    }
    return { ...known, listedAt: Math.max(listedAt, term?.listedAt ?? listedAt), stoppedAt };
  }

  #deskOf(spec: CoinSpec): CoinDesk {
    let desk = this.#desks.get(spec);
    if (desk === undefined) {
      const venues = VENUES.filter((venue) => this.#lists(venue, spec));
      desk = new CoinDesk(new Coin(this.seed, spec, this.#shared), venues, LARGEST.has(spec));
      this.#desks.set(spec, desk);
    }
    return desk;
  }

  #lists(venue: VenueSpec, spec: CoinSpec): boolean {
    const key = `${venue.source} ${spec.base}`;
    let lists = this.#isListed.get(key);
    if (lists === undefined) {
      lists = LARGEST.has(spec) || uniform(streamKey(this.seed, `${key}/listed`), 0) < venue.listedShare;
      this.#isListed.set(key, lists);
    }
    return lists;
  }
}
