import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { SECOND_MS } from '#contract/duration';
import type { Adapter, AllSymbols, CandleRow, Heard } from './adapter';
import { followed, isSpot, perMarkets, type Topic, tellChannels, watchChannel } from './channels';
import { type Client, createClient } from './exchangeClass';
import { tellGaps } from './gaps';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';
import { settledSince } from './settled';
import { toldBrackets } from './toldBrackets';

const SWAPS = { type: 'swap' };
const FUTURES = { type: 'future', settle: 'usdt' };
/** A side, of a book that is told every 100 ms: there are no more; of spot it is told every 20 ms. */
const LEVELS = 100;
const SPOT_LEVELS = 50;
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 1_000;

/** All tickers of a house, on its own connection. */
function tickers(
  channel: string,
  isMeant: (market: CcxtMarket) => boolean,
  urlOf: (api: { spot: string; swap: { usdt: string } }) => string,
): AllSymbols {
  const topics = perMarkets((exchange) =>
    followed(exchange)
      .filter(isMeant)
      .map(({ id, symbol }): Topic<string> => ({ hash: `ticker:${symbol}`, arg: id as string })),
  );
  return {
    everyMs: SECOND_MS,
    watch: (exchange) =>
      watchChannel(exchange, {
        url: urlOf(exchange.urls.api as never),
        channel,
        topics: topics(exchange),
        request: (payload) => ({ time: exchange.seconds(), channel, event: 'subscribe', payload }),
      }),
  };
}

/** Told of its book: the whole or what has changed, by the numbers of the first change and the last. */
interface SpotBook {
  result?: { s?: string; full?: boolean; U?: number | string; u?: number | string };
}

/** A candle: of spot the beginning, quote volume, close, high, low, open and base volume, of others by name. */
type RawCandle = readonly unknown[] | Readonly<Record<string, unknown>>;

async function addTickers(all: Map<string, Heard>, exchange: Exchange, asked: object): Promise<void> {
  for (const [symbol, ticker] of Object.entries(await exchange.fetchTickers(undefined, asked))) {
    addHeard(all, symbol, { ...tickerHeard(ticker), ...gate.extra(ticker, exchange) });
  }
}

/** Perpetuals and delivery futures that are settled in USDT, and the spot beside them. */
export const gate: Adapter = {
  async open() {
    const settled = { fetchMarkets: { settlementCurrencies: ['usdt'] } };
    const exchange = (await createClient('gate', {
      options: {
        defaultType: 'swap',
        fetchMarkets: { types: ['spot', 'swap', 'future'] },
        swap: settled,
        future: settled,
      },
    })) as unknown as Exchange;
    // Thousands of coins that are asked for with the markets.
    exchange.has.fetchCurrencies = false;
    tellChannels(exchange, ({ channel, event }: { channel?: string; event?: string }) =>
      event === 'update' ? channel : undefined,
    );
    // Volumes are contracts; of a delivery future what they came to is not told.
    tellVolumes(exchange, (raw: RawCandle, { contractSize }) => {
      if (Array.isArray(raw)) return { turnover: raw[1] };
      const { v, sum, o, h, l, c } = raw as Readonly<Record<string, unknown>>;
      const volume = Number(v) * (contractSize ?? 1);
      return { volume, turnover: sum ?? (volume * (Number(o) + Number(h) + Number(l) + Number(c))) / 4 };
    });
    tellGaps(exchange, 'handleNewSpotOrderBook', ({ result: { s = '', full, U = 0, u = 0 } = {} }: SpotBook) => ({
      // The library leaves long numbers as text.
      ...{ topic: s, first: Number(U), last: Number(u), isWhole: full === true },
      symbol: exchange.safeSymbol(s.split('.')[1], undefined, '_', 'spot') as string,
    }));
    return exchange;
  },

  streams: {
    tickers: tickers(
      'futures.tickers',
      ({ swap }) => swap === true,
      ({ swap }) => swap.usdt,
    ),
    spots: tickers('spot.tickers', isSpot, ({ spot }) => spot),
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
    const interest = Number(total_size ?? Number.NaN) * size;
    return {
      fundingRate: numberOf(funding_rate),
      openInterest: numberOf(interest * Number(mark_price)),
      interest: numberOf(interest),
    };
  },

  /** Delivery futures are a handful, and quiet for longer than a stream may be. */
  async figures(exchange) {
    const all = new Map<string, Heard>();
    await addTickers(all, exchange, FUTURES);
    return all;
  },

  async spotPrices(exchange) {
    const rows = (await (exchange as unknown as Client<'gate'>).publicSpotGetTickers()) as Record<string, unknown>[];
    return rows.map(({ currency_pair, last }) => [currency_pair, last] as const);
  },

  fundingHours: async (exchange) => intervalHours(await exchange.fetchFundingRates()),
  usualFundingHours: 8,

  time: async (exchange) => (await exchange.fetchTime()) ?? Number.NaN,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  // Of spot; of others it is twice as many.
  mostCandles: 1_000,

  settlements: (exchange, symbol, since) =>
    settledSince(exchange, symbol, since, MOST_SETTLEMENTS, (before) => ({ until: before - SECOND_MS })),
  mostSettlements: Number.POSITIVE_INFINITY,

  brackets: (exchange, symbol) => toldBrackets(exchange, symbol, { deducted: 'deduction' }),

  watchBook: (exchange, symbol) =>
    exchange.watchOrderBook(symbol, isSpot(exchange.market(symbol)) ? SPOT_LEVELS : LEVELS),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol),
  refusedMs: () => 10 * SECOND_MS,
  weight: () => null,
};
