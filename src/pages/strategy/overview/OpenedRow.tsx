import { Link } from '@umijs/max';
import { Tabs } from 'antd';
import { type ComponentProps, useMemo } from 'react';
import { ORDER_TYPE_LABEL } from '#contract/kinds/hedge/config';
import { ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL } from '#contract/lifecycle';
import { OrderRow, order } from '#contract/order';
import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { type CallState, useCall } from '@/services/useCall';
import { dealColumns } from '@/strategy/dealColumns';
import { LIMIT_PRICE } from '@/strategy/steppedColumns';
import { called } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { schemaColumns } from '@/table/schemaColumns';
import { FEED_COLUMNS } from './feedColumns';
import styles from './overview.module.css';

/** What a strategy holds, what rests for it, and what happened to it last. */
export const OpenedRow = ({ row }: { row: OverviewRow }) => (
  <Tabs
    className={styles.opened}
    size="small"
    items={[
      { key: 'deals', label: '持有的交易单', children: <OpenDeals row={row} /> },
      { key: 'orders', label: '当前委托', children: <OpenOrders row={row} /> },
      { key: 'events', label: '最近事件', children: <OwnEvents row={row} /> },
    ]}
    tabBarExtraContent={<Link to={`/strategy/order?tab=ended&strategyId=${row.id}`}>全部委托</Link>}
  />
);

/** What means something for some kinds only. */
const LEFT_OUT = new Set(['actions', 'imbalance', 'signalOpen', 'settled']);

/** What a strategy holds now; whoever's it is, it is only looked at here. */
function OpenDeals({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(strategyOverview.deals, { query: { id } }, { refreshInterval: 3_000 });
  const columns = useMemo(() => dealColumns(() => {}).filter(({ key }) => !LEFT_OUT.has(key)), []);
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的交易单`}
      columns={columns}
      empty={<EmptyState title="现在没有持有" description="达到开仓条件时由引擎开仓" />}
    />
  );
}

/** Of one strategy its name and its owner go without saying. */
const COLUMNS = FEED_COLUMNS.filter(({ key }) => key !== 'strategy' && key !== 'user');
const LINES = { pageSize: 8 };

/** What happened to a strategy last. */
function OwnEvents({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(strategyOverview.feed, { query: { id } }, { refreshInterval: 5_000 });
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的最近事件`}
      columns={COLUMNS}
      pagination={LINES}
      empty={<EmptyState title="还没有事件" description="开仓、平仓、资金费、配置修改与熔断会记在这里" />}
    />
  );
}

interface OpenedTableProps<R extends { id: string }>
  extends Pick<ComponentProps<typeof PlainTable<R>>, 'label' | 'columns' | 'pagination' | 'empty'> {
  reading: Pick<CallState<{ list: R[] }>, 'data' | 'error' | 'isLoading' | 'retry'>;
}

/** A list of a strategy that was opened, or why it could not be read. */
function OpenedTable<R extends { id: string }>({ reading, ...table }: OpenedTableProps<R>) {
  const { data, error, isLoading, retry } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  return <PlainTable rowKey="id" rows={data?.list} loading={isLoading} {...table} />;
}

const ORDER_COLUMNS = schemaColumns(OrderRow, {
  deciding: ['createdAt', 'source', 'symbol', 'side', 'type', 'purpose', 'limitPrice', 'quantity', 'filled', 'state'],
  only: true,
  widths: { symbol: 170, side: 64, type: 64, purpose: 80, quantity: 110, filled: 80, state: 90 },
  own: [
    called('side', ({ side }) => ORDER_SIDE_LABEL[side]),
    called('type', ({ type }) => ORDER_TYPE_LABEL[type]),
    called('purpose', ({ purpose }) => ORDER_PURPOSE_LABEL[purpose]),
    LIMIT_PRICE,
    called('state', ({ state }) => ORDER_STATE_LABEL[state]),
  ],
});

/** How many are looked at here; all of them stand in the list of orders. */
const MOST = 100;

/** What rests or is on its way for a strategy, whoever's it is. */
function OpenOrders({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(
    order.list,
    { query: { strategyId: id, view: 'live', pageSize: MOST } },
    { refreshInterval: 3_000 },
  );
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的当前委托`}
      columns={ORDER_COLUMNS}
      empty={<EmptyState title="现在没有挂单" description="已经结束的在订单列表里" />}
    />
  );
}
