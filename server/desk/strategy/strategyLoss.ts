import type { GuardRow } from '../../base/db/strategies/strategyGuard';
import { type AccountClock, lossFromOf } from '../../base/maths/dayBoundary';
import type { DeskDeps } from '../deps';
import { strategySums } from './strategySums';
import { dayOf, strategyTracks, type Track } from './strategyTrack';

interface Counted extends AccountClock {
  guard: GuardRow | null;
  track: Track;
}

/** Net PnL at the last midnight; 0 for what had booked nothing before. */
export const atMidnight = (track: Track): number | null =>
  track.every((value) => value === null) ? 0 : (track.at(-1) ?? null);

/**
 * Net PnL from which a strategy's loss of the account's day is counted, USDT: as the engine found it, else at the day's
 * own midnight; `null` where nobody knows.
 */
export function lossBaseOf({ track, guard, ...clock }: Counted, now: number): number | null {
  const resumedAt = guard?.resumedAt ?? null;
  const from = lossFromOf(clock, resumedAt, now);
  if (guard?.lossFrom === from) return guard.lossBase;
  if (from === resumedAt) return guard?.resumedNet ?? null;
  return from === dayOf(now) ? atMidnight(track) : null;
}

/** What a strategy has made of the account's day so far, USDT; `null` where something held has no price. */
export async function dayResultOf(
  needs: Pick<DeskDeps, 'db' | 'markets'>,
  id: string,
  { guard, day, dayBoundary }: Omit<Counted, 'track'>,
  now: number,
): Promise<number | null> {
  const [sums, tracks] = await Promise.all([strategySums(needs, [id], now), strategyTracks(needs, [id], now)]);
  const base = lossBaseOf({ guard, day, dayBoundary, track: tracks.get(id) ?? [] }, now);
  const net = sums.get(id)?.net ?? null;
  return net === null || base === null ? null : net - base;
}
