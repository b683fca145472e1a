import { setTimeout as pause } from 'node:timers/promises';
import Big from 'big.js';
import type { OrderBook as CcxtBook, Exchange } from 'ccxt';
import { MINUTE_MS } from '#contract/duration';
import type { BookLevel, Clock, OrderBook, Touch } from '../exchange';
import type { Adapter } from './adapter';
import type { LiveListing } from './listing';
import type { LiveTimes } from './liveTimes';
import { beforeSilence, Gap, Silence } from './silence';

/** Best prices that stood from one message to the last that told the same, UTC ms. */
interface Stretch {
  from: number;
  until: number;
  touch: Touch;
  /** When the book was lost; absent where another message followed. */
  lostAt?: number;
}

/** The best prices of a book within the last minute. */
class Touches {
  readonly #staleMs: number;
  /** Ascending. */
  #stretches: Stretch[] = [];

  /** @param staleMs a book that has stood still for so long is none */
  constructor(staleMs: number) {
    this.#staleMs = staleMs;
  }

  /** @param at UTC ms */
  add({ bids, asks }: Pick<CcxtBook, 'bids' | 'asks'>, at: number): void {
    const touch = { bids: Number(bids[0]?.[0]), asks: Number(asks[0]?.[0]) };
    if (!(touch.bids > 0 && touch.asks > 0)) return;
    const last = this.#stretches.at(-1);
    const isSame = last?.touch.bids === touch.bids && last.touch.asks === touch.asks;
    if (isSame && last.lostAt === undefined && at - last.until <= this.#staleMs) {
      last.until = at;
      return;
    }
    // A minute at a time: with every message it would be most of the work.
    const first = this.#stretches[0]?.until ?? at;
    if (at - first > 2 * MINUTE_MS) this.#stretches = this.#stretches.filter(({ until }) => at - until <= MINUTE_MS);
    this.#stretches.push({ from: at, until: at, touch });
  }

  /** The book is lost: what it was told last stands no longer. @param at UTC ms */
  end(at: number): void {
    const last = this.#stretches.at(-1);
    if (last) last.lostAt ??= at;
  }

  /** @param at UTC ms */
  at(at: number): Touch | null {
    const found = this.#stretches.findLast(({ from }) => from <= at);
    if (!found || at - found.until > this.#staleMs) return null;
    return at >= (found.lostAt ?? Number.POSITIVE_INFINITY) ? null : found.touch;
  }
}

/** A side, at most. */
const LEVELS = 50;
/** After what a book is not whole; two of them are the library's words for a message that is missing. */
const BREAKS: readonly string[] = [Silence.name, Gap.name, 'ChecksumError', 'InvalidNonce'];
interface Followed {
  listing: LiveListing;
  askedAt: number;
  /** When it last moved, UTC ms by our clock. */
  movedAt: number;
  book: CcxtBook | null;
  /** The same, as it was last asked for. */
  made: OrderBook | null;
  touches: Touches;
  ended: boolean;
  /** Once it is there, or was waited for in vain; and what says so. */
  first: Promise<void>;
  arrived: () => void;
}

interface LiveBooksOptions {
  adapter: Pick<Adapter, 'watchBook' | 'leaveBook'>;
  exchange: Exchange;
  clock: Clock;
  times: LiveTimes;
  signal: AbortSignal;
}

/** Books of what is looked at: followed from the first question on, and dropped when nobody asks any more. */
export class LiveBooks {
  readonly #o: LiveBooksOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(options: LiveBooksOptions) {
    this.#o = options;
  }

  /** How many are followed. */
  get size(): number {
    return this.#followed.size;
  }

