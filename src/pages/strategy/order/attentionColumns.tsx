import { Link } from '@umijs/max';
import { Button, Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { HOUR_MS } from '#contract/duration';
import type { AttentionRow } from '#contract/hedge';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { Pnl } from '@/components/Pnl';
import styles from './attention.module.css';
import { confirmFlattenUser } from './confirmFlattenUser';

export interface AttentionColumn {
  key: string;
  title: string;
  align?: 'right';
  fixed?: 'right';
  /** Takes the whole width of a card. */
  wide?: boolean;
  render: (value: unknown, row: AttentionRow) => ReactNode;
}

/** Why a person is needed, all that holds. */
const reasonsOf = ({ frozen, wrongSide, blocked }: AttentionRow): string[] => [
  ...(frozen === null ? [] : [`已冻结，暂不发送委托：${frozen}`]),
  ...(wrongSide ? ['有一边的持仓方向相反'] : []),
  ...(blocked ? ['用户已停用，对冲单仍在运行'] : []),
];

/** What is said of each hedge; `at` is when it was read, UTC ms. */
export const attentionColumns = (at: number, refresh: () => void): AttentionColumn[] => [
  {
    key: 'user',
    title: '用户',
    render: (_, { user, blocked }) => (
      <>
        <strong>{user}</strong> {blocked && <Tag color="error">已停用</Tag>}
      </>
    ),
  },
  {
    key: 'pair',
    title: '交易对',
    render: (_, { id, long, short }) => (
      <Link to={`/strategy/hedge?id=${id}&state=all`}>
        <span className="figure">多 {long}</span> / <span className="figure">空 {short}</span>
      </Link>
    ),
  },
  {
    key: 'state',
    title: '状态',
    render: (_, { state, frozen }) => <HedgeStateTag state={state} badge={null} frozen={frozen} />,
  },
  {
    key: 'reason',
    title: '原因',
    wide: true,
    render: (_, row) => <span className={styles.reason}>{reasonsOf(row).join('；')}</span>,
  },
  {
    key: 'notional',
    title: '名义 (USDT)',
    align: 'right',
    render: (_, { notional }) => <Amount value={notional} />,
  },
  {
    key: 'net',
    title: '净盈亏 (USDT)',
    align: 'right',
    render: (_, { net }) => <Pnl value={net} reason="没有标记价" />,
  },
  {
    key: 'held',
    title: '持有时间',
    align: 'right',
    render: (_, { createdAt, stateAt }) => (
      <Tooltip title={`现在的状态自 ${formatDateTime(stateAt)}`}>
        <span>
          <Amount value={(at - createdAt) / HOUR_MS} digits={1} unit="h" />
        </span>
      </Tooltip>
    ),
  },
  {
    key: 'action',
    title: '',
    fixed: 'right',
    wide: true,
    render: (_, row) => (
      <Button size="small" danger onClick={() => confirmFlattenUser(row, refresh)}>
        平仓此用户全部
      </Button>
    ),
  },
];
