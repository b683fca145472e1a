import { type OrderRow, order } from '#contract/order';
import type { OverviewRow } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL, ORDER_TYPE_LABEL } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { exactColumn, timeColumn, wordColumn } from '@/table/columns';
import { OpenedTable } from './OpenedTable';

const COLUMNS: Column<OrderRow>[] = [
  timeColumn<OrderRow>('createdAt', '时间', { precision: 'second' }),
  wordColumn<OrderRow>('source', '交易所', 80, ({ source }) => venueLabel(source)),
  wordColumn<OrderRow>('symbol', '合约', 170, ({ symbol }) => symbol),
  wordColumn<OrderRow>('side', '方向', 64, ({ side }) => ORDER_SIDE_LABEL[side]),
  wordColumn<OrderRow>('type', '类型', 64, ({ type }) => ORDER_TYPE_LABEL[type]),
  wordColumn<OrderRow>('purpose', '用途', 80, ({ purpose }) => ORDER_PURPOSE_LABEL[purpose]),
  exactColumn<OrderRow>('limitPrice', '价格', 110),
  exactColumn<OrderRow>('quantity', '数量', 110),
  {
    key: 'filled',
    title: '成交 %',
    width: 80,
    figure: true,
    render: ({ filled }) => <Percent value={filled} digits={0} />,
  },
  wordColumn<OrderRow>('state', '状态', 90, ({ state }) => ORDER_STATE_LABEL[state]),
];

/** How many are looked at here; all of them stand in the list of orders. */
const MOST = 100;

/** What rests or is on its way for a strategy, whoever's it is. */
export function OpenOrders({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(
    order.list,
    { query: { strategyId: id, view: 'live', pageSize: MOST } },
    { refreshInterval: 3_000 },
  );
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的当前委托`}
      columns={COLUMNS}
      empty={<EmptyState title="现在没有挂单" description="已经结束的在订单列表里" />}
    />
  );
}
