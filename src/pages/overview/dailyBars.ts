import type { AccountDay } from '#contract/account';
import type { Curve, CurveColor } from '@/chart/curve';

const PARTS: { key: 'price' | 'funding' | 'fees'; name: string; color: CurveColor }[] = [
  { key: 'price', name: '价格', color: 'blue' },
  { key: 'funding', name: '资金费', color: 'gold' },
  { key: 'fees', name: '手续费', color: 'magenta' },
];

/** How far from zero the bar of a part reaches: over the parts before it that have its sign. */
function reachOf(day: AccountDay, upTo: number): number | null {
  const own = day[PARTS[upTo]!.key];
  if (own === null || own === 0) return null;
  return PARTS.slice(0, upTo + 1).reduce((sum, { key }) => {
    const value = day[key] ?? 0;
    return value > 0 === own > 0 ? sum + value : sum;
  }, 0);
}

/** Days as stacked bars: gains above zero, losses below; the longest are drawn first, the shorter over them. */
export function barsOf(days: readonly AccountDay[]): { time: number[]; curves: Curve[] } {
  const time = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`));
  const bars = PARTS.map(
    ({ key, name, color }, i): Curve => ({
      name,
      color,
      shape: 'histogram',
      format: 'amount',
      values: days.map((day) => reachOf(day, i)),
      figures: days.map((day) => day[key]),
    }),
  );
  // A line through the tops would hide the bars: the legend alone tells the sum.
  const net: Curve = {
    ...{ name: '净盈亏', color: 'muted', format: 'amount' },
    values: days.map(() => null),
    figures: days.map((day) => day.net),
  };
  return { time, curves: [...bars.reverse(), net] };
}
