import { formatDateTime } from '@/components/DateTime';
import { zoneName } from '@/components/timeZone';
import type { Column } from './column';
import { type CsvCell, csvOf, downloadCsv, type WrittenNumber } from './csv';
import { asWritten } from './written';

function cellOf<R>({ csv, written }: Column<R>, row: R): CsvCell | WrittenNumber {
  const value = csv?.(row);
  if (typeof written === 'function') return written(row);
  if (written === undefined || typeof value !== 'number') return value;
  if ('instant' in written) return formatDateTime(value, 'second', written.instant === 'utc');
  return asWritten(value, written.digits, written.percent);
}

function headOf<R>({ title, csvTitle = title, written }: Column<R>): string {
  if (written === undefined || typeof written === 'function') return csvTitle;
  if ('instant' in written) return `${csvTitle} (${written.instant === 'utc' ? 'UTC' : zoneName()})`;
  return written.percent ? `${csvTitle} (%)` : csvTitle;
}

/** Writes rows as the columns export them, under a name that carries the instant, UTC. */
export function exportRows<R>(name: string, columns: readonly Column<R>[], rows: readonly R[]): void {
  const exported = columns.filter((column) => column.csv !== undefined);
  const instant = new Date().toISOString().slice(0, 16).replaceAll(':', '');
  const text = csvOf(
    exported.map(headOf),
    rows.map((row) => exported.map((column) => cellOf(column, row))),
  );
  downloadCsv(`${name}-${instant}.csv`, text);
}
