import { Tag } from 'antd';
import type { ArbitrageTrade, InventoryMove, InventoryRow } from '#contract/okxDesk';
import { Amount } from '@/components/Amount';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL } from '@/components/labels';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';

const NO_PRICE = '没有价格';

export const INVENTORY_COLUMNS: Column<InventoryRow>[] = [
  wordColumn<InventoryRow>('base', '币种', 84, ({ base }) => base),
  wordColumn<InventoryRow>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  {
    key: 'quantity',
    title: '数量',
    width: 130,
    figure: true,
    explain: { text: '不含其他交易单持有的' },
    render: ({ quantity }) => <Amount value={Number(quantity)} digits={4} />,
    csv: ({ quantity }) => Number(quantity),
  },
  moneyColumn<InventoryRow>('value', '价值', { reason: NO_PRICE }),
  moneyColumn<InventoryRow>('target', '每所库存', { reason: '不管理库存' }),
  percentColumn<InventoryRow>('drift', '偏移', {
    digits: 1,
    signed: true,
    reason: '没有库存',
    explain: { text: '该所占两所合计的份额减一半：0 为两所相等，±50 % 为全在一所' },
  }),
];

export const MOVE_COLUMNS: Column<InventoryMove>[] = [
  wordColumn<InventoryMove>('base', '币种', 84, ({ base }) => base),
  wordColumn<InventoryMove>('from', '从', 84, ({ from }) => venueLabel(from)),
  wordColumn<InventoryMove>('to', '到', 84, ({ to }) => venueLabel(to)),
  numberColumn<InventoryMove>('quantity', '数量', { digits: 4, width: 120 }),
  moneyColumn<InventoryMove>('value', '价值', { reason: NO_PRICE }),
  moneyColumn<InventoryMove>('fee', '提币费用'),
  numberColumn<InventoryMove>('minutes', '分钟', { digits: 0 }),
  {
    key: 'canMove',
    title: '充提',
    width: 84,
    render: ({ canMove }) =>
      canMove === null ? (
        <span className="missing">-</span>
      ) : (
        <Tag color={canMove === 'open' ? undefined : 'warning'}>{canMove === 'open' ? '开放' : '暂停'}</Tag>
      ),
    csv: ({ canMove }) => canMove,
  },
];

const resultOf = ({ state, closeReason }: ArbitrageTrade): string =>
  closeReason === null ? HEDGE_STATE_LABEL[state] : CLOSE_REASON_LABEL[closeReason];

export const TRADE_COLUMNS: Column<ArbitrageTrade>[] = [
  timeColumn<ArbitrageTrade>('at', '时间', { precision: 'second' }),
  wordColumn<ArbitrageTrade>('symbol', '现货', 150, ({ symbol }) => symbol),
  wordColumn<ArbitrageTrade>('buy', '买入所', 80, ({ buy }) => venueLabel(buy)),
  wordColumn<ArbitrageTrade>('sell', '卖出所', 80, ({ sell }) => venueLabel(sell)),
  moneyColumn<ArbitrageTrade>('notional', '买入金额'),
  gainColumn<ArbitrageTrade>('plannedBps', '计划 bps', { digits: 1, explain: { text: '决策时按规模的净价差 F25' } }),
  gainColumn<ArbitrageTrade>('realBps', '实际 bps', { digits: 1, reason: '没有两边成交' }),
  gainColumn<ArbitrageTrade>('net', '净利 USDT', { reason: '没有成交' }),
  percentColumn<ArbitrageTrade>('share', '成交比例', { digits: 1 }),
  numberColumn<ArbitrageTrade>('buyMs', '买单 ms', { digits: 0, reason: '没有回报' }),
  numberColumn<ArbitrageTrade>('sellMs', '卖单 ms', { digits: 0, reason: '没有回报' }),
  numberColumn<ArbitrageTrade>('apartMs', '相差 ms', {
    digits: 0,
    reason: '没有两边发出',
    explain: { text: '两单发出的时间差' },
  }),
  wordColumn<ArbitrageTrade>('state', '结果', 110, resultOf),
];
