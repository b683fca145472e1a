/** One leg of a roll at its quantity: average price and middle (quote currency), fee as a fraction. */
export interface RollLeg {
  price: number;
  mid: number;
  fee: number;
}

/**
 * What letting a leg go on in another instrument costs, quote currency: both fees, and how far both average prices lie
 * from their middles (F9). The other leg of the spread is not traded.
 * @param quantity base currency.
 */
export function rollCost(quantity: number, legs: readonly RollLeg[]): { fees: number; slippage: number; cost: number } {
  const fees = legs.reduce((sum, { price, fee }) => sum + quantity * price * fee, 0);
  const slippage = legs.reduce((sum, { price, mid }) => sum + quantity * Math.abs(price - mid), 0);
  return { fees, slippage, cost: fees + slippage };
}

/** A leg that is held: signed quantity, its signed cost and what it has realised, quote currency. */
interface HeldLeg {
  quantity: number;
  cost: number;
  realised: number;
}

/**
 * What a spread will have made when both its legs stand at one price, quote currency: what the legs were opened apart,
 * what is realised already, and what is left over of one of them at that price, less what leaving costs.
 * @param price at which both end. @param leaving fee of each leg at its end, fractions.
 */
export function convergedPnl(
  legs: readonly HeldLeg[],
  price: number,
  leaving: readonly number[],
  { funding, fees }: { funding: number; fees: number },
): number {
  const made = legs.reduce((sum, { quantity, cost, realised }) => sum + realised + quantity * price - cost, 0);
  const left = legs.reduce((sum, { quantity }, i) => sum + Math.abs(quantity) * price * (leaving[i] ?? 0), 0);
  return made + funding - fees - left;
}
