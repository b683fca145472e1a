import { Number as Num, String as Str } from 'typebox';

/** An exact decimal as text, as money, prices and quantities are stored and traded; `title` is the label. */
export const Decimal = (options: { title?: string; description?: string } = {}) =>
  Str({ pattern: '^-?(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$', ...options });

interface KeptOptions {
  title: string;
  minimum: number;
  maximum: number;
  description?: string;
  /** Digits after the point; 8 unless told, as for money. */
  decimals?: number;
}

/**
 * A number that is kept: one with more digits after the point than `decimals` is refused, not rounded. With
 * its bounds it has fifteen digits at most, all of which a number holds.
 */
export const Kept = ({ decimals = 8, ...options }: KeptOptions) => Num({ ...options, decimals });

/** A share that is kept, as a fraction: who tells it to people finds that said, and tells percent. */
export const fraction = (title: string, minimum: number, maximum: number, description: string) =>
  Kept({ title, minimum, maximum, description: `分数；${description}`, decimals: 10 });

/** Digits after the point that a number is written with. */
export function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}
