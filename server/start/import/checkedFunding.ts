import { HOUR_MS } from '#contract/duration';
import { FUNDING_HOURS, fundingIntervals } from '../../base/maths/funding';
import { CELLS_PER_ROW, type FundingRows, type RejectedRow } from './candleRows';
import {
  cell,
  dateOf,
  FIRST_INSTANT,
  type Gap,
  keptRows,
  medianStep,
  type RepeatedRow,
  Unusable,
} from './checkedSeries';

/** Rates beyond are a file of percents, or no funding. */
export const MAX_RATE = 0.05;
/** Exchanges settle on full hours and write down when they were done. */
const JITTER_MS = 60_000;
/** Longer intervals lie on this grid too, also where the first of a day is at 04:00. */
const GRID_MS = 4 * HOUR_MS;

/** `hours` is the interval that was missed. */
interface FundingGap extends Gap {
  hours: number;
}

/** Settlements of a file that may be stored, and what was found wrong with it. */
export interface CheckedFunding {
  time: Float64Array;
  rate: Float64Array;
  repeated: RepeatedRow[];
  rejected: RejectedRow[];
  gaps: FundingGap[];
}

/**
 * Puts settlements on their full hours and checks them against each other. The last of several with one time wins.
 * @param now UTC ms; what settles later is rejected
 * @throws Unusable when the rows have no interval at which exchanges settle, lie off the grid, or mostly run backwards.
 */
export function checkFunding(rows: FundingRows, now: number): CheckedFunding {
  for (let row = 0; row < rows.count; row += 1) rows.cells[row * CELLS_PER_ROW + 1] = settledAt(cell(rows, row, 1));
  const { kept, rejected, repeated } = keptRows(rows, (row) => faultOf(rows, row, now));
  const column = (at: number) => Float64Array.from(kept, (row) => cell(rows, row, at));
  const [time, rate] = [column(1), column(2)];
  const hours = checkedHours(rows);
  if (hours > 1 && time.filter((at) => at % GRID_MS !== 0).length > time.length / 2) {
    throw new Unusable('多数结算不在 UTC 4 小时的整点上，文件的时间若属别的时区，请用 --zone 指明（如 +08:00）');
  }
  const intervals = fundingIntervals(time);
  const gaps = kept.flatMap((row, i) => {
    const missing = intervals.missing[i]!;
    return missing > 0 ? [{ line: cell(rows, row, 0), missing, hours: intervals.hours[i]! }] : [];
  });
  return { time, rate, repeated, rejected, gaps };
}

function settledAt(time: number): number {
  const hour = Math.round(time / HOUR_MS) * HOUR_MS;
  return Math.abs(time - hour) <= JITTER_MS ? hour : time;
}

/** Why a row cannot be a settlement, or null. */
function faultOf(rows: FundingRows, row: number, now: number): string | null {
  const [time, rate] = [cell(rows, row, 1), cell(rows, row, 2)];
  if (time < FIRST_INSTANT || time > 8.64e15) return `时间超出范围：${time}`;
  if (time % HOUR_MS !== 0) return `时间不在整点上：${dateOf(time)}`;
  if (time > now) return `结算时间在未来：${dateOf(time)}`;
  if (Math.abs(rate) > MAX_RATE) return `费率超出 ±5%：${rate}`;
  return null;
}

function checkedHours(rows: FundingRows): number {
  const step = medianStep(rows);
  if (step === null) throw new Unusable('行数太少，看不出结算间隔');
  const hours = step / HOUR_MS;
  if (!FUNDING_HOURS.includes(hours)) {
    throw new Unusable(`结算间隔为 ${hours} 小时，只接受 ${FUNDING_HOURS.join('、')} 小时`);
  }
  return hours;
}
