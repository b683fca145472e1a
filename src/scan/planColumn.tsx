import { Button } from 'antd';
import type { Column } from '@/table/column';

/** One click from a row to the filled drawer of a strategy. */
export const planColumn = <R extends { base: string; id: string }>(plan: (row: R) => void): Column<R> => ({
  key: 'plan',
  title: '操作',
  width: 96,
  fixed: 'right',
  render: (row) => (
    <Button size="small" aria-label={`用 ${row.id} 新建策略`} onClick={() => plan(row)}>
      新建策略
    </Button>
  ),
});
