import '../../base/work/behindOthers';
import { type PairRunResult, type PairRunsTask, pairRuns } from './pairRuns';

/** Backtests of many pairs, each over its own period. @throws whatever the maths refuses but missing history. */
export default function computePairRuns(task: PairRunsTask): PairRunResult[] {
  return pairRuns(task);
}
