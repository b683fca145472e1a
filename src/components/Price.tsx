import { formatNumber, priceDigits } from './formatNumber';
import { Missing } from './Missing';

interface PriceProps {
  value: number | null | undefined;
  /** Digits after the point; five significant ones unless told. */
  digits?: number;
  unit?: string;
  reason?: string;
}

/** The price of one unit, with as many digits as its size needs. */
export function Price({ value, digits, unit, reason }: PriceProps) {
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  return (
    <span className="figure">
      {formatNumber(value, { digits: digits ?? priceDigits(value) })}
      {unit && <span className="unit"> {unit}</span>}
    </span>
  );
}
