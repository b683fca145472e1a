import type { Leg } from '#contract/lifecycle';
import type { SourceSymbol } from '../../symbolKey';

/** An instrument that a target is made of, and what it is there for: a leg's name. */
export interface TargetLeg {
  leg: string;
  source: string;
  symbol: string;
}

/** Where each leg of two is traded. */
export type Places = Record<Leg, SourceSymbol>;

/** @throws where the legs are not two, long and short. */
export function placesOf({ legs }: { legs: readonly TargetLeg[] }): Places {
  const [long, short] = legs;
  if (long?.leg !== 'long' || short?.leg !== 'short') throw new Error('a target has not two legs');
  return { long, short };
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
export function pairOf(target: { legs: readonly TargetLeg[] }): Pair {
  const { long, short } = placesOf(target);
  return { source: long.source, long: long.symbol, short: short.symbol };
}
