import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { isFollowed } from './listing';

/** One thing to subscribe to: how it is asked for, and the name by which the library remembers that it was. */
export interface Topic<T> {
  hash: string;
  arg: T;
}

type Hear = Exchange['handleMessage'];

/**
 * Has who waits for a channel told of every message of it. The library would have them wait for each symbol: hundreds of
 * promises a message.
 * @param channelOf the channel that a message with figures belongs to
 */
export function tellChannels(exchange: Exchange, channelOf: (message: never) => string | undefined): void {
  const hear: Hear = exchange.handleMessage;
  exchange.handleMessage = (client, message) => {
    hear.call(exchange, client, message);
    const channel = channelOf(message as never);
    if (channel !== undefined) client.resolve(message, channel);
  };
}

interface Channel<T> {
  url: string;
  channel: string;
  topics: readonly Topic<T>[];
  request: (args: T[]) => object;
  /** Topics of one request; absent: all. */
  most?: number;
}

/** The next message of a channel; subscribes first to those of its topics that this connection does not have. */
export function watchChannel<T>(
  exchange: Exchange,
  { url, channel, topics, request, most = topics.length }: Channel<T>,
): Promise<unknown> {
  const subscribed = exchange.clients[url]?.subscriptions ?? {};
  const missing = topics.filter(({ hash }) => subscribed[hash] === undefined);
  const requests = Array.from({ length: Math.max(1, Math.ceil(missing.length / most)) }, (_, i) =>
    missing.slice(i * most, (i + 1) * most),
  );
  return Promise.race(
    requests.map((part) => {
      const hashes = part.map(({ hash }) => hash);
      return exchange.watchMultiple(url, [channel], request(part.map(({ arg }) => arg)), hashes, {});
    }),
  );
}

/** What is made of the markets of an exchange, until they are read anew. */
export function perMarkets<T>(make: (exchange: Exchange) => T): (exchange: Exchange) => T {
  const made = new WeakMap<object, T>();
  return (exchange) => {
    const known = made.get(exchange.markets as object) ?? make(exchange);
    made.set(exchange.markets as object, known);
    return known;
  };
}

/** Markets that are followed: perpetuals, futures, and the spot of coins that have a perpetual beside it. */
export const followed = perMarkets((exchange): CcxtMarket[] => {
  const all = (Object.values(exchange.markets ?? {}) as CcxtMarket[]).filter(isFollowed);
  const hedged = new Set(all.flatMap(({ swap, base }) => (swap ? [base] : [])));
  return all.filter(({ spot, base }) => !spot || hedged.has(base));
});

export const isDerivative = ({ spot }: CcxtMarket): boolean => spot !== true;
export const isSpot = (market: CcxtMarket): boolean => !isDerivative(market);
