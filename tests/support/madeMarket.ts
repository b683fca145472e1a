import { BAR_MS, type Bar } from '#contract/candle';
import type { Candles, FundingHistory, Instrument, Market, Markets } from '../../server/exchange/exchange';

const BARS: Bar[] = ['1d', '4h', '1h'];
const HOUR_MS = 3_600_000;

/** One coin of a market made for a test: closes per bar from `from` on (opening instant of the first bar, UTC ms). */
export interface MadeCoin {
  from: number;
  closes: Partial<Record<Bar, readonly number[]>>;
  /** Rate of every settlement, every `fundingHours` from `from` on; without it the coin has no funding. */
  funding?: readonly number[];
  fundingHours?: number;
}

const shared = (values: readonly number[]): Float64Array => {
  const column = new Float64Array(new SharedArrayBuffer(values.length * 8));
  column.set(values);
  return column;
};

function candlesOf({ from, closes }: MadeCoin, bar: Bar): Candles | null {
  const values = closes[bar];
  if (values === undefined) return null;
  const close = shared(values);
  const none = shared(values.map(() => 1));
  const time = shared(values.map((_, i) => from + i * BAR_MS[bar]));
  return { time, open: close, high: close, low: close, close, volume: none, turnover: none };
}

function fundingOf({ from, funding, fundingHours = 8 }: MadeCoin): FundingHistory | null {
  if (funding === undefined) return null;
  return { time: shared(funding.map((_, i) => from + (i + 1) * fundingHours * HOUR_MS)), rate: shared(funding) };
}

function instrumentOf(symbol: string, exchange: string, coin: MadeCoin): Instrument {
  const bars = BARS.filter((bar) => coin.closes[bar] !== undefined);
  const coarsest = bars[0] ?? '1d';
  return {
    symbol,
    base: symbol.replace(/USDT$/, ''),
    quote: 'USDT',
    exchange,
    sector: null,
    listedAt: coin.from,
    lastAt: coin.from + ((coin.closes[coarsest]?.length ?? 1) - 1) * BAR_MS[coarsest],
    bars,
    fundingHours: coin.fundingHours ?? (coin.funding ? 8 : null),
    tickSize: null,
    lotSize: null,
    minNotional: null,
    maxLeverage: null,
  };
}

/** A source whose candles a test chose; columns are made once, as a cache would keep them. */
export function madeMarket(source: string, coins: Record<string, MadeCoin>): Market {
  const kept = new Map<string, Candles | null>();
  const settled = new Map(Object.entries(coins).map(([symbol, coin]) => [symbol, fundingOf(coin)]));
  return {
    source,
    kind: 'imported',
    version: () => '1',
    instruments: async () => Object.entries(coins).map(([symbol, coin]) => instrumentOf(symbol, source, coin)),
    candles: async (symbol, bar) => {
      const coin = coins[symbol];
      const key = `${symbol} ${bar}`;
      if (!kept.has(key)) kept.set(key, coin ? candlesOf(coin, bar) : null);
      return kept.get(key) ?? null;
    },
    funding: async (symbol) => settled.get(symbol) ?? null,
    tickers: async () => [],
  };
}

/** Several of them as the server's markets. */
export function madeMarkets(...markets: Market[]): Markets {
  return { list: async () => markets, get: async (source) => markets.find((market) => market.source === source) };
}
