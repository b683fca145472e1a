import { Switch } from 'antd';
import { type ReactNode, use, useCallback, useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { FillRow, OrderRow } from '#contract/order';
import { EmptyState } from '@/components/EmptyState';
import { useNarrow } from '@/components/useNarrow';
import type { Column } from '@/table/column';
import type { ListPage } from '@/table/everyPage';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import type { RowSelection } from '@/table/rowsContext';
import type { Listed } from '@/table/useListed';
import { ToolsPlace } from './orderContext';
import { type ChangeOrders, type OrderState, orderQuery } from './orderQuery';
import styles from './trades.module.css';

interface TradeTableProps<R extends OrderRow | FillRow> {
  name: string;
  /** Under which the reader's columns are kept. */
  choiceName: string;
  columns: readonly Column<R>[];
  /** `at`: when the rows were read, UTC ms. */
  list: Listed<R> & { data: { at: number } | undefined };
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
  totals: ReactNode;
  tools?: ReactNode;
  readPage: (page: { current: number; pageSize: number; end?: number }) => Promise<ListPage<R>>;
  card: (row: R) => ReactNode;
  selection?: RowSelection<R> | undefined;
  empty: string;
}

/** Orders or fills: filters, totals, the table with its tools, and cards on a phone. */
export function TradeTable<R extends OrderRow | FillRow>(props: TradeTableProps<R>) {
  const { name, choiceName, columns, list, state, change, filters, totals, tools, readPage, empty } = props;
  const { card, selection } = props;
  const narrow = useNarrow();
  const beside = use(ToolsPlace);
  // Rows that come while the file is read would push others from page to page.
  const end = Math.min(state.end ?? Number.POSITIVE_INFINITY, list.data?.at ?? Number.POSITIVE_INFINITY);
  const bands = useMemo(() => bandsOf(list.rows ?? []), [list.rows]);
  const rowClass = useCallback(({ id }: R) => (bands.get(id) ? (styles.band ?? '') : ''), [bands]);
  const done = (
    <>
      <Grouping state={state} change={change} />
      {tools}
    </>
  );
  return (
    <>
      {!narrow && beside && createPortal(done, beside)}
      <ListTable<R>
        name={choiceName}
        title={`订单-${name}`}
        columns={columns}
        rowKey={'id' as keyof R & string}
        list={list}
        readPage={(page) => readPage({ ...page, ...(Number.isFinite(end) ? { end } : {}) })}
        place={state}
        // Another order of the rows takes the groups apart.
        onPlace={(place, options) => change(place.sort ? { ...place, grouped: false } : place, options)}
        filters={filters}
        actions={narrow && done}
        selection={selection}
        rowClass={state.grouped ? rowClass : undefined}
        card={card}
        empty={
          <NoRows of="记录" filtered={orderQuery.isFiltered(state)} onClear={() => change(orderQuery.clear)}>
            <EmptyState title={empty} />
          </NoRows>
        }
      />
      {totals}
    </>
  );
}

function Grouping({ state, change }: { state: OrderState; change: ChangeOrders }) {
  return (
    <span className={styles.grouping}>
      <Switch
        size="small"
        aria-label="按对冲单分组"
        checked={state.grouped}
        onChange={(grouped) => change({ grouped, sort: '', current: 1 })}
      />
      按对冲单分组
    </span>
  );
}

/** Every second hedge's rows are shaded, so that its legs are seen as one. */
function bandsOf(rows: readonly (OrderRow | FillRow)[]): Map<string, boolean> {
  const bands = new Map<string, boolean>();
  let shaded = true;
  let before: string | null | undefined;
  for (const { id, hedgeId } of rows) {
    if (hedgeId === null || hedgeId !== before) shaded = !shaded;
    before = hedgeId;
    bands.set(id, shaded);
  }
  return bands;
}
