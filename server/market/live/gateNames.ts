import { isSpot } from './listing';

/** What spot and perpetuals are called alike; delivery futures, which are not traded there, have a date behind it. */
export function pairOf(symbol: string): string {
  const [, base] = /^(.+)USDT(?:_SPOT)?$/.exec(symbol) ?? [];
  if (base === undefined) throw new TypeError(`not a symbol of ours: ${symbol}`);
  return `${base}_USDT`;
}

/** Ours; null for what is not traded: not in USDT. */
export function symbolOf(pair: unknown, house: 'spot' | 'futures'): string | null {
  const [, base] = /^(.+)_USDT$/.exec(String(pair)) ?? [];
  if (base === undefined) return null;
  return house === 'spot' ? `${base}USDT_SPOT` : `${base}USDT`;
}

/** Where a symbol is asked about, as its questions say it. */
export const placeOf = (symbol: string) =>
  isSpot(symbol) ? { currency_pair: pairOf(symbol) } : { settle: 'usdt', contract: pairOf(symbol) };
