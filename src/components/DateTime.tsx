import { Tooltip } from 'antd';
import { Missing } from './Missing';
import { offsetAt } from './timeZone';

const PARTS = { day: 10, minute: 16, second: 19 } as const;

export interface DateTimeProps {
  /** UTC milliseconds. */
  value: number | null | undefined;
  /** How fine it is written. */
  precision?: keyof typeof PARTS;
  /** Write the UTC instant instead of the local one: days of daily bars are UTC days. */
  utc?: boolean;
  reason?: string;
}

const isoOf = (instant: number): string => new Date(instant).toISOString().replace('T', ' ');

/** `2026-11-21 12:30` in the time zone that the reader has chosen, or in UTC. */
export function formatDateTime(instant: number, precision: keyof typeof PARTS = 'minute', utc = false): string {
  return isoOf(instant + (utc ? 0 : offsetAt(instant))).slice(0, PARTS[precision]);
}

/** An instant in the reader's time; the tooltip tells it in UTC. */
export function DateTime({ value, precision = 'minute', utc = false, reason }: DateTimeProps) {
  if (value === null || value === undefined || !Number.isFinite(value)) return <Missing reason={reason} />;
  return (
    <Tooltip title={`${formatDateTime(value, 'second', true)} UTC`}>
      <time className="figure" dateTime={new Date(value).toISOString()}>
        {formatDateTime(value, precision, utc)}
      </time>
    </Tooltip>
  );
}
