import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import { SECOND_MS } from '#contract/duration';
import type { Adapter, AllSymbols, CandleRow, Heard, HeardRows } from './adapter';
import { announced } from './announced';
import { followed, followedIds, isDerivative, perMarkets, type Topic, watchChannel } from './channels';
import { type Client, createClient } from './exchangeClass';
import { addHeard, changeOf, heardIn, intervalHours, numberOf, priceOf, tellVolumes } from './heard';
import type { Raw } from './ownClient';
import { settledSince } from './settled';
import { toldBrackets } from './toldBrackets';

const TYPES = ['swap', 'future'];
/** What it calls these. */
const RAW_TYPES = ['SWAP', 'FUTURES'];
/** Between two units, ms: 20 are allowed within two seconds, and questions arrive closer together than they are sent. */
const RATE_LIMIT = 125;
/** Announcements are counted apart: nothing else is to wait for seconds because they were asked for. */
const STATUS_APART = { public: { get: { 'system/status': { cost: 1 } } } };
/** Settlements of one answer. */
const MOST_SETTLEMENTS = 100;

/** Spot and contracts share no names. */
const idsOf = perMarkets((exchange) => new Map([...followedIds(exchange).spot, ...followedIds(exchange).contract]));

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

/** What the rows of a channel say; answers have the same. */
const CHANNELS: Readonly<Record<string, (raw: Raw) => Heard>> = {
  tickers(raw) {
    const isSpot = raw.instType === 'SPOT';
    // Of contracts the volume in coins; what that is in the quote currency is not told.
    const volume24h = numberOf(isSpot ? raw.vol24h : raw.volCcy24h);
    return {
      at: numberOf(raw.ts),
      last: priceOf(raw.last),
      bid: priceOf(raw.bidPx),
      ask: priceOf(raw.askPx),
      change24h: changeOf(raw.last, raw.open24h),
      high24h: priceOf(raw.high24h),
      low24h: priceOf(raw.low24h),
      volume24h,
      turnover24h: isSpot ? numberOf(raw.volCcy24h) : numberOf(Number(volume24h) * Number(raw.last)),
    };
  },
  'mark-price': ({ ts, markPx }) => ({ at: numberOf(ts), mark: numberOf(markPx) }),
  'funding-rate': ({ ts, fundingRate, fundingTime }) => ({
    ...{ at: numberOf(ts), fundingRate: numberOf(fundingRate), nextFundingAt: numberOf(fundingTime) },
  }),
};

const heardOn = (name: string, rows: readonly Raw[], exchange: Exchange): HeardRows =>
  heardIn(rows, ({ instId }) => idsOf(exchange).get(instId), CHANNELS[name]!);

/** Perpetuals and delivery futures that are settled in USDT, and the spot beside them. */
export const okx: Adapter = {
  async open() {
    const options = { defaultType: 'swap', fetchMarkets: { types: ['spot', ...TYPES] } };
    const limits = { rateLimit: RATE_LIMIT, api: STATUS_APART };
    const exchange = (await createClient('okx', { ...limits, options })) as unknown as Exchange;
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
    const asked = RAW_TYPES.flatMap((instType) => [
      ['tickers', client.publicGetMarketTickers({ instType })] as const,
      ['mark-price', client.publicGetPublicMarkPrice({ instType })] as const,
    ]);
    const answers = await Promise.all(
      [...asked, ['funding-rate', client.publicGetPublicFundingRate({ instId: 'ANY' })] as const].map(
        async ([name, answer]) => heardOn(name, ((await answer) as { data: Raw[] }).data, exchange),
      ),
    );
    const all = new Map<string, Heard>();
    for (const rows of answers) addHeard(all, rows);
    addHeard(all, [...(await okx.figures!(exchange))]);
    return all;
  },

  told({ arg, data }: { arg?: { channel: string }; data?: Raw[] }, exchange) {
    const name = arg?.channel ?? '';
    return data && CHANNELS[name] ? { channel: name, heard: heardOn(name, data, exchange) } : null;
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
