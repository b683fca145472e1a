import type { Feed } from '../core/subscriptions';
import type { Connection } from '../dialect';
import type { Part } from './part';
import { feedOf } from './streams';

interface Running {
  feed: Feed;
  listeners: Set<Connection>;
  dueAt: number;
}

interface Request {
  method?: string;
  params?: string[];
  id?: unknown;
}

/** Who listens to which stream of a part. A stream runs while somebody does. */
export class Listeners {
  readonly #part: Part;
  readonly #running = new Map<string, Running>();

  constructor(part: Part) {
    this.#part = part;
  }

  /** @param streams those that the address names */
  add(connection: Connection, streams: readonly string[]): void {
    for (const name of streams) this.#listen(connection, name);
    connection.onMessage((message) => this.#hear(connection, message));
    connection.onClose(() => [...this.#running.keys()].forEach((name) => void this.#leave(connection, name)));
  }

  tick(now: number): void {
    for (const running of this.#running.values()) {
      if (now < running.dueAt) continue;
      running.dueAt = now + running.feed.everyMs;
      void this.#tell(running);
    }
  }

  async #tell({ feed, listeners }: Running): Promise<void> {
    for (const event of await feed.next()) for (const connection of listeners) connection.send(event);
  }

  #hear(connection: Connection, message: string): void {
    connection.send(this.#answer(connection, message));
  }

  #answer(connection: Connection, message: string): object {
    let request: Request;
    try {
      request = JSON.parse(message) as Request;
    } catch {
      return { error: { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' } };
    }
    const { method, params = [], id } = request;
    if (method === 'LIST_SUBSCRIPTIONS') return { result: this.#heardBy(connection), id };
    if (method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE')
      return { error: { code: 2, msg: `Invalid request: unknown variant ${method}` }, id };
    for (const name of params) {
      if (method === 'SUBSCRIBE') this.#listen(connection, name);
      else this.#leave(connection, name);
    }
    return { result: null, id };
  }

  #heardBy(connection: Connection): string[] {
    return [...this.#running].filter(([, { listeners }]) => listeners.has(connection)).map(([name]) => name);
  }

  /** A name that means nothing is taken, as binance does, and stays silent. */
  #listen(connection: Connection, name: string): void {
    const known = this.#running.get(name);
    known?.listeners.add(connection);
    const feed = known ? null : feedOf(this.#part, name);
    if (feed) this.#running.set(name, { feed, listeners: new Set([connection]), dueAt: 0 });
  }

  #leave(connection: Connection, name: string): void {
    const running = this.#running.get(name);
    if (!running?.listeners.delete(connection) || running.listeners.size > 0) return;
    running.feed.end?.();
    this.#running.delete(name);
  }
}
