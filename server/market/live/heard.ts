import type { Ticker as CcxtTicker } from 'ccxt';
import type { Heard } from './adapter';

/** Undefined for what is no number, or is not told. */
export function numberOf(value: unknown): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** What stands in every unified ticker. */
export function tickerHeard(ticker: CcxtTicker): Heard {
  const { timestamp, last, bid, ask, high, low, percentage, baseVolume, quoteVolume, markPrice, indexPrice } = ticker;
  const change = numberOf(percentage);
  return {
    at: numberOf(timestamp),
    last: numberOf(last),
    bid: numberOf(bid),
    ask: numberOf(ask),
    mark: numberOf(markPrice),
    index: numberOf(indexPrice),
    change24h: change === undefined ? undefined : change / 100,
    high24h: numberOf(high),
    low24h: numberOf(low),
    volume24h: numberOf(baseVolume),
    turnover24h: numberOf(quoteVolume),
  };
}
