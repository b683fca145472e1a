import type { NumberStyle } from '#contract/user';
import { numberStyle } from './useAppearance';

const MINUS = '-';

interface NumberFormat {
  /** Digits after the point. */
  digits: number;
  /** Write + before what is above zero. */
  signed?: boolean;
  /** Too large to be read in full: shortened with 万 (10^4) and 亿 (10^8), unless the reader wants everything in full. */
  compact?: boolean;
  /** An amount of money: shortened where the reader wants that of all of them. */
  money?: boolean;
  /** The reader's; as it is now unless told. */
  style?: NumberStyle;
}

const isShort = (style: NumberStyle, compact: boolean, money: boolean): boolean =>
  style === 'compact' ? compact || money : style === 'auto' && compact;

function scaled(size: number): { size: number; suffix: string } {
  if (size >= 1e8) return { size: size / 1e8, suffix: '亿' };
  if (size >= 1e4) return { size: size / 1e4, suffix: '万' };
  return { size, suffix: '' };
}

function signOf(value: number, text: string, signed: boolean): string {
  // What rounds to zero has no sign: "-0.00" tells nobody anything.
  if (!/[1-9]/.test(text)) return '';
  if (value < 0) return MINUS;
  return signed ? '+' : '';
}

const formats = new Map<number, Intl.NumberFormat>();

/** Making a format costs a hundred times what using one does, and a table asks for a thousand. */
function formatOf(digits: number): Intl.NumberFormat {
  let format = formats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format;
}

/** A number for reading: thousands separated, a fixed count of digits, an explicit sign where asked. */
export function formatNumber(
  value: number,
  { digits, signed = false, compact = false, money = false, style = numberStyle() }: NumberFormat,
): string {
  const { size, suffix } = isShort(style, compact, money)
    ? scaled(Math.abs(value))
    : { size: Math.abs(value), suffix: '' };
  const text = formatOf(digits).format(size);
  return `${signOf(value, text, signed)}${text}${suffix}`;
}

/** Digits after the point that show a price of this size to five significant ones, at least two. */
export function priceDigits(price: number): number {
  if (price === 0) return 2;
  return Math.min(12, Math.max(2, 4 - Math.floor(Math.log10(Math.abs(price)))));
}

/** Digits after the point that a number has, at most so many: more than eight are nobody's lot, but the rounding of a product. */
export const decimalsIn = (value: number, most = 8): number =>
  value.toFixed(most).replace(/0+$/, '').split('.')[1]?.length ?? 0;

/** A number as somebody would type it: all of its digits, thousands separated, never with an exponent. */
export const numberText = (value: number): string => formatNumber(value, { digits: decimalsIn(value) });
