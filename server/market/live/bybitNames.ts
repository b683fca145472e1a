import { isSpot } from './listing';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

export const categoryOf = (symbol: string): 'spot' | 'linear' => (isSpot(symbol) ? 'spot' : 'linear');

/** `BTCUSDT`, of spot too, and `BTCUSDT-25DEC26`. */
export function idOf(symbol: string): string {
  const [, pair, year, month, day] = /^(.+USDT)(?:_(?:SPOT|(\d\d)(\d\d)(\d\d)))?$/.exec(symbol) ?? [];
  if (pair === undefined) throw new TypeError(`not a symbol of ours: ${symbol}`);
  return year === undefined ? pair : `${pair}-${day}${MONTHS[Number(month) - 1]}${year}`;
}

/** Where a symbol is found there. */
export const placeOf = (symbol: string) => ({ category: categoryOf(symbol), symbol: idOf(symbol) });

/** Ours; null for what is not followed: neither traded nor settled in USDT. */
export function symbolOf(category: unknown, id: unknown): string | null {
  const [, pair, day, month, year] = /^([^-]+USDT)(?:-(\d\d)([A-Z]{3})(\d\d))?$/.exec(String(id)) ?? [];
  if (pair === undefined || (category !== 'spot' && category !== 'linear')) return null;
  if (category === 'spot') return `${pair}_SPOT`;
  return day === undefined ? pair : `${pair}_${year}${String(MONTHS.indexOf(month!) + 1).padStart(2, '0')}${day}`;
}
