import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { SECOND_MS } from '#contract/duration';
import type { Adapter, AllSymbols, CandleRow, Heard } from './adapter';
import { announced } from './announced';
import { followed, isDerivative, perMarkets, type Topic, tellChannels, watchChannel } from './channels';
import { type Client, createClient } from './exchangeClass';
import { addHeard, intervalHours, numberOf, tellVolumes, tickerHeard } from './heard';
import { settledSince } from './settled';
import { toldBrackets } from './toldBrackets';

type Raw = Readonly<Record<string, unknown>>;

const TYPES = ['swap', 'future'] as const;
/** Between two units, ms: 20 are allowed within two seconds, and questions arrive closer together than they are sent. */
const RATE_LIMIT = 125;
/** Announcements are counted apart: nothing else is to wait for seconds because they were asked for. */
const STATUS_APART = { public: { get: { 'system/status': { cost: 1 } } } };
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 100;

/** Symbols by the index that they follow, `BTC-USDT`. */
const symbolsOfIndex = perMarkets((exchange) => {
  const symbols = new Map<string, string[]>();
  for (const { symbol, info } of followed(exchange).filter(isDerivative)) {
    const index = String(info.uly);
    symbols.set(index, [...(symbols.get(index) ?? []), symbol]);
  }
  return symbols;
});

/** One subscription a symbol, all of a channel in one request on one connection. */
function channel(
  name: string,
  separator: string,
  everyMs: number,
  isMeant = (_market: CcxtMarket) => true,
): AllSymbols {
  const topics = perMarkets((exchange) =>
    followed(exchange)
      .filter(isMeant)
      .map(
        ({ id, symbol }): Topic<object> => ({
          hash: `${name}${separator}${symbol}`,
          arg: { channel: name, instId: id },
        }),
      ),
  );
  return {
    everyMs,
    watch: (exchange) =>
      watchChannel(exchange, {
        url: `${(exchange.urls.api as Record<string, string>).ws}/public`,
        channel: name,
        topics: topics(exchange),
        request: (args) => ({ op: 'subscribe', args }),
      }),
  };
}

/** Perpetuals and delivery futures that are settled in USDT, and the spot beside them. */
export const okx: Adapter = {
  async open() {
    const options = { defaultType: 'swap', fetchMarkets: { types: ['spot', ...TYPES] } };
    const limits = { rateLimit: RATE_LIMIT, api: STATUS_APART };
    const exchange = (await createClient('okx', { ...limits, options })) as unknown as Exchange;
    tellChannels(exchange, (message: { arg?: Raw; data?: unknown }) =>
      message.data ? String(message.arg?.channel) : undefined,
    );
    tellVolumes(exchange, (raw: unknown[]) => ({ turnover: raw[7] }));
    return exchange;
  },

  baseFees: { spot: { maker: 0.0008, taker: 0.001 } },

  streams: {
    // Best prices stand in them too.
    tickers: channel('tickers', '::', SECOND_MS),
    marks: channel('mark-price', '::', 10 * SECOND_MS, isDerivative),
    rates: channel('funding-rate', ':', 90 * SECOND_MS, ({ swap }) => swap === true),
  },

  async prices(exchange) {
    const client = exchange as unknown as Client<'okx'>;
    const all = new Map<string, Heard>();
    const add = (symbol: string | undefined, heard: Heard) => symbol && addHeard(all, symbol, heard);
    const asked = TYPES.flatMap((type) => [
      exchange.fetchTickers(undefined, { type }),
      client.fetchMarkPrices(undefined, { type }),
    ]);
    for (const tickers of await Promise.all(asked)) {
      for (const ticker of Object.values(tickers)) {
        add(ticker.symbol, { ...tickerHeard(ticker), ...okx.extra(ticker, exchange) });
      }
    }
    for (const rate of Object.values(await exchange.fetchFundingRates()))
      add(rate.symbol, okx.extra(rate as never, exchange));
    for (const [symbol, heard] of await okx.figures!(exchange)) add(symbol, heard);
    return all;
  },

  extra({ info, last }) {
    const { instType, fundingRate, fundingTime, volCcy24h } = info as Raw;
    if (fundingRate !== undefined) return { fundingRate: numberOf(fundingRate), nextFundingAt: numberOf(fundingTime) };
    // Of spot the library has it right.
    const volume24h = instType === 'SPOT' ? undefined : numberOf(volCcy24h);
    // The library takes contracts for the base volume; what that is in the quote currency is not told.
    return volume24h === undefined ? {} : { volume24h, turnover24h: volume24h * Number(last) };
  },

  async figures(exchange) {
    const client = exchange as unknown as Client<'okx'>;
    const [indexes, interests] = await Promise.all([
      client.publicGetMarketIndexTickers({ quoteCcy: 'USDT' }),
      client.publicGetPublicOpenInterest({ instType: 'SWAP' }),
    ]);
    const all = new Map<string, Heard>();
    for (const { instId, idxPx } of (indexes as { data: Raw[] }).data) {
      for (const symbol of symbolsOfIndex(exchange).get(String(instId)) ?? [])
        all.set(symbol, { index: numberOf(idxPx) });
    }
    for (const { instId, oiCcy } of (interests as { data: Raw[] }).data) {
      const symbol = exchange.safeSymbol(instId as string);
      const known = all.get(symbol);
      if (known?.index === undefined) continue;
      known.interest = Number(oiCcy);
      known.openInterest = known.interest * known.index;
    }
    return all;
  },

  async spotPrices(exchange) {
    const { data } = (await (exchange as unknown as Client<'okx'>).publicGetMarketTickers({ instType: 'SPOT' })) as {
      data: Raw[];
    };
    return data.map(({ instId, last }) => [instId, last] as const);
  },

  fundingHours: async (exchange) => intervalHours(await exchange.fetchFundingRates()),
  usualFundingHours: 8,

  async maintenance(exchange) {
    const { data } = (await (exchange as unknown as Client<'okx'>).publicGetSystemStatus()) as { data: Raw[] };
    return announced(data);
  },
  time: async (exchange) => (await exchange.fetchTime()) ?? Number.NaN,
  listedAt: ({ created }) => numberOf(created) ?? null,
  candles: async (exchange, symbol, bar, since, limit) =>
    (await exchange.fetchOHLCV(symbol, bar, since, limit)) as unknown as CandleRow[],
  mostCandles: 300,

  settlements: (exchange, symbol, since) =>
    settledSince(exchange, symbol, since, MOST_SETTLEMENTS, (before) => ({ after: before })),
  mostSettlements: Number.POSITIVE_INFINITY,

  async borrowRates(exchange) {
    const { data } = (await (exchange as unknown as Client<'okx'>).publicGetPublicInterestRateLoanQuota()) as {
      data: { basic: { ccy: string; rate: string }[] }[];
    };
    return new Map(data.flatMap(({ basic }) => basic.map(({ ccy, rate }) => [ccy, Number(rate)] as const)));
  },

  brackets(exchange, symbol) {
    const { contractSize, info } = exchange.market(symbol) as CcxtMarket;
    return toldBrackets(exchange, symbol, { params: { instFamily: info.instFamily }, contractSize: contractSize ?? 1 });
  },

  // 400 levels come without being asked for.
  watchBook: (exchange, symbol) => exchange.watchOrderBook(symbol),
  leaveBook: (exchange, symbol) => exchange.unWatchOrderBook(symbol),
  refusedMs: () => 2 * SECOND_MS,
  weight: () => null,
};
