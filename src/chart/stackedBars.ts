import type { Curve, CurveColor } from './curve';

/** One part of what each bar is made of. */
export interface BarPart {
  name: string;
  color: CurveColor;
  values: readonly (number | null)[];
}

/** How far from zero the bar of a part reaches: over the parts before it that have its sign. */
function reachOf(parts: readonly BarPart[], upTo: number, at: number): number | null {
  const own = parts[upTo]!.values[at] ?? null;
  if (own === null || own === 0) return null;
  return parts.slice(0, upTo + 1).reduce((sum, { values }) => {
    const value = values[at] ?? 0;
    return value > 0 === own > 0 ? sum + value : sum;
  }, 0);
}

/**
 * Amounts as stacked bars, gains above zero and losses below, and in the legend what they come to: the longest are
 * drawn first, the shorter over them.
 */
export function stackedBars(parts: readonly BarPart[], net: readonly (number | null)[]): Curve[] {
  const bars = parts.map(
    ({ name, color, values }, i): Curve => ({
      ...{ name, color, shape: 'histogram', format: 'amount' },
      values: values.map((_value, at) => reachOf(parts, i, at)),
      figures: values,
    }),
  );
  // A line through the tops would hide the bars: the legend alone tells the sum.
  const sum: Curve = {
    ...{ name: '净盈亏', color: 'muted', format: 'amount' },
    values: net.map(() => null),
    figures: net,
  };
  return [...bars.reverse(), sum];
}
