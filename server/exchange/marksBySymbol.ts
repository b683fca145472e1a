import type { Ticker } from './exchange';

const isPrice = (value: number | null): value is number => value !== null && value > 0 && Number.isFinite(value);

/** What a position is valued at, USDT: the mark, or the price where a source has none; null without either. */
export function markPrice({ mark, price }: Pick<Ticker, 'mark' | 'price'>): number | null {
  const usable = isPrice(mark) ? mark : price;
  return isPrice(usable) ? usable : null;
}

/** The same of all tickers, by symbol; what has none is absent. */
export function marksBySymbol(tickers: readonly Ticker[]): Map<string, number> {
  return new Map(
    tickers.flatMap((ticker) => {
      const mark = markPrice(ticker);
      return mark === null ? [] : [[ticker.symbol, mark] as const];
    }),
  );
}
