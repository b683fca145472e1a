import { DAY_MS, YEARLY_FROM_MS } from '#contract/duration';
import type { AccountPoint } from '../../base/db/accounts/account';
import { annualisedReturn } from '../../base/maths/hedge';
import { beginningOf, timeWeightedReturns } from '../../base/maths/returns';

/** What a time-weighted return needs of a moment. */
export type EquityAt = Pick<AccountPoint, 'at' | 'equity' | 'transfers'>;

/**
 * The account grown from 1, transfers taken out (F18), at each of the points. From an equity that is not positive
 * nothing grows. A record begins with its opening, where all there is was moved in.
 * @param points ascending; `transfers` is a running sum.
 */
export function growthOf(points: readonly EquityAt[]): Float64Array {
  const equity = Float64Array.from(points, (point) => point.equity);
  const moved = Float64Array.from(points, ({ transfers }, i) => transfers - (points[i - 1]?.transfers ?? transfers));
  const [opening] = points;
  if (points.length > 1 && opening!.equity === opening!.transfers) {
    const begun = beginningOf(equity[0]!, moved[1]!, true);
    [equity[0], moved[1]] = [begun.base, begun.transfers];
  }
  const returns = timeWeightedReturns(equity, moved);
  const growth = new Float64Array(points.length);
  for (let i = 0; i < growth.length; i++) {
    const step = i === 0 ? 1 : equity[i - 1]! > 0 ? 1 + returns[i - 1]! : 1;
    growth[i] = i === 0 ? 1 : growth[i - 1]! * step;
  }
  return growth;
}

/** Time-weighted return over the points (F18), a fraction; `null` for fewer than two or from nothing. */
export function returnOver(points: readonly EquityAt[]): number | null {
  if (points.length < 2 || !(points[0]!.equity > 0)) return null;
  const growth = growthOf(points);
  return growth[growth.length - 1]! - 1;
}

export interface Depth {
  /** F20 by daily closes, a fraction, 0 or below. */
  drawdown: number | null;
  /** Days since the highest daily close; 0 at a new high. */
  underWaterDays: number | null;
}

/** How deep the last point lies under the highest of all. @param points daily closes, then the present. */
export function depthOf(points: readonly EquityAt[]): Depth {
  if (points.length === 0) return { drawdown: null, underWaterDays: null };
  const growth = growthOf(points);
  const last = growth.length - 1;
  let peak = 0;
  for (let i = 1; i <= last; i++) if (growth[i]! >= growth[peak]!) peak = i;
  if (!(growth[peak]! > 0)) return { drawdown: null, underWaterDays: null };
  return {
    drawdown: growth[last]! / growth[peak]! - 1,
    underWaterDays: (points[last]!.at - points[peak]!.at) / DAY_MS,
  };
}

/**
 * Return of the newest 30 days a year, simple (F12), from the last close that is as old; `null` where none is.
 * @param points daily closes, then the present.
 */
export function annualised30d(points: readonly EquityAt[]): number | null {
  const now = points[points.length - 1]?.at ?? 0;
  const first = points.findLastIndex(({ at }) => at <= now - YEARLY_FROM_MS);
  return first < 0 ? null : annualisedReturn(returnOver(points.slice(first)), now - points[first]!.at);
}
