import { formatNumber, priceDigits } from '@/components/formatNumber';

/**
 * The number that the screen shows for a figure, in full; null for what is missing.
 * @param digits after the point; `price`: as many as its size needs
 * @param percent whether a fraction is shown as a percentage
 */
export function asWritten(value: number | null | undefined, digits: number | 'price', percent = false): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const shown = percent ? value * 100 : value;
  const text = formatNumber(shown, { digits: digits === 'price' ? priceDigits(shown) : digits, style: 'thousands' });
  return Number(text.replaceAll(',', ''));
}
