import { type SourceSymbol, symbolKey } from '../base/symbolKey';
import type { Market, Ticker } from './exchange';

/** What is known of each symbol of a source. */
export interface BySymbol<T> {
  get(symbol: string): T | undefined;
}

/** Finds out of a symbol when somebody asks, and once. */
export class Asked<T> implements BySymbol<T> {
  readonly #known = new Map<string, T | undefined>();
  readonly #find: (symbol: string) => T | undefined;

  constructor(find: (symbol: string) => T | undefined) {
    this.#find = find;
  }

  get(symbol: string): T | undefined {
    if (!this.#known.has(symbol)) this.#known.set(symbol, this.#find(symbol));
    return this.#known.get(symbol);
  }
}

const isPrice = (value: number | null): value is number => value !== null && value > 0 && Number.isFinite(value);

/** What a position is valued at, USDT: the mark, or the price where a source has none; null without either. */
export function markPrice({ mark, price }: Pick<Ticker, 'mark' | 'price'>): number | null {
  const usable = isPrice(mark) ? mark : price;
  return isPrice(usable) ? usable : null;
}

/** The same of these symbols of a source at an instant, UTC ms; what has none is absent. Of most sources all others are told too. */
export async function marksOf(market: Market, at: number, symbols: Iterable<string>): Promise<BySymbol<number>> {
  if (market.markThen) {
    const found = new Map<string, number>();
    for (const symbol of symbols) {
      const mark = await market.markThen(symbol, at);
      if (mark !== null) found.set(symbol, mark);
    }
    return found;
  }
  if (market.listed) {
    return new Asked((symbol) => {
      const ticker = market.listed?.(symbol, at)?.ticker;
      return (ticker && markPrice(ticker)) ?? undefined;
    });
  }
  const marks = new Map<string, number>();
  for (const ticker of await market.tickers(at)) {
    const mark = markPrice(ticker);
    if (mark !== null) marks.set(ticker.symbol, mark);
  }
  return marks;
}

/** What coin a symbol is of, which has the same name at every venue where it is spot; anything else stands for itself. */
export function coinIn(market: Market | undefined, of: SourceSymbol, at: number): string {
  const instrument = market?.listed?.(of.symbol, at)?.instrument;
  return instrument?.kind === 'spot' ? instrument.base : symbolKey(of);
}
