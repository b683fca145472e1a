import { HOUR_MS } from '#contract/duration';
import type { Alerted } from '../base/db/strategies/strategyAlert';
import type { BookWriter } from './bookWriter';
import type { Alert } from './runner';
import { alertKey, type UserBook } from './tradingBook';

/** An alert that comes back so soon after it began is the same one: nobody is told of it again. */
export const QUIET_MS = HOUR_MS;

interface About {
  strategyId: string;
  /** A deal's or a target's id. */
  subject: string;
}

/**
 * Keeps the alerts of deals and targets: each stands while its cause lasts, across restarts too. Delivering them is not
 * known here.
 */
export class Alerting {
  readonly #writer: Pick<BookWriter, 'saveAlerts'>;
  readonly #clock: () => number;
  /** What is not saved yet. */
  readonly #changes = new WeakMap<UserBook, Set<Alerted>>();

  constructor({ writer, clock }: { writer: Pick<BookWriter, 'saveAlerts'>; clock: () => number }) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Takes the alerts of a deal or target as found now; those not found any more end.
   * @param unknown words of those of which nobody can tell now: they stay as they are
   */
  note(book: UserBook, { strategyId, subject }: About, found: readonly Alert[], unknown: readonly string[] = []): void {
    if (found.length === 0 && book.alerts.size === 0) return;
    const now = this.#clock();
    for (const { word, level, title, text } of found) {
      if (unknown.includes(word)) continue;
      const key = alertKey({ subject, word });
      const known = book.alerts.get(key);
      if (known?.endedAt === null) continue;
      const told = { level, title, text, endedAt: null };
      const alert =
        known && now - known.at < QUIET_MS
          ? Object.assign(known, told)
          : { userId: book.userId, strategyId, subject, word, at: now, ...told };
      book.alerts.set(key, alert);
      this.#changesOf(book).add(alert);
    }
    for (const alert of book.alerts.values()) {
      const isOver = !found.some(({ word }) => word === alert.word) && !unknown.includes(alert.word);
      if (alert.subject === subject && isOver) this.#end(book, alert);
    }
  }

  /** Saves the changes; ends alerts of deals and targets that are gone. */
  async flush(book: UserBook): Promise<void> {
    const changes = this.#changesOf(book);
    if (book.alerts.size > 0) {
      const subjects = subjectsOf(book);
      const quiet = this.#clock() - QUIET_MS;
      for (const [key, alert] of book.alerts) {
        const isGone = !subjects.has(alert.subject);
        if (isGone) this.#end(book, alert);
        if (isGone || (alert.endedAt !== null && alert.at <= quiet)) book.alerts.delete(key);
      }
    }
    if (changes.size === 0) return;
    await this.#writer.saveAlerts(book, [...changes]);
    this.#changes.delete(book);
  }

  #changesOf(book: UserBook): Set<Alerted> {
    const found = this.#changes.get(book) ?? new Set();
    this.#changes.set(book, found);
    return found;
  }

  #end(book: UserBook, alert: Alerted): void {
    if (alert.endedAt !== null) return;
    alert.endedAt = this.#clock();
    this.#changesOf(book).add(alert);
  }
}

const subjectsOf = ({ deals, strategies }: UserBook): ReadonlySet<string> =>
  new Set([...deals.keys(), ...[...strategies.values()].flatMap(({ targets }) => targets.map(({ id }) => id))]);
