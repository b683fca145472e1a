import { basketIndex, LEAST_BARS, logSpread, zScores } from './pair';
import type { Stretch } from './simulation';

/** When a pair is held: the rules of the hedge desk. Fractions are of the notional of both sides; `null` switches one off. */
export interface ZRule {
  /** In at a close with z at or below minus this, over so many closes (F13, F14). */
  entryZ: number;
  window: number;
  /** Out at z at or above minus this. */
  exitZ: number;
  stopLoss: number | null;
  takeProfit: number | null;
  maxHoldingMs: number | null;
}

interface Pair {
  /** Columns of closes on the whole common history, also of before the run. */
  long: readonly Float64Array[];
  short: readonly Float64Array[];
  /** Closing instants of that history, UTC ms, and those of it that the run has. */
  time: Float64Array;
  first: number;
  end: number;
  /** Of going in, a fraction of the notional. */
  cost: number;
}

/** The stretches of a run in which a rule holds the pair, by what each close has shown; closes are numbered from the run's first. */
export function stretchesOf(rule: ZRule, pair: Pair): Stretch[] {
  const { time, first, end } = pair;
  const stretches: Stretch[] = [];
  let from: number | null = null;
  for (let at = first; at < end; at++) {
    const z = zAt(pair, at, rule.window);
    if (from === null) {
      if (z !== null && z <= -rule.entryZ && at < end - 1) from = at;
      continue;
    }
    const result = resultOf(pair, from, at);
    const isOut =
      at === end - 1 ||
      (z !== null && z >= -rule.exitZ) ||
      (rule.stopLoss !== null && result <= -rule.stopLoss) ||
      (rule.takeProfit !== null && result >= rule.takeProfit) ||
      (rule.maxHoldingMs !== null && time[at]! - time[from]! >= rule.maxHoldingMs);
    if (!isOut) continue;
    stretches.push({ from: from - first, to: at - first });
    from = null;
  }
  return stretches;
}

/** z of a close against the window that it ends; `null` under 30 closes. */
function zAt({ long, short }: Pair, at: number, window: number): number | null {
  const from = Math.max(0, at + 1 - window);
  if (at + 1 - from < LEAST_BARS) return null;
  const indexOf = (side: readonly Float64Array[]) => basketIndex(side.map((column) => column.subarray(from, at + 1)));
  const line = logSpread(indexOf(long), indexOf(short));
  return (line && zScores(line.spread)?.z.at(-1)) ?? null;
}

/** What holding it from one close to another has made of the notional, by prices and the cost of going in. */
function resultOf({ long, short, cost }: Pair, from: number, at: number): number {
  const growthOf = (side: readonly Float64Array[]) =>
    side.reduce((sum, column) => sum + column[at]! / column[from]! - 1, 0) / side.length;
  return (growthOf(long) - growthOf(short)) / 2 - cost;
}
