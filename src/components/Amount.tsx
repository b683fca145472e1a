import { use } from 'react';
import { formatNumber } from './formatNumber';
import { Missing } from './Missing';
import { NumberStyleContext } from './NumberStyleContext';

interface AmountProps {
  value: number | null | undefined;
  digits?: number;
  /** Written after the figure, such as `USDT`. */
  unit?: string;
  /** Large: shortened with 万 and 亿 unless the reader wants everything in full. */
  compact?: boolean;
  /** An amount of money, which a unit of USDT says as well. */
  money?: boolean;
  signed?: boolean;
  /** Why it is missing, when it is. */
  reason?: string;
}

/** A quantity or an amount of money. */
export function Amount({ value, digits = 2, unit, compact, money, signed, reason }: AmountProps) {
  const style = use(NumberStyleContext);
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  return (
    <span className="figure">
      {formatNumber(value, { digits, compact, signed, style, money: money ?? unit === 'USDT' })}
      {unit && <span className="unit"> {unit}</span>}
    </span>
  );
}
