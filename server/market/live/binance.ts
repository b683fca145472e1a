import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { createClient } from './exchangeClass';
import { numberOf, tickerHeard } from './heard';

/** A minute, USDT-margined futures. */
const WEIGHT_LIMIT = 2_400;
const SWAPS = { type: 'swap', subType: 'linear' };

/** Perpetuals and delivery futures that are settled in USDT. */
export const binance: Adapter = {
  async open() {
    const options = {
      ...{ defaultType: 'swap', defaultSubType: 'linear', fetchMarkets: { types: ['linear'] } },
      // Each book would have a connection of its own.
      streamLimits: { future: 8 },
    };
    const exchange = await createClient('binance', {
      // Between two units of weight, ms: the library's own is that of spot.
      rateLimit: MINUTE_MS / WEIGHT_LIMIT,
      options: { ...options, fetchCurrencies: false, fetchMargins: false },
    });
    const { parseOHLCV } = exchange;
    // The library drops the quote volume of a candle.
    const whole = (raw: unknown[]) => [...parseOHLCV.call(exchange, raw), numberOf(raw[7]) ?? 0];
    return Object.assign(exchange, { parseOHLCV: whole }) as unknown as Exchange;
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
    for (const [symbol, ticker] of Object.entries(tickers)) all.set(symbol, tickerHeard(ticker));
    for (const [symbol, { bid, ask }] of Object.entries(bests)) {
      all.set(symbol, { ...all.get(symbol), bid: numberOf(bid), ask: numberOf(ask) });
    }
    for (const [symbol, rate] of Object.entries(rates)) {
      all.set(symbol, {
        ...all.get(symbol),
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

  async fundingHours(exchange) {
    const intervals = await exchange.fetchFundingIntervals(undefined, { subType: 'linear' });
    const hours = new Map<string, number>();
    for (const [symbol, { interval }] of Object.entries(intervals)) {
      const found = numberOf(/^(\d+)h$/.exec(interval ?? '')?.[1]);
      if (found !== undefined) hours.set(symbol, found);
    }
    return hours;
  },
  // Only symbols with another interval are listed.
  usualFundingHours: 8,

  time: async (exchange) => (await exchange.fetchTime({ type: 'swap' })) ?? Number.NaN,
  openInterest: async (exchange, symbol) =>
    numberOf((await exchange.fetchOpenInterest(symbol)).openInterestAmount) ?? null,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: 1_000,
  mostSettlements: 1_000,

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
