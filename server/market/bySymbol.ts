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
