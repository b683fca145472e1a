import type { BookLevel } from '#server/market/exchange';
import type { Connection } from '../dialect';
import type { BookChange, BookState, Books } from './books';

/** One stream while somebody listens to it: what it has to say each time it is due. */
export interface Feed {
  everyMs: number;
  next(): unknown[] | Promise<unknown[]>;
  end?(): void;
}

/** What one connection listens to, by names of its own. */
export class Subscriptions {
  readonly #connection: Connection;
  readonly #running = new Map<string, { feed: Feed; dueAt: number }>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onClose(() => [...this.#running.keys()].forEach((name) => void this.drop(name)));
  }

  /** Who subscribes again to what is there already hears no more for it, nor from the beginning. */
  add(name: string, make: () => Feed): void {
    if (!this.#running.has(name)) this.#running.set(name, { feed: make(), dueAt: 0 });
  }

  drop(name: string): void {
    this.#running.get(name)?.feed.end?.();
    this.#running.delete(name);
  }

  tick(now: number): void {
    for (const running of this.#running.values()) {
      if (now < running.dueAt) continue;
      running.dueAt = now + running.feed.everyMs;
      this.#tell(running.feed);
    }
  }

  /** What is known at once is said at once: thousands of promises each moment are the most of what a stand-in does. */
  #tell(feed: Feed): void {
    const events = feed.next();
    if (events instanceof Promise) void events.then((later) => this.#send(later));
    else this.#send(events);
  }

  #send(events: readonly unknown[]): void {
    for (const event of events) this.#connection.send(event);
  }
}

/** What is said of something, unless it is what was said before; figures that only tell when are no news. */
export function newsFeed(everyMs: number, say: () => object | null, ...when: readonly string[]): Feed {
  const times = new RegExp(`"(?:${when.join('|')})":(?:"[^"]*"|[^,}]*)`, 'g');
  let said = '';
  return {
    everyMs,
    next() {
      const news = say();
      if (news === null) return [];
      const text = JSON.stringify(news);
      const lasting = text.replace(times, '');
      if (lasting === said) return [];
      said = lasting;
      return [text];
    },
  };
}

/** How a dialect tells of a book. */
export interface BookWords {
  whole?(state: BookState): unknown;
  /** What stands there now, those of a stretch as one: from the first change to the last. */
  changes(first: BookChange, last: BookChange, bids: BookLevel[], asks: BookLevel[]): unknown;
}

/** A book: whole at first where the dialect tells it so, then what changes. */
export function bookFeed(books: Books, symbol: string, everyMs: number, words: BookWords): Feed {
  let since: BookChange[] = [];
  let isTold = words.whole === undefined;
  books.at(symbol);
  const end = books.follow(symbol, (change) => since.push(change));
  const newest = (levels: BookLevel[]) => [...new Map(levels.map((level) => [level.ticks, level])).values()];
  return {
    everyMs,
    end,
    next() {
      if (!isTold) {
        const state = books.at(symbol);
        if (!state) return [];
        isTold = true;
        since = [];
        return [words.whole!(state)];
      }
      const [first, last] = [since[0], since.at(-1)];
      if (!first || !last) return [];
      const [bids, asks] = [newest(since.flatMap((one) => one.bids)), newest(since.flatMap((one) => one.asks))];
      since = [];
      return [words.changes(first, last, bids, asks)];
    },
  };
}
