import { formatNumber } from './formatNumber';
import { Missing } from './Missing';

interface PercentProps {
  /** A fraction: 0.0123 reads 1.23%. */
  value: number | null | undefined;
  digits?: number;
  signed?: boolean;
  reason?: string;
}

/** A fraction as a percentage. */
export function Percent({ value, digits = 2, signed, reason }: PercentProps) {
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  return <span className="figure">{formatNumber(value * 100, { digits, signed })}%</span>;
}
