import Big from 'big.js';
import { plain } from '../../../base/maths/decimal';
import { isSpot } from '../listing';
import type { RealLine } from './realExchange';
import { Unanswered } from './unanswered';

/** @throws Unanswered for what is no figure: nothing is booked of it */
export function decimal(value: unknown): string {
  try {
    return new Big(String(value)).toFixed();
  } catch {
    throw new Unanswered('a figure');
  }
}

export function whole(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Unanswered('a number');
  return number;
}

/** Base currency of one contract; coin is counted as it is, listed or not. @throws Unanswered of one that was never listed */
export function contractSize({ contractSizeOf }: Pick<RealLine, 'contractSizeOf'>, symbol: string): string {
  if (isSpot(symbol)) return '1';
  const size = contractSizeOf(symbol);
  if (size === null) throw new Unanswered('a contract that is not listed');
  return size;
}

/** Of some symbols orders have longer numbers than a float holds; the library leaves them as text. */
export function digits(value: unknown): string {
  const text = String(value);
  if (!/^\d+$/.test(text)) throw new Unanswered('a number');
  return text;
}

/** What is said of nothing is empty. */
export const exact = (value: unknown): string =>
  value === '' || value === undefined ? '0' : plain(new Big(String(value)));
export const isSome = (value: unknown): boolean => exact(value) !== '0';

/**
 * Base currency of one contract of what nobody lists any more, by a position in it: at OKX and Gate always a power of ten.
 * @param worth of the position at its mark, USDT or USD. @throws where that names no such power
 */
export function sizeByWorth(contracts: unknown, mark: unknown, worth: unknown): string {
  const size = new Big(String(worth)).div(new Big(String(contracts)).times(String(mark))).abs();
  const power = new Big(`1e${Math.round(Math.log10(size.toNumber()))}`);
  // USD and USDT are not quite the same.
  if (size.div(power).minus(1).abs().gt(0.1)) throw new TypeError('a contract that is not listed');
  return plain(power);
}
