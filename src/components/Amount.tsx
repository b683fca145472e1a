import { formatNumber } from './formatNumber';
import { Missing } from './Missing';

interface AmountProps {
  value: number | null | undefined;
  digits?: number;
  /** Written after the figure, such as `USDT`. */
  unit?: string;
  /** Shorten with 万 and 亿. */
  compact?: boolean;
  signed?: boolean;
  /** Why it is missing, when it is. */
  reason?: string;
}

/** A quantity or an amount of money. */
export function Amount({ value, digits = 2, unit, compact, signed, reason }: AmountProps) {
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  return (
    <span className="figure">
      {formatNumber(value, { digits, compact, signed })}
      {unit && <span className="unit"> {unit}</span>}
    </span>
  );
}
