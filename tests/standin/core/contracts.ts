import Big from 'big.js';
import type { BookLevel, Instrument } from '#server/market/exchange';
import { digitsOf } from './decimals';

/** Amounts as an exchange counts them: derivatives in contracts of so many lots, or in the base currency as spot. */
export class Contracts {
  readonly #lots: number | null;
  /** What was counted once, by the lot it was counted of. */
  readonly #counts = new Map<string, { size: string; step: string; digits: number }>();

  /** @param lots a contract; null where there are none */
  constructor(lots: number | null) {
    this.#lots = lots;
  }

  /** Base currency a contract. */
  size(instrument: Instrument): string {
    return this.#countOf(instrument).size;
  }

  /** The smallest step. */
  step(instrument: Instrument): string {
    return this.#countOf(instrument).step;
  }

  /** Of an amount of the base currency. */
  of(base: number, instrument: Instrument): string {
    const { size, digits } = this.#countOf(instrument);
    return (base / Number(size)).toFixed(digits);
  }

  /** Price and amount. */
  level({ ticks, lots }: BookLevel, instrument: Instrument): [price: string, amount: string] {
    return [
      price(ticks * Number(instrument.tickSize), instrument),
      this.of(lots * Number(instrument.lotSize), instrument),
    ];
  }

  #countOf({ kind, lotSize }: Instrument) {
    const key = `${kind === 'spot'} ${lotSize}`;
    const known = this.#counts.get(key);
    if (known) return known;
    const lot = new Big(lotSize!);
    const size = kind === 'spot' || this.#lots === null ? new Big(1) : lot.times(this.#lots);
    const step = lot.div(size).toFixed();
    const count = { size: size.toFixed(), step, digits: digitsOf(step) };
    this.#counts.set(key, count);
    return count;
  }
}

/** With as many digits as its step has. */
export const price = (value: number, { tickSize }: Instrument): string => value.toFixed(digitsOf(tickSize!));
