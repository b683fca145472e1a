import Big from 'big.js';
import { signedBy } from './decimal';

/** A fill of a deal with levels. */
export interface SlotFill {
  /** What of the deal it was for. */
  slot: string;
  /** UTC ms. */
  at: number;
  /** Base currency; negative is sold. Of a purchase what was received (F28). */
  signed: Big;
  /** USDT a coin. */
  price: Big;
  /** USDT, paid is positive. */
  fee: Big;
}

/** As the database keeps it: a side, and decimals as text. */
interface FillRow {
  slot: string | null;
  at: number;
  side: string;
  quantity: string;
  price: string;
  fee: string;
  feeInBase: string;
}

export function slotFill({ slot, at, side, quantity, price, fee, feeInBase }: FillRow): SlotFill {
  const signed = signedBy(side, new Big(quantity)).minus(feeInBase);
  return { slot: slot ?? '', at, signed, price: new Big(price), fee: new Big(fee) };
}
