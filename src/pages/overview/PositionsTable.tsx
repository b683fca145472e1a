import type { AccountPosition } from '#contract/account';
import { PlainTable } from '@/table/PlainTable';
import { POSITION_COLUMNS } from './positionColumns';

const PAGING = { pageSize: 50, hideOnSinglePage: true } as const;

/** Every position in a row, sortable by every column. */
export default function PositionsTable({ positions }: { positions: readonly AccountPosition[] }) {
  return (
    <PlainTable
      sortable
      label="持仓"
      rowKey={({ source, symbol }) => `${source} ${symbol}`}
      columns={POSITION_COLUMNS}
      rows={positions}
      pagination={PAGING}
    />
  );
}
