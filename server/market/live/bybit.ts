import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { followed, perMarkets, type Topic, tellChannels, watchChannel } from './channels';
import { createClient } from './exchangeClass';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';
import { settledSince } from './settled';
import { Gap } from './silence';

const LINEAR = { type: 'swap', subType: 'linear' };
/** A side; the library takes no others than 1, 50, 200 and 1000, and leaves another than it follows unless it is told. */
const LEVELS = 200;
const MOST_CANDLES = 1_000;
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 200;

const tickerTopics = perMarkets((exchange) =>
  followed(exchange).map(({ id, symbol }): Topic<string> => ({ hash: `ticker:${symbol}`, arg: `tickers.${id}` })),
);

/** Perpetuals and delivery futures that are settled in USDT. */
export const bybit: Adapter = {
  async open() {
    const options = { defaultType: 'swap', defaultSubType: 'linear', fetchMarkets: { types: ['linear'] } };
    const exchange = (await createClient('bybit', { options })) as unknown as Exchange;
    tellChannels(exchange, ({ topic }: { topic?: string }) => (topic?.startsWith('tickers.') ? 'tickers' : undefined));
    tellVolumes(exchange, (raw: unknown[]) => ({ turnover: raw[6] }));
    tellGaps(exchange);
    return exchange;
  },

  streams: {
    // All stands in them: marks, rates, best prices and open interest too.
    tickers: {
      everyMs: SECOND_MS,
      watch: (exchange) =>
        watchChannel(exchange, {
          url: exchange.implodeHostname(
            (exchange.urls.api as unknown as { ws: { public: { linear: string } } }).ws.public.linear,
          ) as string,
          channel: 'tickers',
          topics: tickerTopics(exchange),
          request: (args) => ({ op: 'subscribe', req_id: `tickers-${args.length}`, args }),
        }),
    },
  },

  async prices(exchange) {
    const all = new Map<string, Heard>();
    for (const [symbol, ticker] of Object.entries(await exchange.fetchTickers(undefined, LINEAR))) {
      addHeard(all, symbol, { ...tickerHeard(ticker), ...bybit.extra(ticker, exchange) });
    }
    return all;
  },

  extra({ info: { fundingRate, nextFundingTime, openInterestValue } }) {
    const hasFunding = Number(nextFundingTime) > 0;
    return {
      fundingRate: hasFunding ? numberOf(fundingRate) : undefined,
      nextFundingAt: hasFunding ? numberOf(nextFundingTime) : undefined,
      openInterest: numberOf(openInterestValue),
    };
  },

  fundingHours: async (exchange) => intervalHours(await exchange.fetchFundingRates(undefined, LINEAR)),
  usualFundingHours: 8,

  time: async (exchange) => (await exchange.fetchTime()) ?? Number.NaN,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: MOST_CANDLES,

  settlements: (exchange, symbol, since) =>
    settledSince(exchange, symbol, since, MOST_SETTLEMENTS, (before) => ({ endTime: before - 1 })),
  mostSettlements: Number.POSITIVE_INFINITY,

  watchBook: (exchange, symbol) => exchange.watchOrderBook(symbol, LEVELS),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol, { limit: LEVELS }),
  // An address that is banned is so for ten minutes; a limit is counted within seconds.
  refusedMs: (message) => (/ 403 |access too frequent/.test(message) ? 10 * MINUTE_MS : 5 * SECOND_MS),
  weight: () => null,
};

interface BookMessage {
  topic: string;
  type: 'snapshot' | 'delta';
  /** Messages of a topic are counted by `u`. */
  data: { s: string; u: number };
}

/** The library adds to a book whatever comes: a message that is missing is noticed here. */
function tellGaps(exchange: Exchange): void {
  const books = exchange as unknown as { handleOrderBook(client: unknown, message: BookMessage): void };
  const { handleOrderBook } = books;
  const counts = new Map<string, number>();
  books.handleOrderBook = (client, message) => {
    const { topic, type, data } = message;
    const count = counts.get(topic);
    if (type === 'snapshot' || data.u - 1 === count) {
      counts.set(topic, data.u);
      handleOrderBook.call(exchange, client, message);
      return;
    }
    // What follows a gap says nothing before the next whole book.
    counts.delete(topic);
    if (count === undefined) return;
    const symbol = exchange.safeSymbol(data.s, undefined, undefined, 'contract') as string;
    const { subscriptions, reject } = client as {
      subscriptions: Record<string, unknown>;
      reject(error: Error, hash: string): void;
    };
    delete subscriptions[`orderbook:${symbol}`];
    delete exchange.orderbooks[symbol];
    reject.call(client, new Gap(`${topic}: ${data.u} after ${count}`), `orderbook:${symbol}`);
  };
}
