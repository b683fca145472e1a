import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import type { Adapter, Heard } from './adapter';
import { isFollowed } from './listing';

/** One thing to subscribe to: how it is asked for, and the name by which the library remembers that it was. */
export interface Topic<T> {
  hash: string;
  arg: T;
}

/**
 * Has prices heard as the exchange writes them, and who waits for a channel woken once a message. The library works out
 * averages and the like with exact decimals, and has promises for each symbol: with thousands of symbols that are told of
 * several times a second it takes most of a processor.
 */
export function hearPlainly(
  exchange: Exchange,
  told: Adapter['told'],
  hear: (symbol: string, heard: Heard) => void,
): void {
  const handle: Exchange['handleMessage'] = exchange.handleMessage;
  exchange.handleMessage = (client, message) => {
    const prices = told(message, exchange, client.url);
    if (prices === null) {
      handle.call(exchange, client, message);
      return;
    }
    for (const [symbol, heard] of prices.heard) hear(symbol, heard);
    client.resolve(message, prices.channel);
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

/** By the exchange's own names, which spot and contracts may share. */
export const followedIds = perMarkets((exchange) => {
  const ids = { spot: new Map<unknown, string>(), contract: new Map<unknown, string>() };
  for (const market of followed(exchange)) ids[isSpot(market) ? 'spot' : 'contract'].set(market.id, market.symbol);
  return ids;
});

export const isDerivative = ({ spot }: CcxtMarket): boolean => spot !== true;
export const isSpot = (market: CcxtMarket): boolean => !isDerivative(market);
