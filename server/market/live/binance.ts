import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { type Client, createClient } from './exchangeClass';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';

type Raw = Readonly<Record<string, unknown>>;

/** What is counted apart, and how much of it a minute allows. */
const POOLS = { futures: 2_400, spot: 6_000 };
/** Candles or settlements of one answer. */
const MOST = 1_000;
/** What the snapshot of a book is asked for: what is taken from beyond it is not seen until the next. */
const ASKED_LEVELS = 500;
const SWAPS = { type: 'swap', subType: 'linear' };

const SPOT = { type: 'spot' };
/** Of thousands of symbols only those that trade, without what each account may do with them. */
const TRADED = { symbolStatus: 'TRADING', showPermissionSets: false };

/** Perpetuals and delivery futures that are settled in USDT, and the spot beside them. */
export const binance: Adapter = {
  async open() {
    const options = {
      ...{ defaultType: 'swap', fetchMarkets: { types: ['spot', 'linear'] } },
      // Each book would have a connection of its own.
      streamLimits: { spot: 8, future: 8 },
    };
    const exchange = (await createClient('binance', {
      // Between two units of weight, ms: the library's own is that of spot.
      rateLimit: MINUTE_MS / POOLS.futures,
      options: { ...options, fetchCurrencies: false, fetchMargins: false },
    })) as unknown as Exchange;
    const { publicGetExchangeInfo } = exchange as unknown as Client<'binance'>;
    Object.assign(exchange, { publicGetExchangeInfo: () => publicGetExchangeInfo.call(exchange, TRADED) });
    tellStrangers(exchange);
    tellVolumes(exchange, (raw: unknown[]) => ({ turnover: raw[7] }));
    return exchange;
  },

  streams: {
    tickers: { watch: (exchange) => exchange.watchTickers(undefined, SWAPS), everyMs: SECOND_MS },
    marks: { watch: (exchange) => exchange.watchMarkPrices(undefined, SWAPS), everyMs: SECOND_MS },
    spots: { watch: (exchange) => exchange.watchTickers(undefined, SPOT), everyMs: SECOND_MS },
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

  async spotPrices(exchange) {
    const rows = (await (exchange as unknown as Client<'binance'>).publicGetTickerPrice()) as Raw[];
    return rows.map(({ symbol, price }) => [symbol, price] as const);
  },

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

  weight(headers, url) {
    const used = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-mbx-used-weight-1m');
    const pool = url.includes('/fapi/') ? 'futures' : 'spot';
    return used ? { pool, used: Number(used[1]), limit: POOLS[pool] } : null;
  },
};

/** A future has none, which is told as 0 or not at all. */
function settlementAt(value: unknown): number | undefined {
  const at = numberOf(value);
  return at === undefined || at <= 0 ? undefined : at;
}

type HearTickers = (connection: { url: string }, message: Raw | Raw[], kind: string) => void;

/**
 * Streams of all symbols tell of those that were listed since: a name that only the other house is known to list would be
 * taken for that one's, a coin's new spot for its perpetual. It is heard under a name that nobody has.
 */
function tellStrangers(exchange: Exchange): void {
  const client = exchange as unknown as {
    handleTickersAndBidsAsks: HearTickers;
    isSpotUrl(connection: { url: string }): boolean;
    markets_by_id?: Record<string, { spot?: boolean }[]>;
  };
  const hear = client.handleTickersAndBidsAsks;
  client.handleTickersAndBidsAsks = (connection, message, kind) => {
    const isSpotHouse = client.isSpotUrl(connection);
    const told = (row: Raw): Raw => {
      const listed = client.markets_by_id?.[String(row.s)];
      const isOurs = !listed || listed.some(({ spot }) => (spot === true) === isSpotHouse);
      return isOurs ? row : { ...row, s: `${row.s} elsewhere` };
    };
    hear.call(exchange, connection, Array.isArray(message) ? message.map(told) : told(message), kind);
  };
}
