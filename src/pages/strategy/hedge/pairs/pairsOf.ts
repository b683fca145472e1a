import type { HedgeDesk, HedgePair } from '#contract/kinds/hedge/config';
import type { PairBlock } from '#contract/lifecycle';

/** What keeps every pair out: the engine says it of a pair only once it has looked at it. */
function blockOfAll({ enabled, paused, pausedForAll, lossLimitHit }: HedgeDesk): PairBlock | null {
  if (!enabled) return 'disabled';
  if (pausedForAll !== null) return 'pausedForAll';
  if (lossLimitHit) return 'lossLimit';
  return paused === null ? null : 'paused';
}

/** The pairs, each with what keeps it out. */
export function pairsOf(desk: HedgeDesk): HedgePair[] {
  const block = blockOfAll(desk);
  return desk.pairs.map((pair) => (pair.block === null && block !== null ? { ...pair, block } : pair));
}
