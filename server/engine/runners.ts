import type { StrategyKind } from '#contract/strategy';
import type { Runner } from './runner';

type RunnerOf = <K extends StrategyKind>(kind: K) => Runner<K>;

let known: RunnerOf | undefined;

/** Says who trades strategies of each kind: the engine knows none of them by itself. */
export function registerRunners(runnerOf: RunnerOf): void {
  known = runnerOf;
}

/** Who trades strategies of a kind. What belongs to the kind (params, what it sees and notes) is handed to it as it came from it. */
export function runnerOf<K extends StrategyKind>(kind: K): Runner<StrategyKind> {
  if (known === undefined) throw new Error('nobody said who trades: kinds/kinds has to be imported');
  return known(kind) as unknown as Runner<StrategyKind>;
}
