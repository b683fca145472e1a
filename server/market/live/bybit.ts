import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Adapter, AllSymbols, CandleRow, Fees, Heard } from './adapter';
import { announced } from './announced';
import { followed, followedIds, isDerivative, isSpot, perMarkets, type Topic, watchChannel } from './channels';
import { type Client, createClient } from './exchangeClass';
import { tellGaps } from './gaps';
import { heardIn, intervalHours, numberOf, priceOf, tellVolumes } from './heard';
import type { Raw } from './ownClient';
import { settledSince } from './settled';
import { toldBrackets } from './toldBrackets';

const LINEAR = { type: 'swap', subType: 'linear' };
/** A side; the library takes no others than 1, 50, 200 and 1000, and leaves another than it follows unless it is told. */
const LEVELS = 200;
const MOST_CANDLES = 1_000;
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 200;

/** What Bybit calls who has no discount. */
const NO_TIER = 'No VIP';

const CONTRACT_FEES: Fees = { maker: 0.0002, taker: 0.00055 };
/** Of spot, in one request. */
const MOST_SPOT_TOPICS = 10;

/** All tickers of a house, on its own connection. */
function tickers(house: 'linear' | 'spot', isMeant: (market: CcxtMarket) => boolean, most?: number): AllSymbols {
  const topics = perMarkets((exchange) =>
    followed(exchange)
      .filter(isMeant)
      .map(({ id, symbol }): Topic<string> => ({ hash: `ticker:${symbol}`, arg: `tickers.${id}` })),
  );
  return {
    everyMs: SECOND_MS,
    watch(exchange) {
      const { ws } = exchange.urls.api as unknown as { ws: { public: Record<typeof house, string> } };
      return watchChannel(exchange, {
        url: exchange.implodeHostname(ws.public[house]) as string,
        channel: 'tickers',
        topics: topics(exchange),
        request: (args) => ({ op: 'subscribe', req_id: `tickers-${args[0] ?? ''}`, args }),
        ...(most !== undefined && { most }),
      });
    },
  };
}

/** Perpetuals and delivery futures that are settled in USDT, and the spot beside them. */
export const bybit: Adapter = {
  async open() {
    const options = { defaultType: 'swap', fetchMarkets: { types: ['spot', 'linear'] } };
    const exchange = (await createClient('bybit', { options })) as unknown as Exchange;
    tellVolumes(exchange, (raw: unknown[]) => ({ turnover: raw[6] }));
    tellGaps(exchange, 'handleOrderBook', ({ topic, type, data }: BookMessage, url) => ({
      ...{ first: data.u, last: data.u, isWhole: type === 'snapshot', topic },
      symbol: exchange.safeSymbol(data.s, undefined, undefined, url.includes('spot') ? 'spot' : 'contract') as string,
    }));
    return exchange;
  },

  baseFees: { perpetual: CONTRACT_FEES, future: CONTRACT_FEES },

  streams: {
    // All stands in them: marks, rates, best prices and open interest too.
    tickers: tickers('linear', isDerivative),
    spots: tickers('spot', isSpot, MOST_SPOT_TOPICS),
  },

  async prices(exchange) {
    const client = exchange as unknown as Client<'bybit'>;
    const { result } = (await client.publicGetV5MarketTickers({ category: 'linear' })) as { result: { list: Raw[] } };
    return new Map(heardIn(result.list, ({ symbol }) => followedIds(exchange).contract.get(symbol), heardOf));
  },

  told({ topic, data, ts }: TickerMessage, exchange, url) {
    if (!topic?.startsWith('tickers.')) return null;
    const ids = followedIds(exchange)[url.includes('spot') ? 'spot' : 'contract'];
    const at = numberOf(ts);
    const heard = heardIn(
      [data],
      ({ symbol }) => ids.get(symbol),
      (raw) => ({ ...heardOf(raw), at }),
    );
    return { channel: 'tickers', heard };
  },

  async spotPrices(exchange) {
    const client = exchange as unknown as Client<'bybit'>;
    const { result } = (await client.publicGetV5MarketTickers({ category: 'spot' })) as {
      result: { list: { symbol: string; lastPrice: string }[] };
    };
    return result.list.map(({ symbol, lastPrice }) => [symbol, lastPrice] as const);
  },

  fundingHours: async (exchange) => intervalHours(await exchange.fetchFundingRates(undefined, LINEAR)),
  usualFundingHours: 8,

  async maintenance(exchange) {
    const answer = await (exchange as unknown as Client<'bybit'>).publicGetV5SystemStatus();
    return announced((answer as { result: { list: Record<string, unknown>[] } }).result.list);
  },
  time: async (exchange) => (await exchange.fetchTime()) ?? Number.NaN,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: MOST_CANDLES,

  settlements: (exchange, symbol, since) =>
    settledSince(exchange, symbol, since, MOST_SETTLEMENTS, (before) => ({ endTime: before - 1 })),
  mostSettlements: Number.POSITIVE_INFINITY,

  async borrowRates(exchange) {
    const client = exchange as unknown as Client<'bybit'>;
    const { result } = (await client.publicGetV5SpotMarginTradeData({ vipLevel: NO_TIER })) as {
      result: { vipCoinList: { vipLevel: string; list: BorrowRow[] }[] };
    };
    const rows = result.vipCoinList.filter(({ vipLevel }) => vipLevel === NO_TIER).flatMap(({ list }) => list);
    const offered = rows.filter(({ borrowable }) => borrowable);
    return new Map(offered.map(({ currency, hourlyBorrowRate }) => [currency, 24 * Number(hourlyBorrowRate)] as const));
  },

  brackets: (exchange, symbol) => toldBrackets(exchange, symbol, { deducted: 'mmDeduction' }),

  watchBook: (exchange, symbol) => exchange.watchOrderBook(symbol, LEVELS),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol, { limit: LEVELS }),
  // An address that is banned is so for ten minutes; a limit is counted within seconds.
  refusedMs: (message) => (/ 403 |access too frequent/.test(message) ? 10 * MINUTE_MS : 5 * SECOND_MS),
  weight: () => null,
};

/** A ticker, whole or what has changed of it. */
function heardOf(raw: Raw): Heard {
  return {
    last: priceOf(raw.lastPrice),
    bid: priceOf(raw.bid1Price),
    ask: priceOf(raw.ask1Price),
    mark: numberOf(raw.markPrice),
    index: numberOf(raw.indexPrice),
    change24h: numberOf(raw.price24hPcnt),
    high24h: priceOf(raw.highPrice24h),
    low24h: priceOf(raw.lowPrice24h),
    volume24h: numberOf(raw.volume24h),
    turnover24h: numberOf(raw.turnover24h),
    // A delivery future has neither, which is told as nothing and as 0.
    fundingRate: Number(raw.nextFundingTime) === 0 ? undefined : numberOf(raw.fundingRate),
    nextFundingAt: numberOf(raw.nextFundingTime) || undefined,
    openInterest: numberOf(raw.openInterestValue),
    interest: numberOf(raw.openInterest),
  };
}

interface TickerMessage {
  topic?: string;
  data: Raw;
  ts: number;
}

interface BorrowRow {
  currency: string;
  borrowable: boolean;
  hourlyBorrowRate: string;
}

interface BookMessage {
  topic: string;
  type: 'snapshot' | 'delta';
  /** Messages of a topic are counted by `u`. */
  data: { s: string; u: number };
}
