import type { FillRow } from '#contract/order';
import { Pnl } from '@/components/Pnl';
import { steppedColumn } from '@/strategy/steppedColumns';
import type { Column } from '@/table/column';
import { exactColumn, timeColumn } from '@/table/columns';
import { exactMoneyColumn, idColumn, tradeColumns } from './tradeColumns';

const shared = tradeColumns<FillRow>();

export const FILL_COLUMNS: Column<FillRow>[] = [
  shared.symbol,
  timeColumn<FillRow>('at', '时间', { precision: 'second' }),
  shared.user,
  shared.account,
  shared.source,
  shared.strategy,
  shared.side,
  steppedColumn<FillRow>('price', '成交价', 104, 'tickSize', { csvTitle: '成交价 (USDT)', explain: { text: 'USDT' } }),
  shared.quantity,
  exactMoneyColumn<FillRow>('notional', '成交额', 2),
  shared.fee,
  shared.maker,
  shared.slippageBps,
  {
    ...exactColumn<FillRow>('realised', '已实现盈亏 (USDT)', 148, { explain: { text: '价格盈亏，不含手续费' } }),
    render: (row) => <Pnl value={Number(row.realised)} />,
  },
  shared.purpose,
  shared.hedgeId,
  shared.type,
  shared.reduceOnly,
  idColumn<FillRow>('orderId', '委托编号', { explain: { text: '也是交易所的 client id' } }),
  idColumn<FillRow>('id', '成交编号'),
  shared.opens,
  shared.decisionMid,
];
