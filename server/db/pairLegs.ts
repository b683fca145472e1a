/** An instrument that a target is made of, and what it is there for: a leg's name. */
export interface TargetLeg {
  leg: string;
  source: string;
  symbol: string;
}

/** Two coins of one source that are held against each other. */
export interface Pair {
  source: string;
  long: string;
  short: string;
}

export const legsOf = ({ source, long, short }: Pair): TargetLeg[] => [
  { leg: 'long', source, symbol: long },
  { leg: 'short', source, symbol: short },
];

/** @throws where the legs are no pair's. */
export function pairOf({ legs }: { legs: readonly TargetLeg[] }): Pair {
  const [long, short] = legs;
  if (long?.leg !== 'long' || short?.leg !== 'short') throw new Error('a target is no pair');
  return { source: long.source, long: long.symbol, short: short.symbol };
}