  /** null until it is there, and after it has stood still for too long: a gap is not a book. */
  get(listing: LiveListing): OrderBook | null {
    const now = this.#o.clock();
    const followed = this.#followed.get(listing.unified) ?? this.#follow(listing);
    followed.askedAt = now;
    if (followed.book === null || now - followed.movedAt > this.#o.times.stale) return null;
    followed.made ??= bookOf(followed.book, listing);
    return followed.made;
  }

  /** Best prices at an instant of the last minute, while it was followed. */
  touchAt(listing: LiveListing, at: number): Touch | null {
    this.get(listing);
    return this.#followed.get(listing.unified)?.touches.at(at) ?? null;
  }

  /** Follows it, and waits until it is there for the first time, but not for long. */
  async ready(listing: LiveListing): Promise<void> {
    this.get(listing);
    await this.#followed.get(listing.unified)?.first;
  }

  dropIdle(): void {
    const now = this.#o.clock();
    for (const [unified, followed] of this.#followed) {
      if (now - followed.askedAt <= this.#o.times.idle) continue;
      followed.ended = true;
      this.#followed.delete(unified);
      void this.#leave(unified);
    }
  }

  /** Has the stream of a book ended; who follows it again waits for that, or it would end the new one. */
  #leave(unified: string): Promise<void> {
    const { adapter, exchange, times } = this.#o;
    const left = beforeSilence(adapter.leaveBook(exchange, unified), times.silent)
      // Of one that has ended already nothing is answered.
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#leaving.get(unified) === left) this.#leaving.delete(unified);
      });
    this.#leaving.set(unified, left);
    return left;
  }

  #follow(listing: LiveListing): Followed {
    let arrived = () => {};
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    setTimeout(arrived, this.#o.times.firstBook).unref();
    const touches = new Touches(this.#o.times.stale);
    const state = { askedAt: 0, movedAt: 0, book: null, made: null, touches, ended: false };
    const followed: Followed = { listing, ...state, first, arrived };
    this.#followed.set(listing.unified, followed);
    void this.#keep(followed);
    return followed;
  }

  async #keep(followed: Followed): Promise<void> {
    const { adapter, exchange, clock, times, signal } = this.#o;
    const { unified } = followed.listing;
    let wait = times.again;
    await this.#leaving.get(unified);
    while (!followed.ended && !signal.aborted) {
      try {
        followed.book = await beforeSilence(adapter.watchBook(exchange, unified), times.silent);
        followed.made = null;
        followed.movedAt = clock();
        followed.touches.add(followed.book, followed.movedAt);
        followed.arrived();
        wait = times.again;
      } catch (error) {
        // A gap in what it was told, or a connection that was cut: the next one begins with a whole book.
        followed.book = null;
        followed.made = null;
        followed.touches.end(clock());
        // Who subscribes to what it hears already is not told the whole book again.
        if (BREAKS.includes((error as Error).name)) await this.#leave(unified);
        await pause(wait, undefined, { signal }).catch(() => undefined);
        wait = Math.min(wait * 2, times.longest);
      }
    }
  }
}

/** What the library counts in contracts, in lots of the base currency. */
function bookOf({ bids, asks }: CcxtBook, { instrument }: LiveListing): OrderBook | null {
  const { tickSize, lotSize, contractSize } = instrument;
  if (tickSize === null || lotSize === null) return null;
  const [tick, lot] = [Number(tickSize), Number(lotSize) / Number(contractSize)];
  // The library's sides are arrays of its own class: what `map` and the like make of them is one too, with indexes and all.
  const side = (levels: CcxtBook['bids']): BookLevel[] => {
    const made: BookLevel[] = [];
    for (let i = 0; i < levels.length && i < LEVELS; i += 1) {
      const [price, amount] = levels[i]!;
      const level = { ticks: Math.round(Number(price) / tick), lots: Math.round(Number(amount) / lot) };
      if (level.ticks > 0 && level.lots > 0) made.push(level);
    }
    return made;
  };
  const steps = { tickSize: new Big(tickSize), lotSize: new Big(lotSize) };
  return { ...steps, bids: side(bids), asks: side(asks), isReal: true };
}
