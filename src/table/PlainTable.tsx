import type { ProColumns } from '@ant-design/pro-components';
import type { TableColumnsType, TableProps } from 'antd';
import { useMemo } from 'react';
import { type Rows, RowsContext } from './rowsContext';
import { TableShell } from './TableShell';

interface PlainTableProps<R extends object> extends Omit<TableProps<R>, 'columns' | 'dataSource' | 'size'> {
  columns: TableColumnsType<R>;
  rows: readonly R[] | undefined;
}

/** A short table that has all its rows already: no tools, ordered in the browser. */
export function PlainTable<R extends object>({ columns, rows, ...table }: PlainTableProps<R>) {
  const described = useMemo(
    // Without a value type ProTable leaves the column to antd.
    () => columns.map((column) => ({ ...column, valueType: '' })) as unknown as ProColumns<object>[],
    [columns],
  );
  const given: Rows = {
    table: { showSorterTooltip: false, size: 'small', ...table, dataSource: rows } as unknown as TableProps<object>,
  };
  return (
    <RowsContext value={given}>
      <TableShell columns={described} />
    </RowsContext>
  );
}
