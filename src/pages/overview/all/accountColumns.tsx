import { Button, Tag } from 'antd';
import type { AccountRow } from '#contract/account';
import type { Column } from '@/table/column';
import { gainColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';

export const NO_PRICE = '有持仓没有价格';
export const FEW_DAYS = '整日记录不足 20 天';
export const NO_VARIANCE = '没有可比的整日记录';

const stateOf = ({ enabled, paused }: AccountRow): string => (paused ? '已暂停' : enabled ? '启用' : '停用');

export const StateTag = ({ row }: { row: AccountRow }) => (
  <Tag color={row.paused ? 'warning' : row.enabled ? 'success' : 'default'}>{stateOf(row)}</Tag>
);

/** @param onChoose narrows the screen to one user. */
export const accountColumns = (onChoose: (userId: string) => void): Column<AccountRow>[] => [
  wordColumn<AccountRow>('user', '用户', 108, ({ user }) => user, {
    fixed: 'left',
    render: ({ user, userId }) => (
      <Button type="link" size="small" onClick={() => onChoose(userId)}>
        {user}
      </Button>
    ),
  }),
  wordColumn<AccountRow>('paused', '对冲', 84, stateOf, { render: (row) => <StateTag row={row} /> }),
  numberColumn<AccountRow>('equity', '权益', { width: 112, reason: NO_PRICE, csvTitle: '权益 (USDT)', money: true }),
  gainColumn<AccountRow>('todayPnl', '今日盈亏', {
    reason: NO_PRICE,
    csvTitle: '今日盈亏 (USDT)',
    explain: { formula: '权益变化 − 划转，自各账户的当日开始' },
  }),
  gainColumn<AccountRow>('net', '累计净盈亏', { width: 118, reason: NO_PRICE, csvTitle: '累计净盈亏 (USDT)' }),
  numberColumn<AccountRow>('sharpe', '夏普', {
    signed: true,
    digits: 2,
    reason: FEW_DAYS,
    explain: { formula: '日收益均值 / 标准差 × √365（F19），开户以来的整日（UTC）' },
  }),
  numberColumn<AccountRow>('betaBtc', 'Beta', {
    signed: true,
    digits: 3,
    reason: NO_VARIANCE,
    explain: { formula: '日收益对 BTC 的协方差 / 方差（F17）' },
  }),
  percentColumn<AccountRow>('drawdown', '当前回撤', {
    width: 96,
    reason: NO_PRICE,
    explain: { formula: '时间加权净值 / 历史最高日收盘（UTC）− 1（F20）' },
  }),
  percentColumn<AccountRow>('maxDrawdown', '最大回撤', { width: 96, reason: NO_PRICE }),
  numberColumn<AccountRow>('running', '进行中', { digits: 0 }),
  timeColumn<AccountRow>('openedAt', '开户'),
];
