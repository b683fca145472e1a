import type { OrderRow } from '#contract/order';
import { Amount } from '@/components/Amount';
import { ORDER_STATE_LABEL } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { limitPriceColumn, steppedColumn } from '@/strategy/steppedColumns';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { CancelButton } from './CancelButton';
import { OrderStateTag } from './OrderStateTag';
import { exactMoneyColumn, idColumn, NOT_FILLED, tradeColumns } from './tradeColumns';

const shared = tradeColumns<OrderRow>();

const filled: Column<OrderRow> = {
  key: 'filled',
  title: '成交 %',
  width: 84,
  figure: true,
  sort: 'descend',
  explain: { formula: '成交量 / 数量' },
  render: (row) => <Percent value={row.filled} digits={0} />,
  csv: (row) => row.filled,
  written: { digits: 0, percent: true },
  csvTitle: '成交比例',
};

const latency: Column<OrderRow> = {
  key: 'latencyMs',
  title: '延迟 (ms)',
  width: 96,
  figure: true,
  sort: 'descend',
  explain: { formula: '交易所回答时间 − 发出时间' },
  render: (row) => <Amount value={row.latencyMs} digits={0} reason="交易所还没有回答，或由交易所发起" />,
  csv: (row) => row.latencyMs,
  written: { digits: 0 },
};

const actions: Column<OrderRow> = {
  key: 'actions',
  title: '操作',
  width: 72,
  fixed: 'right',
  render: (row) => <CancelButton row={row} />,
};

const COLUMNS: Column<OrderRow>[] = [
  shared.symbol,
  timeColumn<OrderRow>('createdAt', '时间', { precision: 'second' }),
  shared.user,
  shared.strategy,
  shared.side,
  shared.type,
  wordColumn<OrderRow>('state', '状态', 112, (row) => ORDER_STATE_LABEL[row.state], {
    render: (row) => <OrderStateTag row={row} />,
  }),
  limitPriceColumn,
  shared.quantity,
  steppedColumn<OrderRow>('averagePrice', '均价', 112, 'tickSize', {
    csvTitle: '均价 (USDT)',
    reason: NOT_FILLED,
    explain: { text: '成交均价，USDT' },
  }),
  steppedColumn<OrderRow>('filledQuantity', '成交量', 104, 'lotSize', { explain: { text: '基础币' } }),
  filled,
  exactMoneyColumn<OrderRow>('filledNotional', '成交额', 2),
  shared.account,
  shared.source,
  shared.fee,
  shared.slippageBps,
  shared.purpose,
  shared.hedgeId,
  wordColumn<OrderRow>('reason', '拒绝原因', 140, (row) => row.reason),
  latency,
  shared.maker,
  shared.reduceOnly,
  idColumn<OrderRow>('id', '委托编号', { explain: { text: '也是交易所的 client id' } }),
  idColumn<OrderRow>('exchangeId', '交易所编号'),
  shared.opens,
  shared.decisionMid,
  timeColumn<OrderRow>('sentAt', '发出时间', { spare: true, reason: '没有发出' }),
  timeColumn<OrderRow>('endedAt', '结束时间', { spare: true, reason: '还没有结束' }),
];

export const LIVE_COLUMNS: Column<OrderRow>[] = [...COLUMNS, actions];
export const ENDED_COLUMNS = COLUMNS;
