import type { Bar } from '#contract/candle';
import { formatNumber } from './formatNumber';

interface Basis {
  /** Closed bars of the window. */
  bars: number;
  bar: Bar;
  hedgeRatio: number | null;
}

/** What a z was measured against: two of them agree only where this does. */
export function zBasis({ bars, bar, hedgeRatio }: Basis): string {
  const slope = hedgeRatio === null ? '' : `，b ${formatNumber(hedgeRatio, { digits: 3 })}`;
  return `${bars} 根 ${bar}${slope}`;
}
