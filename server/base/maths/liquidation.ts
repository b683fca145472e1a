/** One position against its account; USDT, base currency. */
export interface LiquidationInput {
  /** Signed: long is positive, never 0. */
  quantity: number;
  mark: number;
  /** Maintenance margin of this position, a fraction of its notional. */
  maintenanceRate: number;
  /** Margin balance (coins at what they back) and maintenance margin of the whole account. */
  balance: number;
  maintenance: number;
}

/**
 * The price at which the account's margin ratio (F23) reaches 1 if only this symbol moves. With the other positions'
 * maintenance M' = M - |q| m c, the balance B + q (p - m) meets M' + |q| p c at p = (M' - B + q m) / (q - |q| c).
 * @returns the mark itself where the ratio is there already; `null` where no positive price leads to it.
 */
export function liquidationPrice(input: LiquidationInput): number | null {
  const { quantity, mark, maintenanceRate, balance, maintenance } = input;
  if (balance <= maintenance) return mark;
  const size = Math.abs(quantity);
  const others = maintenance - size * mark * maintenanceRate;
  const price = (others - balance + quantity * mark) / (quantity - size * maintenanceRate);
  return Number.isFinite(price) && price > 0 ? price : null;
}
