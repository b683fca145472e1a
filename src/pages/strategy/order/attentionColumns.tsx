import { Link } from '@umijs/max';
import { Tag, Tooltip } from 'antd';
import { HOUR_MS } from '#contract/duration';
import type { AttentionRow } from '#contract/kinds/hedge/attention';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { MoneyButton } from '@/components/MoneyButton';
import { Pnl } from '@/components/Pnl';
import type { Column } from '@/table/column';
import styles from './attention.module.css';

interface AttentionColumn extends Column<AttentionRow> {
  /** Takes the whole width of a card. */
  wide?: boolean;
}

/** Why a person is needed, all that holds. */
const reasonsOf = ({ frozen, wrongSide, blocked }: AttentionRow): string[] => [
  ...(frozen === null ? [] : [`已冻结，暂不发送委托：${frozen}`]),
  ...(wrongSide ? ['有一边的持仓方向相反'] : []),
  ...(blocked ? ['用户已停用，对冲单仍在运行'] : []),
];

/** Closes everything of one user and keeps new deals out; nobody else is touched. */
const flattenUser = ({ userId, user }: AttentionRow, done: () => void) =>
  void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
    confirmFlatten({ aim: { userId }, verb: '平仓此用户全部', subject: user, others: true, done }),
  );

/** What is said of each hedge; `at` is when it was read, UTC ms. */
export const attentionColumns = (at: number, refresh: () => void): AttentionColumn[] => [
  {
    key: 'user',
    title: '用户',
    width: 120,
    render: ({ user, blocked }) => (
      <>
        <strong>{user}</strong> {blocked && <Tag color="error">已停用</Tag>}
      </>
    ),
  },
  {
    key: 'pair',
    title: '交易对',
    width: 240,
    render: ({ id, long, short }) => (
      <Link to={`/strategy/hedge?id=${id}`}>
        <span className="figure">多 {long}</span> / <span className="figure">空 {short}</span>
      </Link>
    ),
  },
  {
    key: 'state',
    title: '状态',
    width: 132,
    render: ({ state, frozen }) => <HedgeStateTag state={state} badge={null} frozen={frozen} />,
  },
  {
    key: 'reason',
    title: '原因',
    width: 320,
    wide: true,
    render: (row) => <span className={styles.reason}>{reasonsOf(row).join('；')}</span>,
  },
  {
    key: 'notional',
    title: '名义 (USDT)',
    width: 112,
    figure: true,
    render: ({ notional }) => <Amount money value={notional} />,
  },
  {
    key: 'net',
    title: '净盈亏 (USDT)',
    width: 128,
    figure: true,
    render: ({ net }) => <Pnl value={net} reason="没有标记价" />,
  },
  {
    key: 'held',
    title: '持有时间',
    width: 96,
    figure: true,
    render: ({ createdAt, stateAt }) => (
      <Tooltip title={`现在的状态自 ${formatDateTime(stateAt)}`}>
        <span>
          <Duration hours={(at - createdAt) / HOUR_MS} />
        </span>
      </Tooltip>
    ),
  },
  {
    key: 'action',
    title: '',
    width: 144,
    fixed: 'right',
    wide: true,
    render: (row) => (
      <MoneyButton size="small" danger onClick={() => flattenUser(row, refresh)}>
        平仓此用户全部
      </MoneyButton>
    ),
  },
];
