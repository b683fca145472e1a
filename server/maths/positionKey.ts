/** Names a symbol of a source. */
export const positionKey = (source: string, symbol: string): string => `${source} ${symbol}`;
