import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { createClient } from './exchangeClass';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';

/** A minute, USDT-margined futures. */
const WEIGHT_LIMIT = 2_400;
/** Candles or settlements of one answer. */
const MOST = 1_000;
/** What the snapshot of a book is asked for: what is taken from beyond it is not seen until the next. */
const ASKED_LEVELS = 500;
const SWAPS = { type: 'swap', subType: 'linear' };

/** Perpetuals and delivery futures that are settled in USDT. */
export const binance: Adapter = {
  async open() {
    const options = {
      ...{ defaultType: 'swap', defaultSubType: 'linear', fetchMarkets: { types: ['linear'] } },
      // Each book would have a connection of its own.
      streamLimits: { future: 8 },
    };
    const exchange = (await createClient('binance', {
      // Between two units of weight, ms: the library's own is that of spot.
      rateLimit: MINUTE_MS / WEIGHT_LIMIT,
      options: { ...options, fetchCurrencies: false, fetchMargins: false },
    })) as unknown as Exchange;
    tellVolumes(exchange, (raw: unknown[]) => ({ turnover: raw[7] }));
    return exchange;
  },

  streams: {
    tickers: { watch: (exchange) => exchange.watchTickers(undefined, SWAPS), everyMs: SECOND_MS },
    marks: { watch: (exchange) => exchange.watchMarkPrices(undefined, SWAPS), everyMs: SECOND_MS },
    bests: { watch: (exchange) => exchange.watchBidsAsks(undefined, SWAPS), everyMs: 5 * SECOND_MS },
  },

  async prices(exchange) {
    const [tickers, rates, bests] = await Promise.all([
      exchange.fetchTickers(undefined, SWAPS),
      exchange.fetchFundingRates(undefined, { subType: 'linear' }),
      exchange.fetchBidsAsks(undefined, SWAPS),
    ]);
    const all = new Map<string, Heard>();
    for (const [symbol, ticker] of Object.entries(tickers)) addHeard(all, symbol, tickerHeard(ticker));
    for (const [symbol, { bid, ask }] of Object.entries(bests)) {
      addHeard(all, symbol, { bid: numberOf(bid), ask: numberOf(ask) });
    }
    for (const [symbol, rate] of Object.entries(rates)) {
      addHeard(all, symbol, {
        mark: numberOf(rate.markPrice),
        index: numberOf(rate.indexPrice),
        fundingRate: numberOf(rate.fundingRate),
        nextFundingAt: settlementAt(rate.fundingTimestamp),
      });
    }
    return all;
  },

  // The unified mark has neither the rate nor when it is due.
  extra: ({ info }) =>
    info?.e === 'markPriceUpdate' ? { fundingRate: numberOf(info.r), nextFundingAt: settlementAt(info.T) } : {},

  fundingHours: async (exchange) =>
    intervalHours(await exchange.fetchFundingIntervals(undefined, { subType: 'linear' })),
  // Only symbols with another interval are listed.
  usualFundingHours: 8,

  time: async (exchange) => (await exchange.fetchTime({ type: 'swap' })) ?? Number.NaN,
  openInterest: async (exchange, symbol) =>
    numberOf((await exchange.fetchOpenInterest(symbol)).openInterestAmount) ?? null,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: MOST,
  settlements: (exchange, symbol, since) => exchange.fetchFundingRateHistory(symbol, since, MOST),
  mostSettlements: MOST,
  watchBook: (exchange, symbol) => exchange.watchOrderBook(symbol, ASKED_LEVELS),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol),
  refusedMs: () => MINUTE_MS,

  weight(headers) {
    const used = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'x-mbx-used-weight-1m');
    return used ? { used: Number(used[1]), limit: WEIGHT_LIMIT } : null;
  },
};

/** A future has none, which is told as 0 or not at all. */
function settlementAt(value: unknown): number | undefined {
  const at = numberOf(value);
  return at === undefined || at <= 0 ? undefined : at;
}
