import { Pagination, Skeleton, type TableProps } from 'antd';
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { useNarrow } from '@/components/useNarrow';
import { useSame } from '@/components/useSame';
import { CardOrder } from './CardOrder';
import type { Column } from './column';
import { ExportButton } from './ExportButton';
import { everyPage, type ListPage } from './everyPage';
import { PAGE_SIZES } from './listCodecs';
import type { Change, Place } from './listQuery';
import { Cards } from './RowCard';
import { type Bar, BarContext, type ListRows, type RowSelection, type Rows, RowsContext } from './rowsContext';
import { sortOf } from './sortOf';
import { TableShell } from './TableShell';
import styles from './table.module.css';
import { useColumnSettings } from './useColumnSettings';
import type { Listed } from './useListed';
import { useNow } from './useNow';
import { ViewsButton } from './ViewsButton';

/** Height of the frame's fixed header, px. */
const HEADER = 56;
/** Width of the column that opens a row, px. */
const EXPAND = 36;
/** Width of the column that ticks a row, px. */
const TICK = 40;
const SKELETON = { rows: 12, width: '100%' };
const PAGING = {
  pageSizeOptions: PAGE_SIZES,
  showSizeChanger: true,
  size: 'small',
} as const;

/** 12,345,678 is 1,235 万. */
const inTenThousands = (rows: number) => `${Math.round(rows / 10_000).toLocaleString('en-US')} 万`;
const totalOf = (all: number, about: number | undefined) =>
  about === undefined ? `共 ${all} 行` : `共约 ${inTenThousands(about)} 行，这里是最新的 ${inTenThousands(all)} 行`;

export interface ListTableProps<R extends object> {
  /** Under which the reader's columns are kept. */
  name: string;
  /** Of the CSV file. */
  title: string;
  columns: readonly Column<R>[];
  rowKey: keyof R & string;
  list: Listed<R>;
  /** Reads a page of the filter, for the CSV. */
  readPage: (page: { current: number; pageSize: number }) => Promise<ListPage<R>>;
  place: Place;
  onPlace: Change<Place>;
  filters?: ReactNode;
  actions?: ReactNode;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  expanded?: (row: R) => ReactNode;
  /** Height of what else is at the foot of the window, px: the scroll bar keeps clear of it. */
  foot?: number;
  /** What the totals row says under a column; absent: no such row. */
  totals?: ((column: string) => ReactNode) | undefined;
  /** Rows can be ticked. */
  selection?: RowSelection<R> | undefined;
  rowClass?: ((row: R) => string) | undefined;
  /** On a phone a row is such a card; absent: a table there too. */
  card?: (row: R) => ReactNode;
}

/** A list of the API: filters, tools, sticky head, order, paging, its three other states, and cards on a phone. */
export function ListTable<R extends object>(props: ListTableProps<R>) {
  const { name, title, columns, list, readPage, place, onPlace, filters, actions, selection } = props;
  const settings = useColumnSettings(name, columns);
  const described = useMemo(
    () => columns.map(({ key, title: words, fixed }) => ({ key, dataIndex: key, title: () => words, fixed })),
    [columns],
  );
  const ticked = useSame(selection?.selectedRowKeys);
  const untick = useUntick(selection);
  useRightPlace(list, place, onPlace);
  const bar: Bar = {
    filters,
    actions: (
      <>
        {actions}
        <ViewsButton />
        <ExportButton name={title} columns={columns} readAll={() => everyPage(readPage)} />
      </>
    ),
    loading: list.loading,
    onReload: list.retry,
  };
  return (
    <BarContext value={bar}>
      <RowsContext value={useListRows(props)}>
        <TableShell columns={described} settings={settings} ticked={ticked} onClear={untick} />
      </RowsContext>
    </BarContext>
  );
}

/** A link may name a page that the filter no longer reaches, or an order that the list does not have. */
function useRightPlace({ total, loading, error }: Listed<object>, place: Place, onPlace: Change<Place>): void {
  const { current, pageSize, sort } = place;
  const isUnsorted = sort !== '' && error?.fields.some(({ field }) => field === 'sort');
  const last = total === undefined || loading ? undefined : Math.max(1, Math.ceil(total / pageSize));
  useEffect(() => {
    if (isUnsorted) onPlace({ sort: '', current: 1 }, { replace: true });
    else if (last !== undefined && current > last) onPlace({ current: last }, { replace: true });
  });
}

