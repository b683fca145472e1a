import { NO_EXPIRY } from '#contract/kinds/spread/scan';
import type { DealRow } from '#contract/strategyRow';
import { Pnl } from '@/components/Pnl';
import { Quantity } from '@/components/Quantity';
import type { DealView } from '@/strategy/dealColumns';
import { rebalanceActions } from '@/strategy/rebalanceActions';
import { gainColumn, numberColumn, percentColumn, timeColumn } from '@/table/columns';

/** Loaded when somebody acts. */
const actions = () => import('./spreadActions');

const canRoll = ({ expiresAt, state }: DealRow): boolean => expiresAt !== null && state === 'open';

/** Eight digits hide what a sum of parts adds. */
const netPositionOf = ({ legs }: DealRow): number =>
  Number(legs.reduce((sum, { quantity }) => sum + Number(quantity), 0).toFixed(8));

const floatingOf = ({ pricePnl, realised }: DealRow): number | null => (pricePnl === null ? null : pricePnl - realised);

/** What is shown of spreads that are held, and what may be done with one. */
export const SPREAD_DEALS: DealView = {
  columns: [
    timeColumn<DealRow>('expiresAt', '到期', { reason: NO_EXPIRY }),
    numberColumn<DealRow>('daysLeft', '剩余天数', { digits: 1, width: 92, reason: NO_EXPIRY }),
    percentColumn<DealRow>('exitLevel', '目标价', {
      digits: 3,
      signed: true,
      reason: '不按价差平仓',
      explain: { text: 'F5 平仓水平不高于它时平仓' },
    }),
    percentColumn<DealRow>('edgeOpen', '理论价差', { digits: 3, signed: true, explain: { text: '决定开仓时的 F5' } }),
    percentColumn<DealRow>('edgeTaken', '实得价差', {
      digits: 3,
      signed: true,
      reason: '还没有成交',
      explain: { formula: '空头腿成交均价 / 多头腿成交均价 − 1' },
    }),
    numberColumn<DealRow>('secondFillMs', '第二腿 ms', {
      digits: 0,
      width: 100,
      reason: '只有一腿由委托成交',
      explain: { text: '第二腿首笔成交比第一腿晚多少毫秒' },
    }),
    {
      key: 'netPosition',
      title: '净仓',
      width: 96,
      figure: true,
      render: (row) => <Quantity value={netPositionOf(row)} signed />,
      csv: netPositionOf,
      written: { digits: 4 },
      explain: { formula: '多头腿数量 + 空头腿数量', text: '币；0 为两腿对上' },
    },
    gainColumn<DealRow>('realised', '已实现价格盈亏', {
      width: 140,
      explain: { text: '两腿已平部分的价格盈亏，不含手续费与资金费' },
    }),
    {
      key: 'floating',
      title: '浮盈',
      width: 108,
      figure: true,
      render: (row) => <Pnl value={floatingOf(row)} reason="持有的标的没有价格" />,
      csv: floatingOf,
      written: { digits: 2 },
      explain: { formula: '价格盈亏 − 已实现价格盈亏', text: '按标记价' },
    },
    gainColumn<DealRow>('expected', '预计到期收益', {
      width: 124,
      reason: '没有持有，或没有到期日',
      explain: { text: '两腿收敛到同一价，扣交割费与另一腿的平仓手续费，含已收资金费' },
    }),
  ],
  actions: (row, done) => [
    ...(canRoll(row)
      ? [{ key: 'roll', label: '移仓', run: () => void actions().then(({ confirmRoll }) => confirmRoll(row, done)) }]
      : []),
    ...(row.state === 'open'
      ? [{ key: 'target', label: '改目标价', run: () => void actions().then(({ askTarget }) => askTarget(row, done)) }]
      : []),
    ...rebalanceActions(row, done),
  ],
};
