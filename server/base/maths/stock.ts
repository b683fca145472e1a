import { totalOf } from './decimal';

/** Coin of a strategy that no deal holds, as it came to one place and left it. */
export interface StockLot {
  /** The same coin has the same name at every venue. */
  coin: string;
  /** Signed, base currency: below 0 where more was sold than bought. */
  quantity: number;
  /** What was paid for it less what was got for it, USDT. */
  cost: number;
  /** USDT; `null` where there is none. */
  mark: number | null;
}

/** Stock at the marks, USDT; `null` where a coin that is held has no price. */
export interface StockWorth {
  /** Absolute and signed. */
  notional: number | null;
  exposure: number | null;
  /** What it has made or lost since it came. */
  pnl: number | null;
}

/** What is left of a coin below this is the rounding of a sum. */
const NOTHING_LEFT = 1e-9;

/**
 * What a strategy's own coin is worth and has made (F31): coin by coin over all venues, each at the mean of its marks, so
 * that moving it from one venue to another makes nothing.
 */
export function stockWorth(lots: readonly StockLot[]): StockWorth {
  const coins = [...new Set(lots.map(({ coin }) => coin))];
  const values = coins.map((coin) => {
    const own = lots.filter((lot) => lot.coin === coin);
    const quantity = own.reduce((sum, lot) => sum + lot.quantity, 0);
    if (Math.abs(quantity) < NOTHING_LEFT) return 0;
    const marks = own.filter((lot) => Math.abs(lot.quantity) >= NOTHING_LEFT).map(({ mark }) => mark);
    const sum = totalOf(marks);
    return sum === null ? null : (quantity * sum) / marks.length;
  });
  const exposure = totalOf(values);
  return {
    notional: totalOf(values.map((value) => value && Math.abs(value))),
    exposure,
    pnl: exposure === null ? null : exposure - lots.reduce((sum, { cost }) => sum + cost, 0),
  };
}