/** Stays the same function, as all that ProTable is handed does. */
function useUntick<R extends object>(selection: RowSelection<R> | undefined) {
  const latest = useRef(selection);
  latest.current = selection;
  return useCallback(() => latest.current?.onChange?.([], [], { type: 'none' }), []);
}

function insteadOf<R extends object>(
  { list, rowKey, place, onPlace, card, columns, empty }: ListTableProps<R>,
  narrow: boolean,
): ReactNode {
  const { rows, total, error, loading, retry } = list;
  // Rows that answer another question than the one that failed would mislead.
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (rows === undefined) {
    return (
      <div className={styles.skeleton} role="status" aria-label="加载中">
        <Skeleton active title={false} paragraph={SKELETON} />
      </div>
    );
  }
  if (!narrow || card === undefined) return null;
  if (rows.length === 0) return empty;
  const keyOf = (row: R) => String(row[rowKey]);
  return <ListCards {...{ rows, keyOf, place, onPlace, card, columns }} total={total ?? 0} busy={loading} />;
}

/** The table's props, the same objects as long as they say the same: a table draws all of its cells when they change. */
function useListRows<R extends object>(props: ListTableProps<R>): Rows {
  const { columns, rowKey, list, place, empty, expanded, foot = 0, totals, selection, rowClass } = props;
  const { current, pageSize, sort } = place;
  const { rows, total, about, loading } = list;
  const narrow = useNarrow();
  const onPlace = useRef(props.onPlace);
  onPlace.current = props.onPlace;
  const onChange = useCallback<NonNullable<TableProps<R>['onChange']>>(
    ({ current: page = 1, pageSize: size = pageSize }, _filters, sorter, { action }) => {
      if (action === 'sort') return onPlace.current({ sort: sortOf(sorter), current: 1 });
      // Another page size starts over: the page's number would mean other rows.
      onPlace.current({ current: size === pageSize ? page : 1, pageSize: size });
    },
    [pageSize],
  );
  const nothing = rows?.length === 0 ? empty : undefined;
  const table = useMemo<TableProps<R>>(
    () => ({
      rowKey,
      dataSource: rows,
      loading,
      rowSelection: selection && { columnWidth: TICK, fixed: true, ...selection },
      rowClassName: rowClass,
      sticky: { offsetHeader: HEADER, offsetScroll: foot },
      tableLayout: 'fixed',
      showSorterTooltip: false,
      locale: { emptyText: nothing },
      expandable: expanded && { expandedRowRender: expanded, columnWidth: EXPAND, fixed: false },
      pagination: {
        ...PAGING,
        current,
        pageSize,
        total: total ?? 0,
        showTotal: (all) => totalOf(all, about),
      },
      onChange,
    }),
    [rowKey, rows, loading, selection, rowClass, foot, nothing, expanded, current, pageSize, total, about, onChange],
  );
  const now = useNow(rows, rowKey);
  const own = useMemo<ListRows>(
    () => ({ own: columns as readonly Column<object>[], sort, totals, now: now as unknown as ListRows['now'] }),
    [columns, sort, totals, now],
  );
  const instead = insteadOf(props, narrow);
  return useMemo(() => ({ table: table as unknown as TableProps<object>, list: own, instead }), [table, own, instead]);
}

interface ListCardsProps<R> {
  rows: readonly R[];
  keyOf: (row: R) => string;
  total: number;
  place: Place;
  onPlace: (change: Partial<Place>) => void;
  card: (row: R) => ReactNode;
  /** Those of the table, whose heads order the rows there. */
  columns: readonly Pick<Column<R>, 'key' | 'title' | 'sort'>[];
  busy: boolean;
}

/** A list on a phone: one card a row. */
function ListCards<R>({ rows, keyOf, total, place, onPlace, card, columns, busy }: ListCardsProps<R>) {
  return (
    <>
      <CardOrder columns={columns} sort={place.sort} onSort={(sort) => onPlace({ sort, current: 1 })} />
      <Cards busy={busy}>
        {rows.map((row) => (
          <Fragment key={keyOf(row)}>{card(row)}</Fragment>
        ))}
        <Pagination
          size="small"
          total={total}
          pageSize={place.pageSize}
          current={place.current}
          showSizeChanger={false}
          hideOnSinglePage
          onChange={(current) => onPlace({ current })}
        />
      </Cards>
    </>
  );
}
