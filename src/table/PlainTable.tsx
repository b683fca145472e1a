import type { ProColumns } from '@ant-design/pro-components';
import { Pagination, type TableProps } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { useNarrow } from '@/components/useNarrow';
import { antColumn, directionsOf } from './antColumns';
import { type Column, hasChanged } from './column';
import { byValue } from './inOrder';
import { Cards } from './RowCard';
import { type Bar, BarContext, type Rows, RowsContext } from './rowsContext';
import { directionIn, sortOf } from './sortOf';
import { TableShell } from './TableShell';
import type { ColumnSettings } from './useColumnSettings';
import { useNow } from './useNow';

const SIZES = [20, 100, 1_000, 5_000];
/** Of cards, which are as high as four rows, a page holds fewer. */
const CARDS = 8;
const PAGING = { pageSizeOptions: SIZES, size: 'small' } as const;
/** Of so many rows on a page only those in sight are drawn. */
const VIRTUAL_FROM = 1_000;
/** What a page of that many shows at once where nothing else is said, px. */
const VIRTUAL_HEIGHT = 560;

interface PlainTableProps<R extends object> extends Pick<TableProps<R>, 'rowKey' | 'loading' | 'pagination'> {
  /** Accessible name. */
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[] | undefined;
  /** The heads of the columns that can be sorted order the rows, in the browser. */
  sortable?: boolean;
  /** In what order the rows are, and who is told of another one; absent: the table itself knows. */
  order?: { sort: string; onSort: (sort: string) => void };
  /** Shown instead of rows when there are none. */
  empty?: ReactNode;
  /** What the totals row says under a column; absent: no such row. */
  totals?: (column: string) => ReactNode;
  /** px; rows beyond it scroll below the head. */
  maxHeight?: number;
  /** What a row tells when it is opened. */
  expanded?: (row: R) => ReactNode;
  /** How the reader wants the columns; absent: as they are. */
  settings?: ColumnSettings;
  /** Above the heads. */
  caption?: ReactNode;
  /** What is above the rows, beside the settings. */
  bar?: Bar;
  /** Shown instead of the table. */
  instead?: ReactNode;
  /** On a phone a row is such a card; absent: a table there too. */
  card?: (row: R) => ReactNode;
  /** Key of the row that somebody came for: it stands out for as long as this is given. */
  marked?: React.Key | undefined;
}

/** A table that has all its rows already: pages only where there are many rows, and tools only where they are given. */
export function PlainTable<R extends object>(props: PlainTableProps<R>) {
  const { label, columns, rows, rowKey, loading, sortable = false, empty, totals, maxHeight, expanded } = props;
  const { order, settings, caption, bar, card, marked } = props;
  const sort = order?.sort;
  const narrow = useNarrow();
  const now = useNow(rows, typeof rowKey === 'string' ? (rowKey as keyof R) : undefined);
  const canChoose = settings !== undefined;
  const described = useMemo(
    () => describe(narrow ? columns.map(unpinned) : columns, { order: sort, sortable, canChoose, now }),
    [narrow, columns, sortable, sort, canChoose, now],
  );
  const { pagination, shownAtOnce } = usePaging(rows?.length ?? 0, props.pagination);
  const virtual = shownAtOnce >= VIRTUAL_FROM;
  const table: TableProps<R> = {
    rowKey,
    dataSource: rows,
    loading: loading ?? false,
    ...(settings ? {} : { size: 'small' }),
    showSorterTooltip: false,
    pagination,
    virtual,
    expandable: expanded && { expandedRowRender: expanded, columnWidth: 40, fixed: 'left' },
    scroll: { y: virtual ? (maxHeight ?? VIRTUAL_HEIGHT) : maxHeight },
    locale: { emptyText: empty },
    ...(order && {
      onChange: (_page, _filters, sorter, { action }) => action === 'sort' && order.onSort(sortOf(sorter)),
    }),
    ...(caption === undefined ? {} : { title: () => caption }),
    ...(marked !== undefined && {
      onRow: (row) => (row[rowKey as keyof R] === marked ? { 'aria-current': 'true' } : {}),
    }),
  };
  const asCards = narrow && card !== undefined && rows !== undefined && rows.length > 0;
  const instead = props.instead || (asCards && <PlainCards {...{ rows, rowKey, card, marked }} />);
  const given = { table: { ...table, 'aria-label': label }, totals, instead } as unknown as Rows;
  return (
    <BarContext value={bar ?? null}>
      <RowsContext value={given}>
        <TableShell columns={described} settings={settings} bare={bar === undefined} />
      </RowsContext>
    </BarContext>
  );
}

interface PlainCardsProps<R> extends Pick<TableProps<R>, 'rowKey'> {
  rows: readonly R[];
  card: (row: R) => ReactNode;
  marked: React.Key | undefined;
}

/** The rows on a phone: one card a row, in the order that they come in. */
function PlainCards<R>({ rows, rowKey, card, marked }: PlainCardsProps<R>) {
  const pageSize = CARDS;
  const [page, setPage] = useState(1);
  const current = Math.min(page, Math.ceil(rows.length / pageSize));
  return (
    <Cards>
      {rows.slice((current - 1) * pageSize, current * pageSize).map((row) => {
        const key = typeof rowKey === 'function' ? rowKey(row) : (row[rowKey as keyof R] as React.Key);
        return (
          <div key={key} aria-current={key === marked || undefined}>
            {card(row)}
          </div>
        );
      })}
      <Pagination
        size="small"
        {...{ total: rows.length, pageSize, current }}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={setPage}
      />
    </Cards>
  );
}

/** Pages of a size that the reader chooses, unless the table has one of its own. */
function usePaging(total: number, own: TableProps['pagination']) {
  const [smallest] = SIZES;
  const [pageSize, setPageSize] = useState(smallest!);
  if (own === false || own?.pageSize !== undefined) return { pagination: own, shownAtOnce: 0 };
  const isLong = total > smallest!;
  const onShowSizeChange = (_page: number, size: number) => setPageSize(size);
  const hideOnSinglePage = !isLong && own === undefined;
  const pagination = { ...PAGING, pageSize, showSizeChanger: isLong, hideOnSinglePage, onShowSizeChange, ...own };
  return { pagination, shownAtOnce: Math.min(pageSize, total) };
}

/** On a phone what is pinned on both sides would leave no figure between. */
const unpinned = <R,>({ fixed, ...column }: Column<R>): Column<R> => ({
  ...column,
  ...(fixed === 'left' && { fixed }),
});

interface Described<R> {
  sortable: boolean;
  order: string | undefined;
  canChoose: boolean;
  now: (row: R) => R;
}

function describe<R extends object>(columns: readonly Column<R>[], { sortable, order, canChoose, now }: Described<R>) {
  const drawn = columns
    .filter(({ spare }) => canChoose || !spare)
    .map((column) => {
      const { csv, render } = column;
      const sort = sortable ? column.sort : undefined;
      const ordered = sort &&
        csv && {
          ...{ sorter: byValue(csv), sortDirections: directionsOf(sort) },
          ...(order !== undefined && { sortOrder: directionIn(order, column.key) }),
        };
      // Without a value type ProTable leaves the column to antd.
      // What draws from fields alone knows nothing else that may have changed.
      const updated = render.reads && {
        shouldCellUpdate: (row: R, before: R) => hasChanged(render, row, before),
      };
      return { ...antColumn({ ...column, sort }, now), ...ordered, ...updated, valueType: '' };
    });
  return drawn as unknown as ProColumns<object>[];
}
