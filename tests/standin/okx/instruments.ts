import type Big from 'big.js';
import type { Instrument, InstrumentKind, Listing } from '#server/market/exchange';
import { Contracts } from '../core/contracts';
import type { Exchange } from '../core/exchange';
import { Refusal } from '../core/publicDialect';

export const KINDS: Readonly<Record<string, InstrumentKind>> = { SPOT: 'spot', SWAP: 'perpetual', FUTURES: 'future' };
export const TYPES = Object.fromEntries(Object.entries(KINDS).map(([type, kind]) => [kind, type]));
export const CONTRACTS = new Contracts(10);

export const wrong = (name: string) => new Refusal('51000', `Parameter ${name} error`, 400);

/** `BTC-USDT-SWAP`, `BTC-USDT-261225`, `BTC-USDT`. */
export function idOf({ base, quote, kind, symbol }: Instrument): string {
  const pair = `${base}-${quote}`;
  if (kind === 'spot') return pair;
  return kind === 'perpetual' ? `${pair}-SWAP` : `${pair}-${symbol.split('_')[1]}`;
}

export function symbolOf(id: string): string {
  const [base = '', quote = '', kind] = id.split('-');
  if (kind === undefined) return `${base}${quote}_SPOT`;
  return kind === 'SWAP' ? base + quote : `${base}${quote}_${kind}`;
}

/** @throws where it is not listed */
export function listedAs(exchange: Exchange, id: string | null): Listing {
  const listing = id ? exchange.listed(symbolOf(id)) : null;
  if (!listing) throw new Refusal('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
  return listing;
}

/** Of an amount of the base currency: contracts, or as it is. */
export const sizeOf = (quantity: Big, instrument: Instrument): string =>
  quantity.div(CONTRACTS.size(instrument)).toFixed();

/** Numbers of orders and bills have more digits than a number holds. */
export const wide = (id: number): string => `28${String(id).padStart(17, '0')}`;
