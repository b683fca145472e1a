import { use } from 'react';
import { formatNumber } from './formatNumber';
import { Missing } from './Missing';
import { NumberStyleContext } from './NumberStyleContext';

interface PnlProps {
  /** Money, or a fraction when `percent` is set. */
  value: number | null | undefined;
  digits?: number;
  unit?: string;
  percent?: boolean;
  compact?: boolean;
  reason?: string;
}

const DIRECTIONS = {
  up: { className: 'figure up', arrow: '▲' },
  down: { className: 'figure down', arrow: '▼' },
  flat: { className: 'figure', arrow: '' },
} as const;

/** A gain or a loss: coloured by the colour habit, and told by sign and arrow for who does not see colours. */
export function Pnl({ value, digits = 2, unit, percent = false, compact, reason }: PnlProps) {
  const style = use(NumberStyleContext);
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  const text = formatNumber(percent ? value * 100 : value, {
    digits,
    signed: true,
    compact,
    style,
    money: !percent && (unit === undefined || unit === 'USDT'),
  });
  const { className, arrow } = DIRECTIONS[text.startsWith('+') ? 'up' : text.startsWith('-') ? 'down' : 'flat'];
  return (
    <span className={className}>
      {arrow && (
        <span className="arrow" aria-hidden="true">
          {arrow}
        </span>
      )}
      {text}
      {percent && '%'}
      {unit && <span className="unit"> {unit}</span>}
    </span>
  );
}
