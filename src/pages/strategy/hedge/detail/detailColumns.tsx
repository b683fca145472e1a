import type { TableColumnsType } from 'antd';
import type { HedgeDetail } from '#contract/hedge';
import { DateTime } from '@/components/DateTime';
import {
  LEG_LABEL,
  ORDER_PURPOSE_LABEL,
  ORDER_SIDE_LABEL,
  ORDER_STATE_LABEL,
  ORDER_TYPE_LABEL,
} from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';

type Fill = HedgeDetail['fills'][number];
type Order = HedgeDetail['orders'][number];
type Funding = HedgeDetail['fundings'][number];

/** Exact decimals are shown as they are kept. */
const exact = (value: string) => <span className="figure">{value}</span>;
const time = (at: number) => <DateTime value={at} precision="second" />;

export const fillColumns: TableColumnsType<Fill> = [
  { title: '时间', dataIndex: 'at', render: time },
  { title: '腿', dataIndex: 'leg', render: (leg: Fill['leg']) => LEG_LABEL[leg] },
  { title: '合约', dataIndex: 'symbol' },
  { title: '用途', dataIndex: 'purpose', render: (purpose: Fill['purpose']) => ORDER_PURPOSE_LABEL[purpose] },
  { title: '方向', dataIndex: 'side', render: (side: Fill['side']) => ORDER_SIDE_LABEL[side] },
  { title: '数量', dataIndex: 'quantity', align: 'right', render: exact },
  { title: '价格 (USDT)', dataIndex: 'price', align: 'right', render: exact },
  { title: '手续费 (USDT)', dataIndex: 'fee', align: 'right', render: exact },
  { title: '成交角色', dataIndex: 'maker', render: (maker: boolean) => (maker ? '挂单' : '吃单') },
];

export const orderColumns: TableColumnsType<Order> = [
  { title: '时间', dataIndex: 'createdAt', render: time },
  { title: '腿', dataIndex: 'leg', render: (leg: Order['leg']) => LEG_LABEL[leg] },
  { title: '合约', dataIndex: 'symbol' },
  { title: '用途', dataIndex: 'purpose', render: (purpose: Order['purpose']) => ORDER_PURPOSE_LABEL[purpose] },
  { title: '方向', dataIndex: 'side', render: (side: Order['side']) => ORDER_SIDE_LABEL[side] },
  { title: '类型', dataIndex: 'type', render: (type: Order['type']) => ORDER_TYPE_LABEL[type] },
  { title: '数量', dataIndex: 'quantity', align: 'right', render: exact },
  { title: '已成交', dataIndex: 'filledQuantity', align: 'right', render: exact },
  { title: '状态', dataIndex: 'state', render: (state: Order['state']) => ORDER_STATE_LABEL[state] },
  { title: '原因', dataIndex: 'reason', render: (reason: string | null) => reason ?? '-' },
];

export const fundingColumns: TableColumnsType<Funding> = [
  { title: '结算时间', dataIndex: 'at', render: time },
  { title: '合约', dataIndex: 'symbol' },
  {
    title: '费率',
    dataIndex: 'rate',
    align: 'right',
    render: (rate: string) => <Percent value={Number(rate)} digits={4} signed />,
  },
  { title: '标记价 (USDT)', dataIndex: 'mark', align: 'right', render: exact },
  { title: '计费持仓', dataIndex: 'quantity', align: 'right', render: exact },
  {
    title: '金额 (USDT)',
    dataIndex: 'amount',
    align: 'right',
    render: (amount: string) => <Pnl value={Number(amount)} digits={4} />,
  },
];
