import type { Markets, Ticker } from '../exchange/exchange';
import { markPrice } from '../exchange/marksBySymbol';
import { type SourceSymbol, symbolKey } from '../exchange/symbolKey';
import { perpetualOf } from '../symbol/perpetualOf';

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
export type Marks = ReadonlyMap<string, Mark>;

function markOf(ticker: Ticker): Mark | null {
  const { at, fundingRate, nextFundingAt } = ticker;
  const price = markPrice(ticker);
  return price === null ? null : { price, at, fundingRate, nextFundingAt };
}

/** The present marks of everything that is listed in the sources of `held`. */
export async function marksOf(markets: Markets, held: readonly SourceSymbol[]): Promise<Marks> {
  const marks = new Map<string, Mark>();
  for (const source of new Set(held.map((row) => row.source))) {
    const market = await markets.get(source);
    for (const ticker of (await market?.tickers()) ?? []) {
      const mark = markOf(ticker);
      if (mark) marks.set(symbolKey({ source, symbol: ticker.symbol }), mark);
    }
  }
  return marks;
}

/** The newest BTC price of a source, USDT. */
export async function bitcoinPrice(markets: Markets, source: string): Promise<number | null> {
  const market = await markets.get(source);
  const bitcoin = market && perpetualOf(await market.instruments(), 'BTC');
  const ticker = bitcoin && (await market.tickers()).find(({ symbol }) => symbol === bitcoin.symbol);
  return ticker ? (markOf(ticker)?.price ?? null) : null;
}
