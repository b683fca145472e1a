import type { InstrumentKind } from '../exchange';
import { Coin, createSharedFactors } from './coin';
import { CoinDesk } from './coinDesk';
import { COINS, type CoinSpec } from './coins';
import type { Factor } from './factor';
import { SimulatedInstrument, SPOT } from './instrument';
import { type LawNumber, MARKET_LAWS } from './laws';
import { type Listing, listingsAt } from './listing';
import { streamKey, uniform } from './noise';
import { type Term, termOfCode, termsAt } from './quarters';
import { TickerSource, type Traded } from './ticker';
import { hourAt, instantOf } from './time';
import { VENUES, type VenueSpec } from './venues';

const { min } = Math;

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
