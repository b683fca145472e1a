import { DAY_MS, HOUR_MS } from '#contract/duration';
import { fundingApr, fundingCash } from './funding';

/** A perpetual that is held: signed quantity, and what its next settlement would be at. */
export interface HeldPerpetual {
  quantity: number;
  mark: number;
  /** Predicted, of one settlement. */
  rate: number;
  /** Next settlement, UTC ms, and hours between two. */
  nextAt: number;
  hours: number;
}

const sideOf = (quantity: number): 1 | -1 => (quantity < 0 ? -1 : 1);

/** Cash of one settlement (F2) of what is held, received is positive. */
const cashOf = ({ quantity, mark, rate }: HeldPerpetual): number =>
  fundingCash(sideOf(quantity), Math.abs(quantity), mark, rate);

/**
 * What the settlements of the next 24 hours bring at the rates predicted now (F2), by the full hour that they fall on,
 * quote currency. @param now UTC ms
 */
export function cashAhead(held: readonly HeldPerpetual[], now: number): { at: number; cash: number }[] {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
  const hours = Array.from({ length: DAY_MS / HOUR_MS }, (_, i) => ({ at: first + i * HOUR_MS, cash: 0 }));
  for (const one of held) {
    if (!(one.hours > 0)) continue;
    for (let at = one.nextAt; at < first + DAY_MS; at += one.hours * HOUR_MS) {
      const hour = hours[Math.ceil((at - first) / HOUR_MS)];
      if (hour) hour.cash += cashOf(one);
    }
  }
  return hours;
}

/** F1 of what is held, weighted by notional, as it is received; null where nothing is held. */
export function weightedApr(held: readonly HeldPerpetual[]): number | null {
  let [sum, notional] = [0, 0];
  for (const { quantity, mark, rate, hours } of held) {
    const value = Math.abs(quantity) * mark;
    sum += -sideOf(quantity) * value * (fundingApr(rate, hours) ?? 0);
    notional += value;
  }
  return notional === 0 ? null : sum / notional;
}

interface Settlements {
  time: ArrayLike<number>;
  rate: ArrayLike<number>;
  /** That each of them settled. */
  hours: ArrayLike<number>;
}

/**
 * Rates settled on each day as a rate of the year: their sum x 8760 / the hours that they settled, which are not 24 yet
 * on a day that goes on; null on a day without any.
 * @param days starts of days, UTC ms, ascending
 */
export function dailyAprs({ time, rate, hours }: Settlements, days: readonly number[]): (number | null)[] {
  const settled = new Map<number, { rate: number; hours: number }>();
  for (let i = 0; i < time.length; i += 1) {
    if (!(hours[i]! > 0)) continue;
    const day = Math.floor(time[i]! / DAY_MS) * DAY_MS;
    const { rate: sum, hours: covered } = settled.get(day) ?? { rate: 0, hours: 0 };
    settled.set(day, { rate: sum + rate[i]!, hours: covered + hours[i]! });
  }
  return days.map((day) => {
    const { rate: sum, hours: covered } = settled.get(day) ?? { rate: null, hours: null };
    return fundingApr(sum, covered);
  });
}

/** How many values lie in each stretch between edges, ascending; what lies outside counts for the first or the last. */
export function binned(values: readonly number[], edges: readonly number[]): number[] {
  const counts = Array.from({ length: edges.length + 1 }, () => 0);
  for (const value of values) {
    const place = edges.findIndex((edge) => value < edge);
    counts[place === -1 ? edges.length : place]! += 1;
  }
  return counts;
}
