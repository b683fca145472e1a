import type { Column } from './column';
import type { CsvCell } from './csv';
import { type Direction, directionIn } from './sortOf';

/** What is missing comes last, whichever way the rest is ordered. */
export const byValue =
  <R>(of: (row: R) => CsvCell) =>
  (a: R, b: R, order?: Direction): number => {
    const [left, right] = [of(a) ?? null, of(b) ?? null];
    if (left === null || right === null) {
      if (left === right) return 0;
      return (left === null) === (order !== 'descend') ? 1 : -1;
    }
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return String(left).localeCompare(String(right));
  };

/** Rows as the head of a table would order them in the browser; as they are for a column that cannot be sorted. */
export function inOrder<R>(
  rows: readonly R[],
  columns: readonly Pick<Column<R>, 'key' | 'sort' | 'csv'>[],
  sort: string,
): readonly R[] {
  const column = columns.find((one) => one.sort !== undefined && directionIn(sort, one.key) !== null);
  if (column?.csv === undefined) return rows;
  const direction = directionIn(sort, column.key);
  const compare = byValue(column.csv);
  return rows.toSorted((a, b) => (direction === 'descend' ? -1 : 1) * compare(a, b, direction));
}
