import type { Clock } from '../market/exchange';
import type { BookWriter } from './bookWriter';
import { LeaseLost } from './lease';
import type { EngineNotice } from './notice';
import type { UserBook } from './tradingBook';

interface FailureStreaksOptions {
  writer: BookWriter;
  clock: Clock;
  notify: (notice: EngineNotice) => void;
}

/** Looks at one book that have to fail running until people are told, and to succeed until that is over. */
const STREAK = 3;

/**
 * How the looks at each book ended, one after another: a book that fails is read anew for every look, so it cannot keep
 * that itself. That it fails, and later that it does no more, is written where every process reads it.
 */
export class FailureStreaks {
  readonly #o: FailureStreaksOptions;
  /** Above zero: so many have failed running; below: so many were well since people were told. */
  readonly #rows = new Map<string, number>();

  constructor(options: FailureStreaksOptions) {
    this.#o = options;
  }

  /** A look at a book has failed. @param what a class name and a code */
  async failed(book: UserBook, error: unknown, what: string): Promise<void> {
    const { userId, user } = book;
    // It is another process's now, which looks at it itself.
    if (error instanceof LeaseLost) return void this.#rows.delete(userId);
    const streak = Math.max(0, this.#rows.get(userId) ?? 0) + 1;
    this.#rows.set(userId, streak);
    if (streak < STREAK || book.isFailing) return;
    const { writer, clock, notify } = this.#o;
    await writer.noteFailing(book, what, clock());
    const text = `${user} 的账户连续 ${streak} 次处理失败（${what}）：不记账，不开仓也不平仓，止损不执行`;
    notify({ kind: 'alarm', userId, level: 'error', text });
  }

  async succeeded(book: UserBook): Promise<void> {
    const { userId } = book;
    const well = Math.min(0, this.#rows.get(userId) ?? 0) - 1;
    if (book.isFailing) this.#rows.set(userId, well);
    else this.#rows.delete(userId);
    if (!book.isFailing || -well < STREAK) return;
    await this.#o.writer.noteRecovered(book, this.#o.clock());
    this.#rows.delete(userId);
  }
}
