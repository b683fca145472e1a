import { DAY_MS } from '#contract/duration';
import { COINS, type CoinSpec, NEWCOMERS } from './coins';
import { EPOCH_MS } from './time';

/** A coin as it is listed at some instant. Both instants UTC ms at 00:00; `stoppedAt` is excluded from trading. */
export interface Listing {
  spec: CoinSpec;
  listedAt: number;
  stoppedAt: number | null;
}

const NEWCOMERS_LISTED = 8;
const NEWCOMER_EVERY_MS = 25 * DAY_MS;
const NEWCOMER_TRADED_MS = 170 * DAY_MS;

/**
 * All coins listed at `instant`. The list moves on by itself, so that whenever the product is started
 * there are coins younger than 31 and than 60 days, and one that stopped trading.
 */
export function listingsAt(instant: number): Listing[] {
  // A coin appears once its first day has closed: before that there is nothing to show of it.
  const listedBefore = instant - DAY_MS;
  const lasting = COINS.map((spec) => ({ spec, listedAt: spec.listedAt ?? EPOCH_MS, stoppedAt: null })).filter(
    ({ listedAt }) => listedAt <= listedBefore,
  );
  const newest = Math.floor((listedBefore - EPOCH_MS) / NEWCOMER_EVERY_MS);
  const newcomers: Listing[] = [];
  for (let turn = Math.max(0, newest - NEWCOMERS_LISTED + 1); turn <= newest; turn += 1) {
    const listedAt = EPOCH_MS + turn * NEWCOMER_EVERY_MS;
    newcomers.push({
      spec: NEWCOMERS[turn % NEWCOMERS.length]!,
      listedAt,
      stoppedAt: instant >= listedAt + NEWCOMER_TRADED_MS ? listedAt + NEWCOMER_TRADED_MS : null,
    });
  }
  return [...lasting, ...newcomers];
}
