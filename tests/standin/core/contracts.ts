import Big from 'big.js';
import type { BookLevel, Instrument } from '#server/market/exchange';
import { digitsOf } from './decimals';

/** Amounts as an exchange counts them: derivatives in contracts of so many lots, spot in the base currency. */
export class Contracts {
  readonly #lots: number;

  constructor(lots: number) {
    this.#lots = lots;
  }

  /** Base currency a contract. */
  size({ kind, lotSize }: Instrument): string {
    return kind === 'spot' ? '1' : new Big(lotSize!).times(this.#lots).toFixed();
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
