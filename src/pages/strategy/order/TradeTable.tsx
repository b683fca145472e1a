import { Button, Switch } from 'antd';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { FillRow, OrderRow } from '#contract/order';
import { EmptyState } from '@/components/EmptyState';
import { useNarrow } from '@/components/useNarrow';
import type { Column } from '@/table/column';
import { DataTable, type RowSelection } from '@/table/DataTable';
import { everyPage } from '@/table/everyPage';
import { TableTools } from '@/table/TableTools';
import { useColumnChoice } from '@/table/useColumnChoice';
import styles from './index.module.css';
import { type ChangeOrders, isFiltered, NO_FILTER, type OrderState } from './orderQuery';
import { TradeCards } from './TradeCards';
import type { Listed } from './useListed';

interface Page<R> {
  list: R[];
  total: number;
  at: number;
}

interface TradeTableProps<R extends OrderRow | FillRow> {
  name: string;
  /** Under which the reader's columns are kept. */
  choiceName: string;
  columns: Column<R>[];
  listed: Listed<Page<R>>;
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
  totals: ReactNode;
  tools?: ReactNode;
  readPage: (page: { current: number; pageSize: number; end?: number }) => Promise<Page<R>>;
  figures: (row: R) => readonly (readonly [string, ReactNode])[];
  tag?: (row: R) => ReactNode;
  action?: ((row: R) => ReactNode) | undefined;
  selection?: RowSelection<R> | undefined;
  empty: string;
}

/** Orders or fills: filters, totals, the table with its tools, and cards on a phone. */
export function TradeTable<R extends OrderRow | FillRow>(props: TradeTableProps<R>) {
  const { name, choiceName, columns, listed, state, change, filters, totals, tools, readPage, empty } = props;
  const { data, error, loading, retry } = listed;
  const narrow = useNarrow();
  const choice = useColumnChoice(choiceName, columns);
  // Rows that come while the file is read would push others from page to page.
  const end = Math.min(state.end ?? Number.POSITIVE_INFINITY, data?.at ?? Number.POSITIVE_INFINITY);
  const readAll = () => everyPage((page) => readPage({ ...page, ...(Number.isFinite(end) ? { end } : {}) }));
  const lastPage = data && !loading ? Math.max(1, Math.ceil(data.total / state.pageSize)) : undefined;
  useEffect(() => {
    // A link may name a page that the filter no longer reaches.
    if (lastPage !== undefined && state.current > lastPage) change({ current: lastPage }, { replace: true });
  });
  const bands = useMemo(() => bandsOf(data?.list ?? []), [data]);
  const nothing = (
    <EmptyState title={isFiltered(state) ? '没有符合筛选的记录' : empty}>
      {isFiltered(state) && <Button onClick={() => change(NO_FILTER)}>清除筛选</Button>}
    </EmptyState>
  );
  return (
    <>
      <div className={styles.bar}>
        {filters}
        <span className={styles.tools}>
          <span className={styles.grouping}>
            <Switch
              size="small"
              aria-label="按对冲单分组"
              checked={state.grouped}
              onChange={(grouped) => change({ grouped, sort: '', current: 1 })}
            />
            按对冲单分组
          </span>
          {tools}
          <TableTools
            name={`订单-${name}`}
            columns={columns}
            choice={choice}
            reading={loading}
            onReload={retry}
            readAll={readAll}
          />
        </span>
      </div>
      {narrow ? (
        <TradeCards {...props} nothing={nothing} />
      ) : (
        <DataTable<R>
          columns={choice.shown}
          rows={data?.list}
          total={data?.total ?? 0}
          rowKey={'id' as keyof R & string}
          place={state}
          // Another order of the rows takes the groups apart.
          onPlace={(place) => change(place.sort ? { ...place, grouped: false } : place)}
          loading={loading}
          error={error}
          onRetry={retry}
          density={choice.density}
          empty={nothing}
          selection={props.selection}
          rowClass={state.grouped ? ({ id }) => (bands.get(id) ? (styles.band ?? '') : '') : undefined}
        />
      )}
      {totals}
    </>
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
