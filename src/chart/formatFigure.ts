import { formatNumber, priceDigits } from '@/components/formatNumber';
import type { FigureFormat } from './curve';

const DIGITS: Record<Exclude<FigureFormat, 'price'>, number> = { percent: 2, rate: 4, amount: 2, number: 2, ratio: 4 };

/** A figure as axis, legend and summary show it; `signed` puts a + before gains. @param more digits than usual */
export function formatFigure(
  value: number | null | undefined,
  format: FigureFormat = 'number',
  signed = false,
  more = 0,
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  if (format === 'price') return formatNumber(value, { digits: priceDigits(value) + more, signed });
  const digits = DIGITS[format] + more;
  if (format === 'percent' || format === 'rate') return `${formatNumber(value * 100, { digits, signed })}%`;
  return formatNumber(value, { digits, signed, compact: format === 'amount' });
}

const MOST_MORE = 4;

/** The figures of an axis, with as many digits as tell each from the others. */
export function formatTicks(values: readonly number[], format: FigureFormat): string[] {
  for (let more = 0; ; more += 1) {
    const texts = values.map((value) => formatFigure(value, format, false, more));
    if (more === MOST_MORE || new Set(texts).size === texts.length) return texts;
  }
}

/** Smallest step that the axis of such figures is divided by. */
export function stepOf(format: FigureFormat, smallest: number): number {
  if (format === 'price') return 10 ** -priceDigits(Number.isFinite(smallest) ? smallest : 0);
  const digits = DIGITS[format];
  return 10 ** -(format === 'percent' || format === 'rate' ? digits + 2 : digits);
}
