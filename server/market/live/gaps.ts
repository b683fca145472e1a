import type { Exchange } from 'ccxt';
import { Gap } from './silence';

/** What a message of a book says of its place in the order. */
interface Place {
  /** What is subscribed to. */
  topic: string;
  symbol: string;
  /** The whole book rather than what has changed. */
  isWhole: boolean;
  /** Numbers of its first and its last change: the one before its first was told. */
  first: number;
  last: number;
}

/** What the library has of a connection. */
interface Connection {
  url: string;
  subscriptions: Record<string, unknown>;
  reject(error: Error, hash: string): void;
}

/**
 * Has whoever waits for a book told of a message that is missing: to some books the library adds whatever comes.
 * @param handler what it hears them by
 */
export function tellGaps<M>(exchange: Exchange, handler: string, placeOf: (message: M, url: string) => Place): void {
  const handlers = exchange as unknown as Record<string, (client: Connection, message: M) => void>;
  const hear = handlers[handler]!;
  const newest = new Map<string, number>();
  handlers[handler] = (client, message) => {
    const { topic, symbol, isWhole, first, last } = placeOf(message, client.url);
    const key = `${client.url} ${topic}`;
    const before = newest.get(key);
    if (isWhole || first - 1 === before) {
      newest.set(key, last);
      hear.call(exchange, client, message);
      return;
    }
    // What follows a gap says nothing before the next whole book.
    newest.delete(key);
    if (before === undefined) return;
    const hash = `orderbook:${symbol}`;
    delete client.subscriptions[hash];
    delete exchange.orderbooks[symbol];
    client.reject(new Gap(`${topic}: ${first} after ${before}`), hash);
  };
}
