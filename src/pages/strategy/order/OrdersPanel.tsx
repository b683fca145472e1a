import { type ReactNode, useMemo, useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { orderAllowsCancel } from '#contract/lifecycle';
import { CANCEL_IDS, type OrderRow, order } from '#contract/order';
import { MoneyButton } from '@/components/MoneyButton';
import { useSame } from '@/components/useSame';
import { call } from '@/services/call';
import type { Column } from '@/table/column';
import type { RowSelection } from '@/table/rowsContext';
import { TotalsStrip } from '@/table/TotalsStrip';
import type { Listed } from '@/table/useListed';
import { useRefresh } from './orderContext';
import { type ChangeOrders, type OrderState, toOrders } from './orderQuery';
import { TradeTable } from './TradeTable';
import { ORDER_TOTALS } from './totals';
import { ORDER_COLUMNS, orderCard } from './tradeColumns';

function whyNot({ state, cancelAskedAt }: OrderRow): string | undefined {
  if (!orderAllowsCancel(state)) return '只有挂单中的委托可以撤销';
  return cancelAskedAt === null ? undefined : '已请求撤单，等待交易所确认';
}

const mayCancel = (row: OrderRow): boolean => whyNot(row) === undefined;

/** Cancels one order, or says why that cannot be done. */
function CancelButton({ row }: { row: OrderRow }) {
  const refresh = useRefresh();
  const reason = whyNot(row);
  return (
    <MoneyButton
      size="small"
      danger
      why={reason}
      onClick={async () => (await import('./cancelActions')).confirmCancel([row], refresh)}
    >
      撤单
    </MoneyButton>
  );
}

const cancel = (row: OrderRow) => <CancelButton row={row} />;
const LIVE_COLUMNS: Column<OrderRow>[] = [
  ...ORDER_COLUMNS,
  { key: 'actions', title: '操作', width: 72, fixed: 'right', render: cancel },
];
const LIVE_CARD = orderCard(cancel);
const ENDED_CARD = orderCard();

interface OrdersPanelProps {
  list: Listed<OrderRow> & { data: DataOf<typeof order.list> | undefined };
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
}

/** Orders that live, or those that have ended, with their totals. */
export function OrdersPanel({ list, state, change, filters }: OrdersPanelProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const refresh = useRefresh();
  const live = state.tab === 'live';
  const { data } = list;
  // What has ended meanwhile, or is on another page, is not cancelled unseen.
  const rows = (list.rows ?? []).filter((row) => chosen.includes(row.id) && mayCancel(row)).slice(0, CANCEL_IDS);
  const ticked = useSame(rows.map(({ id }) => id));
  const selection = useMemo<RowSelection<OrderRow>>(
    () => ({
      selectedRowKeys: ticked,
      onChange: (keys) => setChosen(keys.map(String)),
      getCheckboxProps: (row) => ({ disabled: !mayCancel(row) }),
    }),
    [ticked],
  );
  const resting = data?.totals.resting ?? 0;
  const done = () => {
    setChosen([]);
    refresh();
  };
  return (
    <TradeTable
      name={live ? '当前委托' : '历史委托'}
      choiceName={live ? 'orders-live' : 'orders'}
      columns={live ? LIVE_COLUMNS : ORDER_COLUMNS}
      list={list}
      state={state}
      change={change}
      filters={filters}
      readPage={(page) => call(order.list, { query: { ...toOrders(state), ...page } })}
      card={live ? LIVE_CARD : ENDED_CARD}
      empty={live ? '没有未结束的委托' : '还没有历史委托'}
      selection={live ? selection : undefined}
      tools={
        live && (
          <>
            <MoneyButton
              danger
              why={rows.length === 0 ? '先勾选要撤的委托' : undefined}
              onClick={async () => (await import('./cancelActions')).confirmCancel(rows, done)}
            >
              撤销所选（{rows.length}）
            </MoneyButton>
            <MoneyButton
              danger
              why={resting === 0 ? '筛选中没有可撤销的挂单' : undefined}
              onClick={async () => (await import('./cancelActions')).confirmCancelAll(state, resting, done)}
            >
              撤销筛选全部（{resting}）
            </MoneyButton>
          </>
        )
      }
      totals={data && <TotalsStrip label="委托统计" totals={data.totals} figures={ORDER_TOTALS} side="above" />}
    />
  );
}
