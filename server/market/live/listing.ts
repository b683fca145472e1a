import Big from 'big.js';
import type { MarketInterface as CcxtMarket } from 'ccxt';
import type { Instrument, InstrumentKind } from '../exchange';
import type { Adapter, Fees } from './adapter';

/** A symbol that the exchange lists, and what the library calls it. */
export interface LiveListing {
  /** `BTC/USDT:USDT`. */
  unified: string;
  instrument: Instrument;
  /** Of who has no discount, fractions of the notional; null where the exchange does not say. */
  fees: Fees | null;
}

const QUOTE = 'USDT';

/** Of a market that is followed; `null` for one of another kind. */
export function listingOf(
  market: CcxtMarket,
  { source, adapter, fundingHours }: { source: string; adapter: Adapter; fundingHours: number },
): LiveListing | null {
  const { symbol: unified, base } = market;
  const kind = kindOf(market);
  if (!(unified && base && kind)) return null;
  const expiresAt = kind === 'future' ? (market.expiry ?? null) : null;
  const contractSize = new Big(market.contractSize ?? 1);
  const first = adapter.listedAt(market) ?? 0;
  const { maker, taker } = adapter.baseFees?.[kind] ?? market;
  return {
    unified,
    fees: maker === undefined || taker === undefined ? null : { maker, taker },
    instrument: {
      symbol: nameOf(base, kind, expiresAt),
      ...{ kind, base, quote: QUOTE, settle: QUOTE, exchange: source, sector: null },
      contractSize: contractSize.toFixed(),
      expiresAt,
      // Nothing is stored yet.
      ...{ listedAt: first, lastAt: first, bars: [] },
      fundingHours: kind === 'perpetual' ? fundingHours : null,
      tickSize: decimal(market.precision?.price),
      lotSize: decimal(market.precision?.amount, contractSize),
      minNotional: decimal(market.limits?.cost?.min),
      maxLeverage: kind === 'spot' ? 1 : (market.limits?.leverage?.max ?? null),
    },
  };
}

/** Whether it is traded and settled in USDT, and listed still. */
export const isFollowed = ({ quote, settle, inverse, active }: CcxtMarket): boolean =>
  quote === QUOTE && (settle ?? QUOTE) === QUOTE && inverse !== true && active !== false;

function kindOf({ spot, swap, future }: CcxtMarket): InstrumentKind | undefined {
  if (swap) return 'perpetual';
  if (future) return 'future';
  return spot ? 'spot' : undefined;
}

/** As the simulated market names them: `BTCUSDT`, `BTCUSDT_SPOT`, `BTCUSDT_261225`. */
function nameOf(base: string, kind: InstrumentKind, expiresAt: number | null): string {
  const perpetual = `${base}${QUOTE}`;
  if (kind === 'perpetual') return perpetual;
  if (kind === 'spot') return `${perpetual}_SPOT`;
  return `${perpetual}_${new Date(expiresAt ?? 0).toISOString().slice(2, 10).replaceAll('-', '')}`;
}

/** When a future was delivered, by its name: all exchanges that are followed do it at 08:00 UTC. */
export function expiryOfName(symbol: string): number | null {
  const [, year, month, day] = /_(\d\d)(\d\d)(\d\d)$/.exec(symbol) ?? [];
  return year === undefined ? null : Date.UTC(2_000 + Number(year), Number(month) - 1, Number(day), 8);
}

/** Of what is stored nothing else tells. */
export function kindOfName(symbol: string): InstrumentKind {
  if (/_SPOT$/.test(symbol)) return 'spot';
  return /_\d{6}$/.test(symbol) ? 'future' : 'perpetual';
}

export const isSpot = (symbol: string): boolean => kindOfName(symbol) === 'spot';

function decimal(value: number | undefined, times: Big = new Big(1)): string | null {
  return value === undefined || value === null || !(value > 0) ? null : new Big(value).times(times).toFixed();
}
