import { formatNumber, priceDigits } from '@/components/formatNumber';
import type { FigureFormat } from './curve';

const DIGITS: Record<Exclude<FigureFormat, 'price'>, number> = { percent: 2, rate: 4, amount: 2, number: 2, ratio: 4 };

/** A figure as axis, legend and summary show it; `signed` puts a + before gains. */
export function formatFigure(
  value: number | null | undefined,
  format: FigureFormat = 'number',
  signed = false,
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  if (format === 'price') return formatNumber(value, { digits: priceDigits(value), signed });
  const digits = DIGITS[format];
  if (format === 'percent' || format === 'rate') return `${formatNumber(value * 100, { digits, signed })}%`;
  return formatNumber(value, { digits, signed, compact: format === 'amount' });
}

/** Smallest step that the axis of such figures is divided by. */
export function stepOf(format: FigureFormat, smallest: number): number {
  if (format === 'price') return 10 ** -priceDigits(Number.isFinite(smallest) ? smallest : 0);
  const digits = DIGITS[format];
  return 10 ** -(format === 'percent' || format === 'rate' ? digits + 2 : digits);
}
