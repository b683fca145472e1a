import type { Ticker } from './exchange';

const isPrice = (value: number | null): value is number => value !== null && value > 0 && Number.isFinite(value);

/** What positions are valued at, USDT: the mark, or the price where a source has none; without either a symbol is absent. */
export function marksBySymbol(tickers: readonly Ticker[]): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { symbol, mark, price } of tickers) {
    const usable = isPrice(mark) ? mark : price;
    if (isPrice(usable)) marks.set(symbol, usable);
  }
  return marks;
}
