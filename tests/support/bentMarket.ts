import type { Market } from '#server/market/exchange';

/** Has all prices of a market be as many times what they were as a test says. */
export function bendable(market: Market & Required<Pick<Market, 'listed' | 'book' | 'meetsAt'>>) {
  let bent = 1;
  const [book, listed, meetsAt] = [market.book.bind(market), market.listed.bind(market), market.meetsAt.bind(market)];
  market.book = (symbol, at) => {
    const whole = book(symbol, at);
    const moved = (levels: NonNullable<typeof whole>['bids']) =>
      levels.map(({ ticks, lots }) => ({ ticks: Math.round(ticks * bent), lots }));
    return whole && { ...whole, bids: moved(whole.bids), asks: moved(whole.asks) };
  };
  market.listed = (symbol, at) => {
    const one = listed(symbol, at);
    if (!one) return one;
    const { price, mark } = one.ticker;
    return { ...one, ticker: { ...one.ticker, price: price * bent, mark: mark && mark * bent } };
  };
  market.meetsAt = (symbol, side, price, from, to) => meetsAt(symbol, side, price / bent, from, to);
  return {
    bend: (times: number) => {
      bent = times;
    },
  };
}
