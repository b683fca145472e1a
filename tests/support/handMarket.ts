import { type Bar, isLiveSource, SIMULATED } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import type { Candles } from '#server/base/maths/candles';
import {
  type Clock,
  type FundingHistory,
  type Instrument,
  type Market,
  type Markets,
  NOTHING_KNOWN,
  type Ticker,
  WITHOUT_VENUE,
} from '#server/market/exchange';

const MS: Record<Bar, number> = { '1d': 24 * HOUR_MS, '4h': 4 * HOUR_MS, '1h': HOUR_MS };

/** A coin written down by hand: its closes by bar, `null` for a bar that is missing. */
export interface HandCoin {
  base?: string;
  start: number;
  closes: Partial<Record<Bar, (number | null)[]>>;
  funding?: { time: number[]; rate: number[] };
  instrument?: Partial<Instrument>;
  ticker?: Partial<Ticker>;
  /** A price that moves: the tickers are of the very instant then, and announce the settlements of `instrument.fundingHours`. */
  price?: (at: number) => number;
}

function kindOf(source: string): Market['kind'] {
  if (source === 'simulated') return 'simulated';
  return isLiveSource(source) ? 'live' : 'imported';
}

function candlesOf(start: number, bar: Bar, closes: (number | null)[]): Candles {
  const rows = closes.flatMap((close, i) => (close === null ? [] : [{ time: start + i * MS[bar], close }]));
  const column = (value: (row: { time: number; close: number }) => number) => Float64Array.from(rows, value);
  return {
    time: column(({ time }) => time),
    open: column(({ close }) => close),
    high: column(({ close }) => close * 1.01),
    low: column(({ close }) => close * 0.99),
    close: column(({ close }) => close),
    volume: column(() => 10),
    turnover: column(({ close }) => close * 10),
  };
}

function movingTicker(symbol: string, { price, instrument, ticker }: HandCoin, at: number): Ticker {
  const interval = (instrument?.fundingHours ?? 0) * HOUR_MS;
  const nextFundingAt = interval > 0 ? (Math.floor(at / interval) + 1) * interval : null;
  return { symbol, at, price: price!(at), ...NOTHING_KNOWN, nextFundingAt, ...ticker };
}

/**
 * One source with the coins given, and nothing that was not given.
 * @param clock the present of prices that move
 */
export function handMarket(source: string, coins: Record<string, HandCoin>, clock: Clock = () => 0): Market {
  const names = Object.keys(coins).sort();
  const candles = new Map(
    names.map((name) => {
      const { start, closes } = coins[name]!;
      const bars = Object.entries(closes) as [Bar, (number | null)[]][];
      return [name, new Map(bars.map(([bar, values]) => [bar, candlesOf(start, bar, values)]))];
    }),
  );
  const instrumentOf = (name: string): Instrument => {
    const bars = (['1d', '4h', '1h'] as const).filter((bar) => coins[name]!.closes[bar] !== undefined);
    const coarsest = candles.get(name)!.get(bars[0]!)!;
    return {
      symbol: name,
      base: coins[name]!.base ?? name.replace(/USDT$/, ''),
      kind: 'perpetual',
      quote: 'USDT',
      settle: 'USDT',
      contractSize: '1',
      expiresAt: null,
      exchange: source,
      sector: null,
      listedAt: coarsest.time[0]!,
      lastAt: coarsest.time.at(-1)!,
      bars,
      fundingHours: null,
      tickSize: null,
      lotSize: null,
      minNotional: null,
      maxLeverage: null,
      ...coins[name]!.instrument,
    };
  };
  return {
    ...WITHOUT_VENUE,
    source,
    kind: kindOf(source),
    version: () => '1',
    instruments: async () => names.map(instrumentOf),
    candles: async (name, bar, range) => {
      const all = candles.get(name)?.get(bar) ?? null;
      if (all === null || range === undefined) return all;
      const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
      const kept = Array.from(all.time.keys()).filter((i) => all.time[i]! >= start && all.time[i]! < end);
      const cut = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]!);
      const entries = Object.entries(all).map(([key, column]) => [key, cut(column as Float64Array)]);
      return Object.fromEntries(entries) as unknown as Candles;
    },
    runningHour: async (name) => {
      const price = coins[name]?.price;
      const at = clock();
      const time = at - (at % HOUR_MS);
      if (price === undefined || at === time) return null;
      const ends = [price(time), price(at)] as const;
      return {
        ...{ time, at, open: ends[0], high: Math.max(...ends), low: Math.min(...ends), close: ends[1] },
        ...{ volume: 1, turnover: ends[1] },
      };
    },
    funding: async (name, range): Promise<FundingHistory | null> => {
      const given = coins[name]?.funding;
      if (given === undefined) return null;
      const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range ?? {};
      const kept = [...given.time.keys()].filter((i) => given.time[i]! >= start && given.time[i]! < end);
      return {
        time: Float64Array.from(kept, (i) => given.time[i]!),
        rate: Float64Array.from(kept, (i) => given.rate[i]!),
        hours: Float64Array.from(kept, () => coins[name]!.instrument?.fundingHours ?? 8),
      };
    },
    tickers: async (at = clock()) =>
      names.map((name) => {
        if (coins[name]!.price) return movingTicker(name, coins[name]!, at);
        const [bar, columns] = [...candles.get(name)!.entries()][0]!;
        const closedAt = columns.time.at(-1)! + MS[bar];
        return { symbol: name, at: closedAt, price: columns.close.at(-1)!, ...NOTHING_KNOWN, ...coins[name]!.ticker };
      }),
  };
}

export function handMarkets(...markets: Market[]): Markets {
  return {
    home: markets[0]?.source ?? SIMULATED,
    list: async () => markets,
    get: async (source) => markets.find((market) => market.source === source),
    traded: () => markets,
  };
}
