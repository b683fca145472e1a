import { Button, Tag } from 'antd';
import type { ArbitrageTrade, InventoryMove, InventoryRow } from '#contract/kinds/okx/desk';
import { Amount } from '@/components/Amount';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL } from '@/components/labels';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';
import { confirmMove } from './okxActions';

const NO_PRICE = '没有价格';

const coins = (key: 'quantity' | 'arriving', title: string, text: string): Column<InventoryRow> => ({
  key,
  title,
  width: 120,
  figure: true,
  explain: { text },
  render: (row) => <Amount value={Number(row[key])} digits={4} />,
  csv: (row) => Number(row[key]),
  written: { digits: 4 },
});

/** @param banned coins and venues that are not traded. @param ban asks to trade a coin no more, or again */
export const inventoryColumns = (
  banned: readonly string[],
  ban: (coin: string, banned: boolean) => void,
): Column<InventoryRow>[] => [
  wordColumn<InventoryRow>('base', '币种', 84, ({ base }) => base),
  wordColumn<InventoryRow>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  coins('quantity', '数量', '不含交易单持有的与即将转出的'),
  coins('arriving', '途中', '正在或即将转入的'),
  moneyColumn<InventoryRow>('value', '价值', { reason: NO_PRICE }),
  moneyColumn<InventoryRow>('target', '每所库存', { reason: '不管理库存' }),
  percentColumn<InventoryRow>('drift', '偏移', {
    digits: 1,
    signed: true,
    reason: '没有库存',
    explain: { text: '该所（含途中）占两所合计的份额减一半：0 为两所相等，±50 % 为全在一所' },
  }),
  {
    key: 'ban',
    title: '操作',
    width: 84,
    render: ({ base, source }) => {
      const isBanned = banned.includes(base);
      return (
        <Button
          size="small"
          aria-label={`${isBanned ? '恢复' : '拉黑'} ${base} ${venueLabel(source)}`}
          onClick={() => ban(base, !isBanned)}
        >
          {isBanned ? '恢复' : '拉黑'}
        </Button>
      );
    },
  },
];

/** @param done after a move was asked for */
export const moveColumns = (done: () => void): Column<InventoryMove>[] => [
  wordColumn<InventoryMove>('base', '币种', 84, ({ base }) => base),
  wordColumn<InventoryMove>('from', '从', 84, ({ from }) => venueLabel(from)),
  wordColumn<InventoryMove>('to', '到', 84, ({ to }) => venueLabel(to)),
  numberColumn<InventoryMove>('quantity', '数量', { digits: 4, width: 120 }),
  moneyColumn<InventoryMove>('value', '价值', { reason: NO_PRICE }),
  wordColumn<InventoryMove>('network', '网络', 96, ({ network }) => network),
  moneyColumn<InventoryMove>('fee', '提币费用'),
  numberColumn<InventoryMove>('feeBps', '费用 bps', { digits: 1, width: 96, reason: NO_PRICE }),
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
  {
    key: 'move',
    title: '操作',
    width: 84,
    fixed: 'right',
    render: (row) => {
      const isShut = row.canMove !== 'open' || row.fromAccount === null || row.toAccount === null;
      return (
        <Button
          size="small"
          disabled={isShut}
          title={isShut ? '充提暂停，或没有账户' : undefined}
          aria-label={`划转 ${row.base}`}
          onClick={() => confirmMove(row, done)}
        >
          划转
        </Button>
      );
    },
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
