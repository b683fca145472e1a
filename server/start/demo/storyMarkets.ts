import { DAY_MS } from '#contract/duration';
import type { Clock, Market, Markets } from '../../market/exchange';
import type { SimulatedMarket } from '../../market/simulated';

/** A venue whose history counts as changed once a day, not once an hour. */
const daily = (market: SimulatedMarket, clock: Clock): Market => ({
  source: market.source,
  kind: market.kind,
  version: () => `${market.source} ${Math.floor(clock() / DAY_MS)}`,
  instruments: (kinds) => market.instruments(kinds),
  candles: (symbol, bar, range) => market.candles(symbol, bar, range),
  runningHour: (symbol) => market.runningHour(symbol),
  funding: (symbol, range) => market.funding(symbol, range),
  tickers: (at, kinds) => market.tickers(at, kinds),
  listed: (symbol, at) => market.listed(symbol, at),
  book: (symbol, at) => market.book(symbol, at),
  meetsAt: (...order) => market.meetsAt(...order),
  feeShares: market.feeShares,
  terms: (symbol, at) => market.terms(symbol, at),
  wallet: (asset, at) => market.wallet(asset, at),
  isOut: (at) => market.isOut(at),
  latencyMs: (at) => market.latencyMs(at),
  clockAheadMs: (at) => market.clockAheadMs(at),
  deliveryPrice: (symbol) => market.deliveryPrice(symbol),
});

/** Venues as they were at a moving instant. */
export function pastMarkets(venues: readonly SimulatedMarket[], clock: Clock): Markets {
  const list = venues.map((venue) => daily(venue.seenBy(clock), clock));
  return { list: async () => list, get: async (source) => list.find((market) => market.source === source) };
}
