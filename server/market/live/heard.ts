import type { MarketInterface as CcxtMarket, Exchange } from 'ccxt';
import type { Heard, HeardRows } from './adapter';

/** Undefined for what is no number, or is not told. */
export function numberOf(value: unknown): number | undefined {
  const number = value === '' ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Zero is how an exchange says that there is none. */
export const priceOf = (value: unknown): number | undefined => numberOf(value) || undefined;

/** Of the day, a fraction, where it is not told. */
export function changeOf(last: unknown, open: unknown): number | undefined {
  const from = priceOf(open);
  return from === undefined ? undefined : numberOf(Number(last) / from - 1);
}

/** What rows say of symbols that are followed. */
export function heardIn<R>(
  rows: readonly R[],
  symbolOf: (row: R) => string | undefined,
  heardOf: (row: R, symbol: string) => Heard,
): HeardRows {
  return rows.flatMap((row) => {
    const symbol = symbolOf(row);
    return symbol === undefined ? [] : [[symbol, heardOf(row, symbol)] as const];
  });
}

/** Adds to what was heard of symbols; what is not told leaves what was. */
export function addHeard(all: Map<string, Heard>, rows: HeardRows): void {
  for (const [symbol, heard] of rows) {
    const told = Object.entries(heard).filter(([, value]) => value !== undefined);
    all.set(symbol, { ...all.get(symbol), ...Object.fromEntries(told) });
  }
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
