import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint';
import { order } from '#contract/order';
import { call } from '@/services/call';
import { figuresOfFill } from './cardFigures';
import { FILL_COLUMNS } from './fillColumns';
import { type ChangeOrders, type OrderState, toFills } from './orderQuery';
import { TotalsStrip } from './TotalsStrip';
import { TradeTable } from './TradeTable';
import { FILL_TOTALS } from './totals';
import type { Listed } from './useListed';

interface FillsPanelProps {
  listed: Listed<DataOf<typeof order.fills>>;
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
}

/** Fills with their totals. */
export function FillsPanel({ listed, state, change, filters }: FillsPanelProps) {
  return (
    <TradeTable
      name="成交明细"
      choiceName="order-fills"
      columns={FILL_COLUMNS}
      listed={listed}
      state={state}
      change={change}
      filters={filters}
      readPage={(page) => call(order.fills, { query: { ...toFills(state), ...page } })}
      figures={figuresOfFill}
      empty="还没有成交"
      totals={listed.data && <TotalsStrip label="成交统计" totals={listed.data.totals} figures={FILL_TOTALS} />}
    />
  );
}
