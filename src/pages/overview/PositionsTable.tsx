import { useMemo } from 'react';
import type { AccountPosition } from '#contract/account';
import { PlainTable } from '@/table/PlainTable';
import type { AccountNames } from './accounts/accountNames';
import { positionColumns } from './positionColumns';

const PAGING = { pageSize: 50, hideOnSinglePage: true } as const;

interface PositionsTableProps {
  positions: readonly AccountPosition[];
  nameOf: AccountNames;
}

/** Every position in a row, sortable by every column. */
export default function PositionsTable({ positions, nameOf }: PositionsTableProps) {
  const columns = useMemo(() => positionColumns(nameOf), [nameOf]);
  return (
    <PlainTable
      sortable
      label="持仓"
      rowKey={({ accountId, source, symbol }) => `${accountId} ${source} ${symbol}`}
      columns={columns}
      rows={positions}
      pagination={PAGING}
    />
  );
}
