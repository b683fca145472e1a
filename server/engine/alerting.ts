import { HOUR_MS } from '#contract/duration';
import type { NewAlert } from '../base/db/strategies/strategyAlert';
import type { BookWriter } from './bookWriter';
import type { Alert } from './runner';
import { alertKey, type UserBook } from './tradingBook';

/** An alert that comes and goes is raised at most once in this time. */
const QUIET_MS = HOUR_MS;

interface About {
  strategyId: string;
  /** A deal's or a target's id. */
  subject: string;
}

interface Changes {
  raised: NewAlert[];
  ended: { subject: string; word: string }[];
}

/**
 * Keeps the open alerts of deals and targets: each is raised once while it lasts, across restarts too. Delivering them
 * is not known here.
 */
export class Alerting {
  readonly #writer: Pick<BookWriter, 'saveAlerts'>;
  readonly #clock: () => number;
  readonly #changes = new WeakMap<UserBook, Changes>();

  constructor({ writer, clock }: { writer: Pick<BookWriter, 'saveAlerts'>; clock: () => number }) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Takes the alerts of a deal or target as found now; those not found any more end. */
  note(book: UserBook, { strategyId, subject }: About, found: readonly Alert[]): void {
    if (found.length === 0 && book.alerts.size === 0) return;
    const now = this.#clock();
    const changes = this.#changesOf(book);
    for (const alert of found) {
      const { word, level, title, text } = alert;
      if (book.alerts.has(alertKey({ subject, word }))) continue;
      book.alerts.set(alertKey({ subject, word }), { subject, word, at: now });
      changes.raised.push({ userId: book.userId, strategyId, subject, word, level, title, text, at: now });
    }
    for (const openAlert of book.alerts.values()) {
      const isOver = openAlert.subject === subject && !found.some(({ word }) => word === openAlert.word);
      if (isOver && now - openAlert.at >= QUIET_MS) this.#end(book, changes, openAlert);
    }
  }

  /** Saves the changes; ends alerts of deals and targets that are gone. */
  async flush(book: UserBook): Promise<void> {
    const changes = this.#changesOf(book);
    if (book.alerts.size > 0) {
      const subjects = subjectsOf(book);
      for (const openAlert of book.alerts.values()) {
        if (!subjects.has(openAlert.subject)) this.#end(book, changes, openAlert);
      }
    }
    const { raised, ended } = changes;
    if (raised.length === 0 && ended.length === 0) return;
    await this.#writer.saveAlerts(book, raised, ended, this.#clock());
    this.#changes.delete(book);
  }

  #changesOf(book: UserBook): Changes {
    const found = this.#changes.get(book) ?? { raised: [], ended: [] };
    this.#changes.set(book, found);
    return found;
  }

  #end({ alerts }: UserBook, { raised, ended }: Changes, { subject, word }: { subject: string; word: string }): void {
    alerts.delete(alertKey({ subject, word }));
    // One that is not saved yet is saved as ended.
    const unwritten = raised.find((one) => one.subject === subject && one.word === word);
    if (unwritten) unwritten.endedAt = this.#clock();
    else ended.push({ subject, word });
  }
}

const subjectsOf = ({ deals, strategies }: UserBook): ReadonlySet<string> =>
  new Set([...deals.keys(), ...[...strategies.values()].flatMap(({ targets }) => targets.map(({ id }) => id))]);
