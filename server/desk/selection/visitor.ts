import { VISITOR_DELAY_MS, VISITOR_ROWS } from '#contract/evaluate';
import type { User } from '#contract/user';

/** Up to when the caller may see the market, UTC ms: a visitor is a quarter of an hour behind. */
export function visibleInstant(now: number, user: User | null): number {
  return user === null ? now - VISITOR_DELAY_MS : now;
}

/** What the caller may see of the coins, which come best ranked first: a visitor the first of them. */
export function visibleCoins<Row>(ranked: Row[], user: User | null): Row[] {
  return user === null ? ranked.slice(0, VISITOR_ROWS) : ranked;
}
