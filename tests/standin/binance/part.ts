import type { BookLevel, Instrument, InstrumentKind, Listing, OrderBook } from '#server/market/exchange';
import { digitsOf } from '../core/decimals';
import type { Exchange } from '../core/exchange';
import { invalidSymbol } from './refusal';

/** Spot and USDT futures of binance are two exchanges in many ways: other addresses, the same names for other things, other digits. */
export type PartName = 'spot' | 'futures';

/** The simulated market calls spot apart from the perpetual. */
const SPOT_ENDS = '_SPOT';
const KINDS: Readonly<Record<PartName, readonly InstrumentKind[]>> = {
  spot: ['spot'],
  futures: ['perpetual', 'future'],
};
/** Spot writes every figure with so many digits; futures with those of the step. */
const SPOT_DIGITS = 8;

export class Part {
  readonly name: PartName;
  readonly exchange: Exchange;

  constructor(name: PartName, exchange: Exchange) {
    this.name = name;
    this.exchange = exchange;
  }

  get kinds(): readonly InstrumentKind[] {
    return KINDS[this.name];
  }

  /** What the simulated market calls what binance calls `id`. */
  symbolOf(id: string): string {
    return this.name === 'spot' ? id + SPOT_ENDS : id;
  }

  idOf(symbol: string): string {
    return symbol.endsWith(SPOT_ENDS) ? symbol.slice(0, -SPOT_ENDS.length) : symbol;
  }

  /** @throws where it is not listed */
  listed(id: string): Listing {
    const listing = /^[\p{Lu}\p{Lo}0-9_]{1,20}$/u.test(id) ? this.exchange.listed(this.symbolOf(id)) : null;
    if (!listing || !this.kinds.includes(listing.instrument.kind)) throw invalidSymbol();
    return listing;
  }

  price(value: number, { tickSize }: Instrument): string {
    return value.toFixed(this.name === 'spot' ? SPOT_DIGITS : digitsOf(tickSize!));
  }

  quantity(value: number, { lotSize }: Instrument): string {
    return value.toFixed(this.name === 'spot' ? SPOT_DIGITS : digitsOf(lotSize!));
  }

  /** Price and quantity of a level. */
  level({ ticks, lots }: BookLevel, instrument: Instrument): [string, string] {
    return [
      this.price(ticks * Number(instrument.tickSize), instrument),
      this.quantity(lots * Number(instrument.lotSize), instrument),
    ];
  }

  /** Best prices with their quantities; zeros where nobody is. */
  best(book: OrderBook | undefined, instrument: Instrument) {
    const [bid, ask] = [book?.bids[0], book?.asks[0]].map((level) =>
      this.level(level ?? { ticks: 0, lots: 0 }, instrument),
    );
    return { bid: bid!, ask: ask! };
  }
}
