import type { Exchange } from 'ccxt';
import { SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { followed, perMarkets, type Topic, tellChannels, watchChannel } from './channels';
import { createClient } from './exchangeClass';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';
import { settledSince } from './settled';

const SWAPS = { type: 'swap' };
const FUTURES = { type: 'future', settle: 'usdt' };
const TICKERS = 'futures.tickers';
/** A side, of a book that is told every 100 ms: there are no more. */
const LEVELS = 100;
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 1_000;

const swapTopics = perMarkets((exchange) =>
  followed(exchange)
    .filter(({ swap }) => swap)
    .map(({ id, symbol }): Topic<string> => ({ hash: `ticker:${symbol}`, arg: id as string })),
);

async function addTickers(all: Map<string, Heard>, exchange: Exchange, asked: object): Promise<void> {
  for (const [symbol, ticker] of Object.entries(await exchange.fetchTickers(undefined, asked))) {
    addHeard(all, symbol, { ...tickerHeard(ticker), ...gate.extra(ticker, exchange) });
  }
}

/** Perpetuals and delivery futures that are settled in USDT. */
export const gate: Adapter = {
  async open() {
    const settled = { fetchMarkets: { settlementCurrencies: ['usdt'] } };
    const exchange = (await createClient('gate', {
      options: { defaultType: 'swap', fetchMarkets: { types: ['swap', 'future'] }, swap: settled, future: settled },
    })) as unknown as Exchange;
    // Thousands of coins that are asked for with the markets.
    exchange.has.fetchCurrencies = false;
    tellChannels(exchange, ({ channel, event }: { channel?: string; event?: string }) =>
      event === 'update' ? channel : undefined,
    );
    // Volumes are contracts; of a delivery future what they came to is not told.
    tellVolumes(exchange, ({ v, sum, o, h, l, c }: Record<string, unknown>, { contractSize }) => {
      const volume = Number(v) * (contractSize ?? 1);
      return { volume, turnover: sum ?? (volume * (Number(o) + Number(h) + Number(l) + Number(c))) / 4 };
    });
    return exchange;
  },

  streams: {
    tickers: {
      everyMs: SECOND_MS,
      watch: (exchange) =>
        watchChannel(exchange, {
          url: (exchange.urls.api as unknown as { swap: { usdt: string } }).swap.usdt,
          channel: TICKERS,
          topics: swapTopics(exchange),
          request: (payload) => ({ time: exchange.seconds(), channel: TICKERS, event: 'subscribe', payload }),
        }),
    },
  },

  async prices(exchange) {
    const all = new Map<string, Heard>();
    await Promise.all([addTickers(all, exchange, SWAPS), addTickers(all, exchange, FUTURES)]);
    for (const [symbol, rate] of Object.entries(await exchange.fetchFundingRates())) {
      addHeard(all, symbol, { nextFundingAt: numberOf(rate.fundingTimestamp) });
    }
    return all;
  },

  extra({ symbol, info: { funding_rate, total_size, mark_price } }, exchange) {
    const size = exchange.markets?.[symbol as string]?.contractSize ?? 1;
    return {
      fundingRate: numberOf(funding_rate),
      openInterest: numberOf(Number(total_size ?? Number.NaN) * size * Number(mark_price)),
    };
  },

  /** Delivery futures are a handful, and quiet for longer than a stream may be. */
  async figures(exchange) {
    const all = new Map<string, Heard>();
    await addTickers(all, exchange, FUTURES);
    return all;
  },

  fundingHours: async (exchange) => intervalHours(await exchange.fetchFundingRates()),
  usualFundingHours: 8,

  time: async (exchange) => (await exchange.fetchTime()) ?? Number.NaN,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: 1_999,

  settlements: (exchange, symbol, since) =>
    settledSince(exchange, symbol, since, MOST_SETTLEMENTS, (before) => ({ until: before - SECOND_MS })),
  mostSettlements: Number.POSITIVE_INFINITY,

  watchBook: (exchange, symbol) => exchange.watchOrderBook(symbol, LEVELS),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol),
  refusedMs: () => 10 * SECOND_MS,
  weight: () => null,
};
