import '../../base/work/behindOthers';
import type { BacktestLeg, BacktestResult as Reply } from '#contract/backtest';
import { type BacktestInput, runBacktest } from '../../base/maths/backtest';
import { type LegTable, legAt } from '../../base/maths/legTable';
import { MathsRefusal } from '../../base/maths/mathsRefusal';
import { thinnedRows } from '../../base/work/thinnedRows';

/** Points of a curve and rows of the table of legs that an answer carries at most. */
const MOST_POINTS = 3000;
const MOST_LEGS = 2000;

/** What the sums alone decide of the reply; the route adds what was asked for. */
export type BacktestFigures = Omit<Reply, 'source' | 'bar' | 'long' | 'short' | 'capital'>;

/** A refusal is part of the answer, because an error loses its fields on the way between threads. */
export type BacktestAnswer =
  | { figures: BacktestFigures }
  | { refusal: Pick<MathsRefusal, 'reason' | 'field' | 'message'> };

/**
 * Computes one backtest and cuts its curves and legs to what a screen can show; the figures come from the whole.
 * @throws whatever is no refusal of the maths.
 */
export default function computeBacktest(input: BacktestInput): BacktestAnswer {
  const startedAt = performance.now();
  try {
    const figures = figuresOf(input);
    return { figures: { ...figures, elapsedMs: performance.now() - startedAt } };
  } catch (error) {
    if (!(error instanceof MathsRefusal)) throw error;
    const { reason, field, message } = error;
    return { refusal: { reason, field, message } };
  }
}

function figuresOf(input: BacktestInput): Omit<BacktestFigures, 'elapsedMs'> {
  const result = runBacktest(input);
  const { time, equity, drawdown, longLeg, shortLeg, benchmark } = result;
  const curves = [equity, drawdown, longLeg, shortLeg, ...(benchmark ? [benchmark] : [])];
  const rows = thinnedRows(curves, MOST_POINTS);
  const at = (column: Float64Array) => Array.from(rows, (row) => column[row]!);
  return {
    start: time[0]!,
    end: time[time.length - 1]!,
    summary: result.summary,
    time: at(time),
    equity: at(equity),
    drawdown: at(drawdown),
    longLeg: at(longLeg),
    shortLeg: at(shortLeg),
    benchmark: benchmark ? at(benchmark).map((value) => (Number.isNaN(value) ? null : value)) : [],
    months: result.months,
    trades: result.trades,
    legs: newestLegs(result.legs),
    legTotal: result.legs.length,
    split: result.split,
    honesty: result.honesty,
  };
}

function newestLegs(table: LegTable): BacktestLeg[] {
  const from = Math.max(0, table.length - MOST_LEGS);
  return Array.from({ length: table.length - from }, (_, i) => legAt(table, from + i));
}
