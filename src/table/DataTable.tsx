import { Skeleton, Table, type TableColumnType, type TableProps } from 'antd';
import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { ColumnTitle } from './ColumnTitle';
import type { Column } from './column';
import { PAGE_SIZES } from './listCodecs';
import styles from './table.module.css';
import type { Density } from './useColumnChoice';

/** Height of the frame's fixed header, px. */
const HEADER = 56;
/** Width of the column that opens a row, px. */
const EXPAND = 36;
/** Width of the column that ticks a row, px. */
const TICK = 40;
/** Rows that a window shows at first, and a few more. */
const AT_ONCE = 20;
const SKELETON = { rows: 12, width: '100%' };

interface Place {
  current: number;
  pageSize: number;
  sort: string;
}

export type RowSelection<R extends object> = NonNullable<TableProps<R>['rowSelection']>;

interface DataTableProps<R extends object> {
  columns: readonly Column<R>[];
  rows: readonly R[] | undefined;
  total: number;
  rowKey: keyof R & string;
  place: Place;
  onPlace: (change: Partial<Place>) => void;
  loading: boolean;
  error: { message: string } | undefined;
  onRetry: () => void;
  density: Density;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  expanded?: (row: R) => ReactNode;
  /** Height of what else stands at the foot of the window, px: the scroll bar keeps clear of it. */
  foot?: number;
  /** What the totals row says under a column; absent: no such row. */
  totals?: (column: string) => ReactNode;
  /** Rows can be ticked. */
  selection?: RowSelection<R> | undefined;
  rowClass?: ((row: R) => string) | undefined;
}

/** A page of a list with sticky header, sort, paging, and its three other states: loading, empty, failed. */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const {
    columns,
    rows,
    total,
    rowKey,
    place,
    onPlace,
    loading,
    error,
    onRetry,
    density,
    empty,
    expanded,
    foot = 0,
    totals,
    selection,
    rowClass,
  } = props;
  const antColumns = useMemo(() => columns.map((column) => antColumn(column, place.sort)), [columns, place.sort]);
  const width = columns.reduce((sum, column) => sum + column.width, (expanded ? EXPAND : 0) + (selection ? TICK : 0));
  // Rows that answer another question than the one that failed would mislead.
  if (error && !loading) return <ErrorState error={error} onRetry={onRetry} />;
  if (rows === undefined) {
    return (
      <div className={styles.skeleton} role="status" aria-label="加载中">
        <Skeleton active title={false} paragraph={SKELETON} />
      </div>
    );
  }
  return (
    <GrowingTable<R>
      className={styles.table}
      rowKey={rowKey}
      size={density}
      columns={antColumns}
      dataSource={rows}
      loading={loading}
      rowSelection={selection && { columnWidth: TICK, fixed: true, ...selection }}
      rowClassName={rowClass}
      sticky={{ offsetHeader: HEADER, offsetScroll: foot }}
      scroll={{ x: width }}
      tableLayout="fixed"
      showSorterTooltip={false}
      locale={{ emptyText: empty }}
      summary={
        totals &&
        (() => <TotalsRow columns={columns} totals={totals} first={(expanded ? 1 : 0) + (selection ? 1 : 0)} />)
      }
      expandable={expanded && { expandedRowRender: expanded, columnWidth: EXPAND, fixed: false }}
      pagination={{
        current: place.current,
        pageSize: place.pageSize,
        total,
        pageSizeOptions: PAGE_SIZES,
        showSizeChanger: true,
        showTotal: (all) => `共 ${all} 行`,
        size: 'small',
      }}
      onChange={({ current = 1, pageSize = place.pageSize }, _filters, sorter, { action }) => {
        if (action === 'sort') return onPlace({ sort: sortOf(sorter), current: 1 });
        // Another page size starts over: the page's number would mean other rows.
        onPlace({ current: pageSize === place.pageSize ? current : 1, pageSize });
      }}
    />
  );
}

/**
 * A table that comes up with its first rows and fills in the rest while the browser has time: fifty rows at once would
 * keep a slow machine from answering for seconds.
 */
function GrowingTable<R extends object>({ dataSource = [], ...rest }: TableProps<R>) {
  const [whole, setWhole] = useState(false);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return <Table<R> {...rest} dataSource={whole ? dataSource : dataSource.slice(0, AT_ONCE)} />;
}

interface TotalsRowProps<R> {
  columns: readonly Column<R>[];
  totals: (column: string) => ReactNode;
  /** Index of the first column's cell. */
  first: number;
}

function TotalsRow<R>({ columns, totals, first }: TotalsRowProps<R>) {
  return (
    <Table.Summary.Row>
      {first > 0 && <Table.Summary.Cell index={0} colSpan={first} />}
      {columns.map(({ key, figure }, i) => (
        <Table.Summary.Cell key={key} index={i + first} align={figure ? 'right' : undefined}>
          {totals(key)}
        </Table.Summary.Cell>
      ))}
    </Table.Summary.Row>
  );
}

type Sorter = { columnKey?: React.Key; order?: 'ascend' | 'descend' | null };

function sortOf(sorter: Sorter | Sorter[]): string {
  const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
  if (!order) return '';
  return order === 'descend' ? `-${String(columnKey)}` : String(columnKey);
}

function antColumn<R>({ key, title, explain, width, figure, sort, fixed, render }: Column<R>, order: string) {
  const directions =
    sort === 'descend' ? ['descend' as const, 'ascend' as const] : ['ascend' as const, 'descend' as const];
  const column: TableColumnType<R> = {
    key,
    title: <ColumnTitle title={title} explain={explain} />,
    width,
    fixed,
    align: figure ? 'right' : undefined,
    ...(sort && {
      sorter: true,
      sortDirections: directions,
      sortOrder: order === key ? 'ascend' : order === `-${key}` ? 'descend' : null,
    }),
    render: (_value, row) => render(row),
  };
  return column;
}
