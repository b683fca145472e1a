import type { Instrument, InstrumentKind, Listing } from '#server/market/exchange';
import { Contracts } from '../core/contracts';
import type { Exchange } from '../core/exchange';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';

export const CATEGORIES: Readonly<Record<string, readonly InstrumentKind[]>> = {
  spot: ['spot'],
  linear: ['perpetual', 'future'],
};
/** In the base currency, as spot. */
export const AMOUNTS = new Contracts(null);
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

export const wrong = (name: string) => new Refusal('10001', `params error: ${name} invalid`);
export const categoryOf = (isSpot: boolean): 'spot' | 'linear' => (isSpot ? 'spot' : 'linear');

/** `BTCUSDT`, and `BTCUSDT-25DEC26` for what is called `BTCUSDT_261225` here. */
export function idOf({ base, quote, expiresAt }: Instrument): string {
  if (expiresAt === null) return base + quote;
  const at = new Date(expiresAt);
  const [day, year] = [at.getUTCDate(), at.getUTCFullYear()];
  return `${base}${quote}-${String(day).padStart(2, '0')}${MONTHS[at.getUTCMonth()]}${year % 100}`;
}

export function symbolOf(id: string, isSpot: boolean): string {
  const [pair = '', day] = id.split('-');
  if (day === undefined) return isSpot ? `${pair}_SPOT` : pair;
  const month = String(MONTHS.indexOf(day.slice(2, 5)) + 1).padStart(2, '0');
  return `${pair}_${day.slice(5)}${month}${day.slice(0, 2)}`;
}

/** @throws where it is not listed */
export function listedAs(exchange: Exchange, id: string, isSpot: boolean): Listing {
  const listing = exchange.listed(symbolOf(id, isSpot));
  if (!listing) throw new Refusal('10001', 'params error: Symbol Invalid');
  return listing;
}

/** Whether spot is meant. */
export const isSpotAsked = (params: Params): boolean => params.oneOf('category', Object.keys(CATEGORIES)) === 'spot';

/** Of derivatives numbers are UUIDs, of spot they are numbers. */
export const wide = (id: number, isSpot: boolean): string =>
  isSpot ? String(id) : `5a1d0c3e-0000-4000-8000-${id.toString(16).padStart(12, '0')}`;

export const narrow = (id: string): number => (id.includes('-') ? Number.parseInt(id.slice(-12), 16) : Number(id));
