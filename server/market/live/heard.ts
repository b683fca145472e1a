import type { MarketInterface as CcxtMarket, Ticker as CcxtTicker, Exchange } from 'ccxt';
import type { Heard } from './adapter';

/** Undefined for what is no number, or is not told. */
export function numberOf(value: unknown): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Zero is how an exchange says that there is none. */
const PRICES = ['last', 'bid', 'ask', 'high', 'low'] as const;

/**
 * Has tickers told as the exchange writes them, with the change of the day where it does not say it. The library works
 * out averages and the like with exact decimals, which takes as long as all else when each of thousands of symbols is
 * told of several times a second.
 */
export function tellPlainTickers(exchange: Exchange): void {
  exchange.safeTicker = (told: Record<string, unknown>) => {
    told.last ??= told.close;
    for (const name of PRICES) if (Number(told[name]) === 0) told[name] = undefined;
    const { last, open } = told;
    told.percentage ??= Number(open) > 0 ? (Number(last) / Number(open) - 1) * 100 : undefined;
    return told as never;
  };
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

/** Adds to what was heard of a symbol; what is not told leaves what was. */
export function addHeard(all: Map<string, Heard>, symbol: string, heard: Heard): void {
  const told = Object.entries(heard).filter(([, value]) => value !== undefined);
  all.set(symbol, { ...all.get(symbol), ...Object.fromEntries(told) });
}

/** By symbol, of rates that say how far apart settlements are. */
export function intervalHours(rates: Readonly<Record<string, { interval?: string | undefined }>>): Map<string, number> {
  const hours = new Map<string, number>();
  for (const [symbol, { interval }] of Object.entries(rates)) {
    const found = numberOf(/^(\d+)h$/.exec(interval ?? '')?.[1]);
    if (found !== undefined) hours.set(symbol, found);
  }
  return hours;
}

/** Has candles told with what the library drops: their quote volume, and the base volume where it counts contracts. */
export function tellVolumes(
  exchange: Exchange,
  volumesOf: (raw: never, market: CcxtMarket) => { turnover: unknown; volume?: number },
): void {
  const parse = exchange.parseOHLCV;
  const whole = (raw: unknown, market?: unknown) => {
    const row = parse.call(exchange, raw, market as never);
    const { turnover, volume } = volumesOf(raw as never, market as CcxtMarket);
    return [...row.slice(0, 5), volume ?? row[5], numberOf(turnover) ?? 0];
  };
  Object.assign(exchange, { parseOHLCV: whole });
}
