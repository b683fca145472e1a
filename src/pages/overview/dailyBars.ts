import type { AccountDay } from '#contract/account';
import type { Curve, CurveColor } from '@/chart/curve';
import { stackedBars } from '@/chart/stackedBars';

const PARTS: { key: 'price' | 'funding' | 'fees'; name: string; color: CurveColor }[] = [
  { key: 'price', name: '价格', color: 'blue' },
  { key: 'funding', name: '资金费', color: 'gold' },
  { key: 'fees', name: '手续费', color: 'magenta' },
];

/** Days as stacked bars, one part a cause. */
export function barsOf(days: readonly AccountDay[]): { time: number[]; curves: Curve[] } {
  const time = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`));
  const parts = PARTS.map(({ key, ...part }) => ({ ...part, values: days.map((day) => day[key]) }));
  const net = days.map((day) => day.net);
  return { time, curves: stackedBars(parts, net) };
}
