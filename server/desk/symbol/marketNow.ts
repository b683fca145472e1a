import { SECOND_MS } from '#contract/duration';
import { type MarketView, PriceTracker } from '../../engine/marketSnapshot';
import type { Instrument, Market, Markets, Ticker } from '../../market/exchange';
import { Asked, type BySymbol } from '../../market/marks';
import { VersionedCache } from '../../market/versionedCache';

/** One source as it is now. */
export interface MarketNow {
  market: Market;
  /** By symbol; those without a usable price are not in it. */
  view: MarketView;
  tickers: BySymbol<Ticker>;
  instruments: BySymbol<Instrument>;
}

/** Sources whose present is kept. */
const KEPT = 100;
/** By the server's markets, so that two servers in one process never share a present. */
const kept = new WeakMap<Markets, VersionedCache<MarketNow>>();

/**
 * The present of a source, read once a second however many ask: prices move by the second. `null` when there is no such
 * source (any more).
 */
export async function marketNow(markets: Markets, source: string, now: number): Promise<MarketNow | null> {
  const market = await markets.get(source);
  if (market === undefined) return null;
  const cache = kept.get(markets) ?? new VersionedCache<MarketNow>(KEPT);
  kept.set(markets, cache);
  return cache.of(source, `${market.version()} ${Math.floor(now / SECOND_MS)}`, () => read(market, now));
}

async function read(market: Market, now: number): Promise<MarketNow> {
  const tracker = new PriceTracker(market.kind);
  if (market.listed) {
    const listed = new Asked((symbol) => market.listed?.(symbol, now) ?? undefined);
    return {
      market,
      view: await tracker.at(market, now),
      tickers: { get: (symbol) => listed.get(symbol)?.ticker },
      instruments: { get: (symbol) => listed.get(symbol)?.instrument },
    };
  }
  const [tickers, instruments] = await Promise.all([market.tickers(now), market.instruments()]);
  return {
    market,
    view: tracker.viewsOf(tickers, now),
    tickers: new Map(tickers.map((ticker) => [ticker.symbol, ticker])),
    instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])),
  };
}

/** The present of each source named, by its name. */
export async function marketsNow(
  markets: Markets,
  sources: Iterable<string>,
  now: number,
): Promise<ReadonlyMap<string, MarketNow>> {
  const found = await Promise.all([...new Set(sources)].map((source) => marketNow(markets, source, now)));
  return new Map(found.flatMap((one) => (one === null ? [] : [[one.market.source, one] as const])));
}
