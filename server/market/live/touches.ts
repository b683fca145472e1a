import type { OrderBook as CcxtBook } from 'ccxt';
import { MINUTE_MS } from '#contract/duration';
import type { Touch } from '../exchange';

/** Best prices that stood from one message to the last that told the same, UTC ms. */
interface Stretch {
  from: number;
  until: number;
  touch: Touch;
  /** When the book was lost; absent where another message followed. */
  lostAt?: number;
}

/** The best prices of a book within the last minute. */
export class Touches {
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
