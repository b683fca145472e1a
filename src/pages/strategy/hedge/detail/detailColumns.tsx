import type { HedgeDetail } from '#contract/kinds/hedge/desk';
import {
  LEG_LABEL,
  ORDER_PURPOSE_LABEL,
  ORDER_SIDE_LABEL,
  ORDER_STATE_LABEL,
  ORDER_TYPE_LABEL,
} from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import type { Column } from '@/table/column';
import { exactColumn, timeColumn, wordColumn } from '@/table/columns';

type Fill = HedgeDetail['fills'][number];
type Order = HedgeDetail['orders'][number];
type Funding = HedgeDetail['fundings'][number];

/** What fills and orders both say first. */
const tradeColumns = <R extends Fill | Order>(): Column<R>[] => [
  wordColumn<R>('leg', '腿', 56, ({ leg }) => LEG_LABEL[leg]),
  wordColumn<R>('symbol', '合约', 116, ({ symbol }) => symbol),
  wordColumn<R>('purpose', '用途', 84, ({ purpose }) => ORDER_PURPOSE_LABEL[purpose]),
  wordColumn<R>('side', '方向', 64, ({ side }) => ORDER_SIDE_LABEL[side]),
];

export const FILL_COLUMNS: Column<Fill>[] = [
  timeColumn<Fill>('at', '时间', { precision: 'second' }),
  ...tradeColumns<Fill>(),
  exactColumn<Fill>('quantity', '数量', 112),
  exactColumn<Fill>('price', '价格 (USDT)', 116),
  exactColumn<Fill>('fee', '手续费 (USDT)', 132),
  wordColumn<Fill>('maker', '成交角色', 84, ({ maker }) => (maker ? '挂单' : '吃单')),
];

export const ORDER_COLUMNS: Column<Order>[] = [
  timeColumn<Order>('createdAt', '时间', { precision: 'second' }),
  ...tradeColumns<Order>(),
  wordColumn<Order>('type', '类型', 64, ({ type }) => ORDER_TYPE_LABEL[type]),
  exactColumn<Order>('quantity', '数量', 112),
  exactColumn<Order>('filledQuantity', '已成交', 112),
  wordColumn<Order>('state', '状态', 96, ({ state }) => ORDER_STATE_LABEL[state]),
  wordColumn<Order>('reason', '原因', 180, ({ reason }) => reason),
];

export const FUNDING_COLUMNS: Column<Funding>[] = [
  timeColumn<Funding>('at', '结算时间', { precision: 'second' }),
  wordColumn<Funding>('symbol', '合约', 116, ({ symbol }) => symbol),
  {
    ...exactColumn<Funding>('rate', '费率', 96),
    render: ({ rate }) => <Percent value={Number(rate)} digits={4} signed />,
  },
  exactColumn<Funding>('mark', '标记价 (USDT)', 132),
  exactColumn<Funding>('quantity', '计费持仓', 112),
  {
    ...exactColumn<Funding>('amount', '金额 (USDT)', 116),
    render: ({ amount }) => <Pnl value={Number(amount)} digits={4} />,
  },
];
