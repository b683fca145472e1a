import { Table, type TableColumnType } from 'antd';
import type { ReactNode } from 'react';

interface TotalsRowProps {
  columns: readonly Pick<TableColumnType<object>, 'key' | 'align'>[];
  totals: (column: string) => ReactNode;
  /** Index of the first column's cell. */
  first: number;
}

/** What all rows of the filter come to, under their columns. */
export function TotalsRow({ columns, totals, first }: TotalsRowProps) {
  return (
    <Table.Summary.Row>
      {first > 0 && <Table.Summary.Cell index={0} colSpan={first} />}
      {columns.map(({ key, align }, i) => (
        <Table.Summary.Cell key={key} index={i + first} align={align}>
          {totals(String(key))}
        </Table.Summary.Cell>
      ))}
    </Table.Summary.Row>
  );
}
