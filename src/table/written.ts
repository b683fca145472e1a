import { formatNumber, priceDigits } from '@/components/formatNumber';
import type { WrittenNumber } from './csv';

/**
 * The number that the screen shows for a figure, in full; null for what is missing.
 * @param digits after the point; `price`: as many as its size needs
 * @param percent whether a fraction is shown as a percentage
 */
export function asWritten(
  value: number | null | undefined,
  digits: number | 'price',
  percent = false,
): WrittenNumber | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const shown = percent ? value * 100 : value;
  return ungrouped(
    formatNumber(shown, { digits: digits === 'price' ? priceDigits(shown) : digits, style: 'thousands' }),
  );
}

/** A number that a screen shows, without what separates its thousands. */
export const ungrouped = (shown: string): WrittenNumber => ({ text: shown.replaceAll(',', '') });
