import type { ProColumns } from '@ant-design/pro-components';
import type { TableProps } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { antColumn, directionsOf, widthOf } from './antColumns';
import type { Column } from './column';
import type { CsvCell } from './csv';
import { type Rows, RowsContext } from './rowsContext';
import { TableShell } from './TableShell';
import { TotalsRow } from './TotalsRow';

const PAGING = { pageSize: 20, hideOnSinglePage: true, showSizeChanger: false, size: 'small' } as const;

interface PlainTableProps<R extends object> extends Pick<TableProps<R>, 'rowKey' | 'loading' | 'pagination'> {
  /** Accessible name. */
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[] | undefined;
  /** The heads of the columns that can be sorted order the rows, in the browser. */
  sortable?: boolean;
  /** Shown instead of rows when there are none. */
  empty?: ReactNode;
  /** What the totals row says under a column; absent: no such row. */
  totals?: (column: string) => ReactNode;
  /** px; rows beyond it scroll below the head. */
  maxHeight?: number;
}

/** A short table that has all its rows already: no tools, and pages only where there are many rows. */
export function PlainTable<R extends object>(props: PlainTableProps<R>) {
  const { label, columns, rows, rowKey, loading, sortable = false, empty, totals, maxHeight } = props;
  const { shown, described } = useMemo(() => describe(columns, sortable), [columns, sortable]);
  const table: TableProps<R> = {
    rowKey,
    dataSource: rows,
    loading: loading ?? false,
    size: 'small',
    showSorterTooltip: false,
    pagination: props.pagination ?? PAGING,
    scroll: { x: widthOf(shown), y: maxHeight },
    locale: { emptyText: empty },
    summary: totals && (() => <TotalsRow columns={shown.map(antColumn)} totals={totals} first={0} />),
  };
  const given = { table: { ...table, 'aria-label': label } } as unknown as Rows;
  return (
    <RowsContext value={given}>
      <TableShell columns={described} />
    </RowsContext>
  );
}

function describe<R extends object>(columns: readonly Column<R>[], sortable: boolean) {
  const shown = columns.filter(({ spare }) => !spare);
  const drawn = shown.map((column) => {
    const { csv } = column;
    const sort = sortable ? column.sort : undefined;
    const ordered = sort && csv && { sorter: byValue(csv), sortDirections: directionsOf(sort) };
    // Without a value type ProTable leaves the column to antd.
    return { ...antColumn({ ...column, sort }), ...ordered, valueType: '' };
  });
  return { shown, described: drawn as unknown as ProColumns<object>[] };
}

/** What is missing comes last, whichever way the rest is ordered. */
const byValue =
  <R,>(of: (row: R) => CsvCell) =>
  (a: R, b: R, order?: 'ascend' | 'descend' | null): number => {
    const [left, right] = [of(a) ?? null, of(b) ?? null];
    if (left === null || right === null) {
      if (left === right) return 0;
      return (left === null) === (order !== 'descend') ? 1 : -1;
    }
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return String(left).localeCompare(String(right));
  };
