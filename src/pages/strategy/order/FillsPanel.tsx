import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint';
import { type FillRow, order } from '#contract/order';
import { call } from '@/services/call';
import { TotalsStrip } from '@/table/TotalsStrip';
import type { Listed } from '@/table/useListed';
import { type ChangeOrders, type OrderState, toFills } from './orderQuery';
import { TradeTable } from './TradeTable';
import { FILL_TOTALS } from './totals';
import { FILL_COLUMNS, fillCard } from './tradeColumns';

interface FillsPanelProps {
  list: Listed<FillRow> & { data: DataOf<typeof order.fills> | undefined };
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
}

/** Fills with their totals. */
export function FillsPanel({ list, state, change, filters }: FillsPanelProps) {
  return (
    <TradeTable
      name="成交明细"
      choiceName="order-fills"
      columns={FILL_COLUMNS}
      list={list}
      state={state}
      change={change}
      filters={filters}
      readPage={(page) => call(order.fills, { query: { ...toFills(state), ...page } })}
      card={fillCard}
      empty="还没有成交"
      totals={
        list.data && <TotalsStrip label="成交统计" totals={list.data.totals} figures={FILL_TOTALS} side="above" />
      }
    />
  );
}
