import { isSpot, kindOfName } from './listing';

const QUOTE = 'USDT';

/** `BTC-USDT-SWAP`, `BTC-USDT-261225`, `BTC-USDT`. */
export function idOf(symbol: string): string {
  const [, base, date] = /^(.+)USDT(?:_(?:SPOT|(\d{6})))?$/.exec(symbol) ?? [];
  if (base === undefined) throw new TypeError(`not a symbol of ours: ${symbol}`);
  const pair = `${base}-${QUOTE}`;
  if (isSpot(symbol)) return pair;
  return `${pair}-${date ?? 'SWAP'}`;
}

/** Ours; null for what is not followed: neither traded nor settled in USDT. */
export function symbolOf(id: string): string | null {
  const [, base, kind] = /^([^-]+)-USDT(?:-(SWAP|\d{6}))?$/.exec(id) ?? [];
  if (base === undefined) return null;
  const name = base + QUOTE;
  if (kind === undefined) return `${name}_SPOT`;
  return kind === 'SWAP' ? name : `${name}_${kind}`;
}

const TYPES = { spot: 'SPOT', perpetual: 'SWAP', future: 'FUTURES' } as const;
export const typeOf = (symbol: string): string => TYPES[kindOfName(symbol)];
