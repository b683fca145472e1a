import type { FigureFormat } from './curve';

const DIGITS: Record<Exclude<FigureFormat, 'price' | 'amount'>, number> = { percent: 2, rate: 4, number: 2, ratio: 4 };

/** Digits after the point that show about five significant figures of a price, 2 at least. */
export function priceDigits(price: number): number {
  const size = Math.abs(price);
  if (!(size > 0)) return 2;
  return Math.min(12, Math.max(2, Math.ceil(4 - Math.log10(size))));
}

function amountText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e8) return `${(value / 1e8).toFixed(2)}亿`;
  if (size >= 1e4) return `${(value / 1e4).toFixed(2)}万`;
  return value.toFixed(2);
}

/** A figure as axis, legend and summary show it; `signed` puts a + before gains. */
export function formatFigure(
  value: number | null | undefined,
  format: FigureFormat = 'number',
  signed = false,
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  const plus = signed && value > 0 ? '+' : '';
  if (format === 'price') return plus + value.toFixed(priceDigits(value));
  if (format === 'amount') return plus + amountText(value);
  if (format === 'percent' || format === 'rate') return `${plus}${(value * 100).toFixed(DIGITS[format])}%`;
  return plus + value.toFixed(DIGITS[format]);
}

/** Smallest step the axis of such figures is divided by. */
export function stepOf(format: FigureFormat, smallest: number): number {
  if (format === 'price') return 10 ** -priceDigits(smallest);
  if (format === 'percent' || format === 'rate') return 10 ** -(DIGITS[format] + 2);
  return format === 'amount' ? 0.01 : 10 ** -DIGITS[format];
}
