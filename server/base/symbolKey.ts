/** A symbol of a source. */
export interface SourceSymbol {
  source: string;
  symbol: string;
}

/** What a symbol of a source is kept under in a map. */
export const symbolKey = ({ source, symbol }: SourceSymbol): string => `${source} ${symbol}`;

/** Source and symbol of a `symbolKey`. */
export function partsOf(key: string): SourceSymbol {
  const at = key.indexOf(' ');
  return { source: key.slice(0, at), symbol: key.slice(at + 1) };
}
