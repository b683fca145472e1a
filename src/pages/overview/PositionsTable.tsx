import type { TableColumnsType } from 'antd';
import type { AccountPosition } from '#contract/account';
import { ColumnTitle } from '@/table/ColumnTitle';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { POSITION_COLUMNS } from './positionColumns';

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : -1;
  if (b === null || b === undefined) return 1;
  return String(a).localeCompare(String(b));
}

const columnOf = ({ key, title, explain, width, figure, fixed, render, csv }: Column<AccountPosition>) => ({
  key,
  title: <ColumnTitle title={title} explain={explain} />,
  width,
  fixed,
  align: figure ? ('right' as const) : undefined,
  sorter: (a: AccountPosition, b: AccountPosition) => compare(csv?.(a), csv?.(b)),
  render: (_: unknown, row: AccountPosition) => render(row),
});

const shown = POSITION_COLUMNS.filter(({ spare }) => !spare);
const columns: TableColumnsType<AccountPosition> = shown.map(columnOf);
const WIDTH = shown.reduce((sum, { width }) => sum + width, 0);

/** Every position in a row, sortable by every column. */
export default function PositionsTable({ positions }: { positions: readonly AccountPosition[] }) {
  return (
    <PlainTable
      aria-label="持仓"
      rowKey={({ source, symbol }) => `${source} ${symbol}`}
      columns={columns}
      rows={positions}
      scroll={{ x: WIDTH }}
      pagination={positions.length > 50 ? { pageSize: 50 } : false}
    />
  );
}
