import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint';
import { FillRow, type FillTotals, order } from '#contract/order';
import { Amount } from '@/components/Amount';
import { Pnl } from '@/components/Pnl';
import { call } from '@/services/call';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { type Total, TotalsStrip } from '@/table/TotalsStrip';
import type { Listed } from '@/table/useListed';
import { type ChangeOrders, type OrderState, toFills } from './orderQuery';
import { TradeTable } from './TradeTable';
import { TRADED } from './totals';
import { idOf, labelOf, own, WIDTHS } from './tradeColumns';

const FILL_COLUMNS = schemaColumns(FillRow, {
  deciding: [
    ...['symbol', 'at', 'user', 'strategy', 'side', 'price', 'quantity', 'notional', 'fee', 'realised'],
    ...['maker', 'slippageBps', 'account', 'source', 'purpose', 'hedgeId', 'type', 'reduceOnly', 'orderId', 'id'],
  ],
  widths: { ...WIDTHS, strategy: 88, price: 96, quantity: 84, notional: 128, realised: 140 },
  own: [...own<FillRow>(), { key: 'realised', csvTitle: '已实现价格盈亏 (USDT)' }, idOf('orderId'), idOf('id')],
});

/** On a phone. */
const fillCard = columnsCard(FILL_COLUMNS, {
  ...{ label: labelOf, head: ['symbol', 'side', 'user'], end: [] },
  figures: [
    ...['at', 'price', 'quantity', 'notional', 'fee', 'realised', 'maker', 'slippageBps', 'account', 'source'],
    ...['strategy', 'hedgeId'],
  ],
});

const FILL_TOTALS: Total<FillTotals>[] = [
  { label: '成交', text: '筛选中的笔数，不只本页', figure: ({ fills }) => <Amount value={fills} digits={0} /> },
  ...TRADED,
  {
    label: '已实现价格盈亏',
    text: '不含手续费与资金费',
    figure: ({ realised }) => <Pnl value={realised} unit="USDT" />,
  },
];

interface FillsPanelProps {
  list: Listed<FillRow> & { data: DataOf<typeof order.fills> | undefined };
  state: OrderState;
  change: ChangeOrders;
  filters: ReactNode;
}

/** Fills with their totals. */
export default function FillsPanel({ list, state, change, filters }: FillsPanelProps) {
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
