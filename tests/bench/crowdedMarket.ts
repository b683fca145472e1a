import { SIMULATED } from '#contract/candle';
import type { Instrument, InstrumentKind, Market, Markets, Ticker } from '#server/market/exchange';

/** Between the number of a copy and what it is a copy of: a letter that names of exchanges have. */
const MARK = 'X';

const originalOf = (name: string): string => name.slice(name.indexOf(MARK) + 1);

/**
 * A venue with so many coins: each of its own stands there several times, under names of their own, so that everything
 * that is worked out a coin is worked out for each.
 */
export function crowded(market: Market, coins: number): Market {
  const copies = (perpetuals: number) => Math.ceil(coins / perpetuals);

  /** The first copies of all, until there are enough. */
  async function named<T extends { symbol: string }>(
    read: (kinds?: readonly InstrumentKind[]) => Promise<T[]>,
    kinds: readonly InstrumentKind[] | undefined,
    rename: (one: T, number: number) => T,
  ): Promise<T[]> {
    const all = await read(kinds);
    const perpetuals = (await market.instruments()).length;
    return Array.from({ length: copies(perpetuals) }, (_, i) => all.map((one) => rename(one, i))).flat();
  }

  return {
    source: market.source,
    kind: market.kind,
    version: () => market.version(),
    instruments: (kinds) =>
      named<Instrument>(
        (of) => market.instruments(of),
        kinds,
        (one, i) => ({
          ...one,
          base: `${i}${MARK}${one.base}`,
          symbol: `${i}${MARK}${one.symbol}`,
        }),
      ),
    tickers: (at, kinds) =>
      named<Ticker>(
        (of) => market.tickers(at, of),
        kinds,
        (one, i) => ({ ...one, symbol: `${i}${MARK}${one.symbol}` }),
      ),
    candles: (symbol, bar, range) => market.candles(originalOf(symbol), bar, range),
    runningHour: (symbol) => market.runningHour(originalOf(symbol)),
    funding: (symbol, range) => market.funding(originalOf(symbol), range),
    listed: (symbol, at) => {
      const known = market.listed!(originalOf(symbol), at);
      if (known === null) return null;
      const { instrument, ticker } = known;
      const copy = symbol.slice(0, symbol.indexOf(MARK) + 1);
      return { instrument: { ...instrument, base: copy + instrument.base, symbol }, ticker: { ...ticker, symbol } };
    },
    book: (symbol, at) => market.book!(originalOf(symbol), at),
    meetsAt: (symbol, ...rest) => market.meetsAt!(originalOf(symbol), ...rest),
    gapsWithin: (symbol, ...rest) => market.gapsWithin!(originalOf(symbol), ...rest),
    feeShares: market.feeShares,
    terms: (symbol, at) => market.terms(originalOf(symbol), at),
    wallet: (asset, at) => market.wallet(originalOf(asset), at),
    isOut: (at) => market.isOut(at),
    latencyMs: (at) => market.latencyMs(at),
    clockAheadMs: (at) => market.clockAheadMs(at),
    deliveryPrice: (symbol) => market.deliveryPrice(originalOf(symbol)),
  };
}

/** Venues with about so many coins each. */
export function crowdedMarkets(venues: readonly Market[], coins: number): Markets {
  const all = new Map(venues.map((market) => [market.source, crowded(market, coins)]));
  return {
    home: SIMULATED,
    list: async () => [...all.values()],
    get: async (source) => all.get(source),
    traded: () => [...all.values()],
  };
}
