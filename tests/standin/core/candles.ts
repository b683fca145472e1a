import { LRUCache } from 'lru-cache';
import { BAR_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { Market, Ticker } from '#server/market/exchange';

/** Prices in the quote currency, volume in base. */
export interface Candle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  turnover: number;
}

/** Lengths of bars that exchanges offer, in ms. */
export const INTERVAL_MS: Readonly<Record<string, number>> = {
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
};

const MINUTES_KEPT = 20_000;
/** Minutes are known by what was paid at these parts of them. */
const PARTS = [0, 0.5, 1];

/**
 * Candles of any length out of what a market keeps: whole hours and days are its own; shorter ones are what was paid in
 * between, so that the minutes of an hour begin and end where the hour does.
 */
export class Candles {
  readonly #market: Market;
  readonly #minutes = new LRUCache<string, Candle>({ max: MINUTES_KEPT });

  constructor(market: Market) {
    this.#market = market;
  }

  /** Candles that began at `from` or later and not after `until`, ascending; the one that runs is the last. @param now UTC ms */
  async within(symbol: string, interval: string, from: number, until: number, now: number): Promise<Candle[]> {
    const length = INTERVAL_MS[interval]!;
    const first = Math.ceil(from / length) * length;
    const last = Math.floor(Math.min(until, now) / length) * length;
    if (last < first) return [];
    const parts =
      length < HOUR_MS
        ? this.#paid(symbol, first, last + length, now)
        : await this.#hours(symbol, first, last + length, length);
    return joined(parts, length);
  }

  /** The same of any figure of a symbol, seen thrice a bar; without volume. */
  ofFigure(
    symbol: string,
    length: number,
    from: number,
    until: number,
    now: number,
    figure: (ticker: Ticker) => number | null,
  ): Candle[] {
    const candles: Candle[] = [];
    for (let time = Math.ceil(from / length) * length; time <= Math.min(until, now); time += length) {
      const seen = PARTS.map((part) => time + Math.floor(part * Math.min(length, now - time)));
      const figures = seen.flatMap((at) => {
        const ticker = this.#market.listed?.(symbol, at)?.ticker;
        return (ticker && figure(ticker)) ?? [];
      });
      if (figures.length < PARTS.length) continue;
      const [high, low] = [Math.max(...figures), Math.min(...figures)];
      candles.push({ time, open: figures[0]!, high, low, close: figures.at(-1)!, volume: 0, turnover: 0 });
    }
    return candles;
  }

  /** What the market keeps, in bars that fill `length`, and the hour that runs. */
  async #hours(symbol: string, start: number, end: number, length: number): Promise<Candle[]> {
    const bar = length % DAY_MS === 0 ? '1d' : length % BAR_MS['4h'] === 0 ? '4h' : '1h';
    const whole = await this.#stored(symbol, bar, start, end);
    const after = whole.length > 0 ? whole.at(-1)!.time + BAR_MS[bar] : start;
    const rest = bar === '1h' ? [] : await this.#stored(symbol, '1h', Math.max(after, end - length), end);
    const running = await this.#market.runningHour(symbol);
    return [...whole, ...rest, ...(running && running.time >= start && running.time < end ? [running] : [])];
  }

  async #stored(symbol: string, bar: '1d' | '4h' | '1h', start: number, end: number): Promise<Candle[]> {
    const stored = await this.#market.candles(symbol, bar, { start, end });
    if (!stored) return [];
    const { time, open, high, low, close, volume, turnover } = stored;
    return Array.from(time, (at, i) => ({
      time: at,
      open: open[i]!,
      high: high[i]!,
      low: low[i]!,
      close: close[i]!,
      volume: volume[i]!,
      turnover: turnover[i]!,
    }));
  }

  #paid(symbol: string, start: number, end: number, now: number): Candle[] {
    const minutes: Candle[] = [];
    for (let time = start; time < Math.min(end, now); time += MINUTE_MS) {
      const isWhole = time + MINUTE_MS <= now;
      const key = `${symbol} ${time}`;
      const minute = (isWhole && this.#minutes.get(key)) || this.#minute(symbol, time, Math.min(MINUTE_MS, now - time));
      if (!minute) continue;
      if (isWhole) this.#minutes.set(key, minute);
      minutes.push(minute);
    }
    return minutes;
  }

  #minute(symbol: string, time: number, length: number): Candle | null {
    const paid = PARTS.map((part) => this.#market.listed?.(symbol, time + Math.floor(part * length)) ?? null);
    const [first, , last] = paid;
    if (!first || !last || first.instrument.listedAt > time) return null;
    const prices = paid.flatMap((one) => (one ? [one.ticker.price] : []));
    const volume = ((last.ticker.volume24h ?? 0) * length) / DAY_MS;
    return {
      time,
      open: first.ticker.price,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: last.ticker.price,
      volume,
      turnover: volume * last.ticker.price,
    };
  }
}

/** Candles of one length out of shorter ones, ascending. */
function joined(parts: readonly Candle[], length: number): Candle[] {
  const candles: Candle[] = [];
  for (const part of parts) {
    const time = Math.floor(part.time / length) * length;
    const open = candles.at(-1);
    if (open?.time !== time) {
      candles.push({ ...part, time });
      continue;
    }
    open.high = Math.max(open.high, part.high);
    open.low = Math.min(open.low, part.low);
    open.close = part.close;
    open.volume += part.volume;
    open.turnover += part.turnover;
  }
  return candles;
}
