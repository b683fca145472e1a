import type { TableProps } from 'antd';
import { createContext, type ReactNode, use } from 'react';
import type { Column } from './column';

export type RowSelection<R extends object> = NonNullable<TableProps<R>['rowSelection']>;

/** What a list adds to a table. */
export interface ListRows {
  own: readonly Column<object>[];
  /** `field` or `-field`. */
  sort: string;
  /** What the totals row says under a column; absent: no such row. */
  totals?: ((column: string) => ReactNode) | undefined;
  /** A row as it is by then. */
  now: (row: object) => object;
}

/** What changes from reading to reading. It goes past ProTable, which would draw every cell again for each change. */
export interface Rows {
  /** The antd table's props, all but its columns and density. */
  table: TableProps<object>;
  /** Absent: the columns are antd's. */
  list?: ListRows;
  /** Of a table that is no list: what the totals row says under a column. */
  totals?: ((column: string) => ReactNode) | undefined;
  /** Instead of the table: the first load, a failure, cards on a phone. */
  instead?: ReactNode;
}

/** What is in the bar above the rows. */
export interface Bar {
  /** Left. */
  filters: ReactNode;
  /** Right. */
  actions: ReactNode;
  loading: boolean;
  onReload: () => void;
}

export const RowsContext = createContext<Rows | null>(null);
export const BarContext = createContext<Bar | null>(null);

function within<T>(value: T | null): T {
  if (value === null) throw new Error('a part of a list is outside of it');
  return value;
}

export const useRows = (): Rows => within(use(RowsContext));
export const useBar = (): Bar => within(use(BarContext));
