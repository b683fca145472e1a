import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, CandleRow, Heard } from './adapter';
import { followedIds } from './channels';
import { type Client, createClient } from './exchangeClass';
import { addHeard, changeOf, heardIn, intervalHours, numberOf, priceOf, tellVolumes } from './heard';
import type { Raw } from './ownClient';

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
    const client = exchange as unknown as Client<'binance'>;
    const answers = (await Promise.all([
      client.fapiPublicGetTicker24hr(),
      client.fapiPublicGetPremiumIndex(),
      client.fapiPublicGetTickerBookTicker(),
    ])) as Raw[][];
    const all = new Map<string, Heard>();
    const { contract } = followedIds(exchange);
    for (const rows of answers)
      addHeard(
        all,
        heardIn(rows, ({ symbol }) => contract.get(symbol), answered),
      );
    return all;
  },

  told(message: Raw | Raw[], exchange, url) {
    const rows = Array.isArray(message) ? message : [message];
    const event = EVENTS[String(rows[0]?.e)];
    if (event === undefined) return null;
    // A coin that is listed since may have the name of one that is known to the other house alone.
    const isSpot = (exchange as unknown as Client<'binance'>).isSpotUrl({ url } as never);
    const ids = followedIds(exchange)[isSpot ? 'spot' : 'contract'];
    return { channel: event.channel, heard: heardIn(rows, ({ s }) => ids.get(s), event.heardOf) };
  },

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

/** Events of the streams, and the names under which the library waits for them. */
const EVENTS: Readonly<Record<string, { channel: string; heardOf: (raw: Raw) => Heard }>> = {
  '24hrMiniTicker': {
    channel: 'tickers:miniTicker',
    heardOf: (raw) => ({
      at: numberOf(raw.E),
      last: priceOf(raw.c),
      change24h: changeOf(raw.c, raw.o),
      high24h: priceOf(raw.h),
      low24h: priceOf(raw.l),
      volume24h: numberOf(raw.v),
      turnover24h: numberOf(raw.q),
    }),
  },
  markPriceUpdate: {
    channel: 'markPrices:markPrice',
    heardOf: (raw) => ({
      ...{ at: numberOf(raw.E), mark: numberOf(raw.p), index: numberOf(raw.i) },
      ...{ fundingRate: numberOf(raw.r), nextFundingAt: numberOf(raw.T) || undefined },
    }),
  },
  bookTicker: {
    channel: 'bidasks:bookTicker',
    heardOf: ({ E, b, a }) => ({ at: numberOf(E), bid: priceOf(b), ask: priceOf(a) }),
  },
};

/** What a row of any of the answers about prices says. */
function answered(raw: Raw): Heard {
  const change = numberOf(raw.priceChangePercent);
  return {
    at: numberOf(raw.closeTime ?? raw.time),
    last: priceOf(raw.lastPrice),
    bid: priceOf(raw.bidPrice),
    ask: priceOf(raw.askPrice),
    mark: numberOf(raw.markPrice),
    index: numberOf(raw.indexPrice),
    change24h: change === undefined ? undefined : change / 100,
    high24h: priceOf(raw.highPrice),
    low24h: priceOf(raw.lowPrice),
    volume24h: numberOf(raw.volume),
    turnover24h: numberOf(raw.quoteVolume),
    fundingRate: numberOf(raw.lastFundingRate),
    // A future has none, which is told as 0 or not at all.
    nextFundingAt: numberOf(raw.nextFundingTime) || undefined,
  };
}
