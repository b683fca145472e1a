import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { SECOND_MS } from '#contract/duration';
import type { Adapter, AllSymbols, CandleRow, Heard, HeardRows } from './adapter';
import { followed, followedIds, isSpot, perMarkets, type Topic, watchChannel } from './channels';
import { type Client, createClient } from './exchangeClass';
import { tellGaps } from './gaps';
import { addHeard, heardIn, intervalHours, numberOf, priceOf, tellVolumes } from './heard';
import type { Raw } from './ownClient';
import { settledSince } from './settled';
import { toldBrackets } from './toldBrackets';

const SETTLED = { settle: 'usdt' };
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

interface TickerMessage {
  channel?: string;
  event?: string;
  result: Raw | Raw[];
  time_ms?: number;
}

/** A candle: of spot the beginning, quote volume, close, high, low, open and base volume, of others by name. */
type RawCandle = readonly unknown[] | Readonly<Record<string, unknown>>;

/** `nan` where nobody has traded. */
const volumeOf = (value: unknown): number | undefined => (value === 'nan' ? 0 : numberOf(value));

function heardOf(raw: Raw, contractSize = 1): Heard {
  const interest = Number(raw.total_size ?? Number.NaN) * contractSize;
  const change = numberOf(raw.change_percentage);
  return {
    last: priceOf(raw.last),
    bid: priceOf(raw.highest_bid),
    ask: priceOf(raw.lowest_ask),
    mark: numberOf(raw.mark_price),
    index: numberOf(raw.index_price),
    change24h: change === undefined ? undefined : change / 100,
    high24h: priceOf(raw.high_24h),
    low24h: priceOf(raw.low_24h),
    volume24h: volumeOf(raw.base_volume ?? raw.volume_24h_base),
    turnover24h: volumeOf(raw.quote_volume ?? raw.volume_24h_quote),
    fundingRate: numberOf(raw.funding_rate),
    openInterest: numberOf(interest * Number(raw.mark_price)),
    interest: numberOf(interest),
  };
}

function contractsHeard(rows: readonly Raw[], exchange: Exchange): HeardRows {
  const { contract } = followedIds(exchange);
  return heardIn(
    rows,
    (row) => contract.get(row.contract),
    (row, symbol) => heardOf(row, exchange.markets?.[symbol]?.contractSize),
  );
}

const futuresOf = async (exchange: Exchange): Promise<HeardRows> =>
  contractsHeard(
    (await (exchange as unknown as Client<'gate'>).publicDeliveryGetSettleTickers(SETTLED)) as Raw[],
    exchange,
  );

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
    const client = exchange as unknown as Client<'gate'>;
    const [swaps, futures, rates] = await Promise.all([
      client.publicFuturesGetSettleTickers(SETTLED) as Promise<Raw[]>,
      futuresOf(exchange),
      exchange.fetchFundingRates(),
    ]);
    const all = new Map(contractsHeard(swaps, exchange));
    addHeard(all, futures);
    for (const [symbol, { fundingTimestamp }] of Object.entries(rates)) {
      if (all.has(symbol)) addHeard(all, [[symbol, { nextFundingAt: numberOf(fundingTimestamp) }]]);
    }
    return all;
  },

  told({ channel, event, result, time_ms }: TickerMessage, exchange) {
    if (event !== 'update' || !channel?.endsWith('.tickers')) return null;
    const rows = Array.isArray(result) ? result : [result];
    const { spot } = followedIds(exchange);
    const heard = channel.startsWith('spot')
      ? heardIn(
          rows,
          (row) => spot.get(row.currency_pair),
          (row) => heardOf(row),
        )
      : contractsHeard(rows, exchange);
    const at = numberOf(time_ms);
    return { channel, heard: heard.map(([symbol, figures]) => [symbol, { ...figures, at }] as const) };
  },

  /** Delivery futures are a handful, and quiet for longer than a stream may be. */
  figures: async (exchange) => new Map(await futuresOf(exchange)),

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
