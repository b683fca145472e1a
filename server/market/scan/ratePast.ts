import { fundingApr } from '../../base/maths/funding';
import type { FundingHistory } from '../exchange';

/** Settlements of a perpetual that is held; a long leg pays what a short one receives. */
export interface HeldRates {
  side: 1 | -1;
  history: FundingHistory;
}

/**
 * What held perpetuals brought, settlement by settlement (F2 of one unit of notional, F7): at each instant at which one
 * of them settled, the rates last settled as a rate of the year, and everything since the beginning. Instants at which
 * one of them has not settled yet are left out. Pure.
 * @returns fractions; empty where a leg has no settlements.
 */
export function heldRates(legs: readonly HeldRates[]): { time: number[]; apr: number[]; sum: number[] } {
  const instants = [...new Set(legs.flatMap(({ history }) => [...history.time]))].sort((a, b) => a - b);
  const begun = Math.max(...legs.map(({ history }) => history.time[0] ?? Number.POSITIVE_INFINITY));
  const next = legs.map(() => 0);
  const yearly = legs.map(() => 0);
  const out = { time: [] as number[], apr: [] as number[], sum: [] as number[] };
  let sum = 0;
  for (const at of instants) {
    for (const [i, { side, history }] of legs.entries()) {
      if (history.time[next[i]!] !== at) continue;
      const [rate, hours] = [history.rate[next[i]!]!, history.hours[next[i]!]!];
      next[i]! += 1;
      yearly[i] = -side * (fundingApr(rate, hours) ?? 0);
      if (at >= begun) sum -= side * rate;
    }
    if (at < begun) continue;
    out.time.push(at);
    out.apr.push(yearly.reduce((total, one) => total + one, 0));
    out.sum.push(sum);
  }
  return out;
}
