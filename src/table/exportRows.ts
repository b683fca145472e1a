import type { Column } from './column';
import { csvOf, downloadCsv } from './csv';

/** Writes rows as the columns export them, under a name that carries the instant, UTC. */
export function exportRows<R>(name: string, columns: readonly Column<R>[], rows: readonly R[]): void {
  const exported = columns.filter((column) => column.csv !== undefined);
  const instant = new Date().toISOString().slice(0, 16).replaceAll(':', '');
  const text = csvOf(
    exported.map(({ title, csvTitle }) => csvTitle ?? title),
    rows.map((row) => exported.map((column) => column.csv?.(row))),
  );
  downloadCsv(`${name}-${instant}.csv`, text);
}
