import type { PairBlock } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';
import { type Blocked, blocked, type EntryBook, marketBlock, strongestGuard } from './entries';
import type { EntryContext } from './runner';
import type { TargetBook } from './tradingBook';

/** What a scanner says in its own words. */
export const blockOf = (obstacle: Obstacle): PairBlock => (obstacle === 'minimum' ? 'belowMinimum' : obstacle);

/**
 * What every kind that opens on a scanner's row asks first: that nothing is open, it may open at all, and neither the
 * row nor the market speaks against it. @param maxDeals deals of the strategy at once. @returns the row, or why not.
 */
export function entryGate<R extends { obstacles: readonly Obstacle[] }>(
  book: EntryBook,
  { id }: Pick<TargetBook, 'id'>,
  context: Omit<EntryContext, 'observed'>,
  row: R | null,
  maxDeals = Number.POSITIVE_INFINITY,
): { row: R } | Blocked {
  if (book.deals.some(({ targetId }) => targetId === id)) return blocked('open');
  const guard = strongestGuard(book, context);
  if (guard !== null) return blocked(guard);
  if (book.deals.length >= maxDeals) return blocked('slots');
  if (row === null) return blocked('incomplete');
  const [obstacle] = row.obstacles;
  if (obstacle !== undefined) return blocked(blockOf(obstacle));
  const market = marketBlock(context);
  return market === null ? { row } : blocked(market);
}
