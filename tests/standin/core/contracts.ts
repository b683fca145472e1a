import Big from 'big.js';
import type { BookLevel, Instrument } from '#server/market/exchange';
import { digitsOf } from './decimals';

/** Amounts as an exchange counts them: derivatives in contracts of so many lots, or in the base currency as spot. */
export class Contracts {
  readonly #lots: number | null;

  /** @param lots a contract; null where there are none */
  constructor(lots: number | null) {
    this.#lots = lots;
  }

  /** Base currency a contract. */
  size({ kind, lotSize }: Instrument): string {
    return kind === 'spot' || this.#lots === null ? '1' : new Big(lotSize!).times(this.#lots).toFixed();
  }

  /** The smallest step. */
  step(instrument: Instrument): string {
    return new Big(instrument.lotSize!).div(this.size(instrument)).toFixed();
  }

  /** Of an amount of the base currency. */
  of(base: number, instrument: Instrument): string {
    return (base / Number(this.size(instrument))).toFixed(digitsOf(this.step(instrument)));
  }

  /** Price and amount. */
  level({ ticks, lots }: BookLevel, instrument: Instrument): [price: string, amount: string] {
    return [
      price(ticks * Number(instrument.tickSize), instrument),
      this.of(lots * Number(instrument.lotSize), instrument),
    ];
  }
}

/** With as many digits as its step has. */
export const price = (value: number, { tickSize }: Instrument): string => value.toFixed(digitsOf(tickSize!));
