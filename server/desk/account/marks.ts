import { partsOf, type SourceSymbol } from '../../base/symbolKey';
import type { Markets, Ticker } from '../../market/exchange';
import { markPrice } from '../../market/marks';
import { perpetualOf } from '../../market/perpetualOf';
import { type MarketNow, marketNow, marketsNow } from '../symbol/marketNow';

/** What a position is valued and charged by. */
export interface Mark {
  /** USDT. */
  price: number;
  /** UTC ms. */
  at: number;
  fundingRate: number | null;
  nextFundingAt: number | null;
}

/** By `symbolKey`; what has no usable price is absent. */
export type Marks = Pick<ReadonlyMap<string, Mark>, 'get'>;

function markOf(ticker: Ticker): Mark | null {
  const { at, fundingRate, nextFundingAt } = ticker;
  const price = markPrice(ticker);
  return price === null ? null : { price, at, fundingRate, nextFundingAt };
}

/** The marks of everything that is listed in these sources. */
export function marksIn(sources: ReadonlyMap<string, MarketNow>): Marks {
  return {
    get: (key) => {
      const { source, symbol } = partsOf(key);
      const ticker = sources.get(source)?.tickers.get(symbol);
      return (ticker && markOf(ticker)) ?? undefined;
    },
  };
}

/** The present marks of everything that is listed in the sources of `held`. */
export async function marksOf(markets: Markets, held: readonly SourceSymbol[], now: number): Promise<Marks> {
  const sources = held.map(({ source }) => source);
  return marksIn(await marketsNow(markets, sources, now));
}

/** The newest BTC price of a source, USDT. */
export async function bitcoinPrice(markets: Markets, source: string, now: number): Promise<number | null> {
  const present = await marketNow(markets, source, now);
  const bitcoin = present && perpetualOf(await present.market.instruments(), 'BTC');
  const ticker = bitcoin && present.tickers.get(bitcoin.symbol);
  return ticker ? (markOf(ticker)?.price ?? null) : null;
}
