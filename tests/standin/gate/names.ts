import { SECOND_MS } from '#contract/duration';
import type { Instrument, InstrumentKind, Listing } from '#server/market/exchange';
import type { Account } from '../core/account';
import { Contracts } from '../core/contracts';
import type { Exchange } from '../core/exchange';
import { Refusal } from '../core/publicDialect';

/** Its two houses of what is settled in USDT. */
export const HOUSES = { futures: 'perpetual', delivery: 'future' } as const satisfies Record<string, InstrumentKind>;
export type House = keyof typeof HOUSES;
export const SPOT_WS = '/ws/v4/';
export const CONTRACTS = new Contracts(1);
export const USDT = 'USDT';

export const seconds = (ms: number): number => Math.floor(ms / SECOND_MS);

/** What a customer has at delivery is an account of its own beside the one of spot and perpetuals. */
export const accountAt = (exchange: Exchange, { name }: Pick<Account, 'name'>, house: House): Account =>
  exchange.trading.account(house === 'delivery' ? `${name} delivery` : name);

/** @throws where the house does not list it */
export function contractAt(exchange: Exchange, house: House, id: string): Listing {
  const listing = exchange.listed(symbolOf(id));
  if (listing?.instrument.kind !== HOUSES[house]) throw new Refusal('CONTRACT_NOT_FOUND', 'contract not found', 400);
  return listing;
}

/** @throws where it is not listed */
export function pairAt(exchange: Exchange, id: string): Listing {
  const listing = exchange.listed(symbolOf(id, true));
  if (!listing) throw new Refusal('INVALID_CURRENCY_PAIR', 'Invalid currency pair', 400);
  return listing;
}

/** `BTC_USDT`, and `BTC_USDT_20261225` for what is called `BTCUSDT_261225` here. */
export function idOf({ base, quote, symbol, kind }: Instrument): string {
  const day = symbol.split('_')[1];
  return kind === 'spot' || day === undefined ? `${base}_${quote}` : `${base}_${quote}_20${day}`;
}

export function symbolOf(id: string, isSpot = false): string {
  const [base = '', quote = '', day] = id.split('_');
  if (isSpot) return `${base}${quote}_SPOT`;
  return day === undefined ? base + quote : `${base}${quote}_${day.slice(2)}`;
}
