import type { PairWarning } from '#contract/pair';

interface Relation {
  hedgeRatio: number | null;
  adfP: number | null;
  rSquared: number | null;
}

/** Above it a spread may as well be a random walk. */
const ADF_LIMIT = 0.1;
/** Below it the short side hardly explains the long one. */
const FIT_LIMIT = 0.2;

/**
 * What speaks against going long the spread of a pair. What is unknown speaks against nothing.
 * @param z at which it is, or was, entered (F14).
 */
export function pairWarnings({ hedgeRatio, adfP, rSquared }: Relation, z: number | null): PairWarning[] {
  const said: [PairWarning, boolean][] = [
    ['hedgeRatio', hedgeRatio !== null && hedgeRatio <= 0],
    ['adf', adfP !== null && adfP > ADF_LIMIT],
    ['fit', rSquared !== null && rSquared < FIT_LIMIT],
    ['againstZ', z !== null && z > 0],
  ];
  return said.flatMap(([warning, holds]) => (holds ? [warning] : []));
}
