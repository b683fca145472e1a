import type { ChartBar } from '#contract/candle';

/** How many a screen that opens asks for. */
export const FIRST_CANDLES = 1000;

interface Series {
  source: string;
  symbol: string;
  /** `null`: the coarsest that the coin has. */
  bar: ChartBar | null;
  /** Another symbol; empty for none. */
  compare?: string;
}

/** Asks for the newest candles, at most `limit`. */
export const candleQuery = ({ source, symbol, bar, compare = '' }: Series, limit: number) => ({
  source,
  symbol,
  ...(bar && { bar }),
  limit,
  ...(compare !== '' && { compare }),
});
