import { VISITOR_DELAY_MS } from '#contract/evaluate';
import type { User } from '#contract/user';

/** Up to when the caller may see the market, UTC ms: a visitor is a quarter of an hour behind. */
export function visibleInstant(now: number, user: User | null): number {
  return user === null ? now - VISITOR_DELAY_MS : now;
}
