/** What an account of derivatives holds, USDT. */
export interface Margin {
  maintenance: number;
  /** What it is held against (F23). */
  balance: number;
  /** What may leave it. */
  free: number;
}

/** F23, a fraction; `null` where nothing is held against. */
export const marginRatio = ({ maintenance, balance }: Margin): number | null =>
  balance > 0 ? maintenance / balance : null;

/**
 * What to move from the first account to the second so that both have one margin ratio, USDT; below 0 the other way
 * round, and never more than is free where it comes from.
 */
export function evenMove(one: Margin, other: Margin): number {
  const maintenance = one.maintenance + other.maintenance;
  if (maintenance === 0) return 0;
  const moved = one.balance - ((one.balance + other.balance) * one.maintenance) / maintenance;
  return Math.max(-other.free, Math.min(one.free, moved));
}
