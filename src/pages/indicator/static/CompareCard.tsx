import { Link } from '@umijs/max';
import { Alert, Card, Skeleton, Tag, Tooltip } from 'antd';
import { HOUR_MS } from '#contract/duration';
import {
  COMPARED_HEDGES,
  type ComparedHedge,
  type Comparison,
  type StatisticQuery,
  statistic,
} from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { DateTime, formatDateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { FigureTiles } from '@/components/FigureTiles';
import { CLOSE_REASON_LABEL, NOT_COMPARED_LABEL, NOT_COMPARED_TAG } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

/** Hedges without a backtest, by reason. */
function LeftOut({ left, older, list }: Pick<Comparison, 'left' | 'older' | 'list'>) {
  const reasons = Object.entries(NOT_COMPARED_LABEL).flatMap(([why, words]) => {
    const count = left.filter((row) => row.why === why).length;
    return count === 0 ? [] : [`${words} ${count} 单`];
  });
  const missing = list.reduce((sum, row) => sum + row.fundingMissing, 0);
  const lines = [
    left.length > 0 && `${left.length} 单不与回测比较，不在下方数字中：${reasons.join('，')}`,
    older > 0 && `只比较最近结束的 ${COMPARED_HEDGES} 单，更早的 ${older} 单不在其中`,
    missing > 0 && `回测缺 ${missing} 次资金费结算，少计的部分会落在「资金费」一项`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return <Alert type="warning" showIcon title={`${lines.join('；')}。`} />;
}

/** The newest ended hedges against the backtest of their pairs over their own periods. */
export default function CompareCard({ query }: { query: StatisticQuery }) {
  const { data, error, isLoading, retry } = useCall(statistic.compare, { query }, { keepPreviousData: true });
  return (
    <Card
      size="small"
      title={
        <Explained
          formula="差额 = 实际净盈亏 − 回测净盈亏 = 滑点 + 手续费 + 资金费 + 未成交 + 其余"
          window="每单在自己的持有期内，用覆盖它的最细的共同 K 线、目标名义、零成本、计资金费回测；建成两腿后平仓的对冲单"
        >
          实际与回测对比
        </Explained>
      }
    >
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />
        ) : (
          <Skeleton active paragraph={{ rows: 8 }} />
        )
      ) : (
        <div className={styles.compare}>
          <LeftOut {...data} />
          {data.totals && <GapTiles totals={data.totals} hedges={data.list.length} at={data.at} />}
          <CompareTable list={data.list} />
          <LeftHedges left={data.left} />
        </div>
      )}
    </Card>
  );
}

/** The hedges that are left out of the gap, each with its mark. */
function LeftHedges({ left }: Pick<Comparison, 'left'>) {
  if (left.length === 0) return null;
  return (
    <details>
      <summary>不计入的 {left.length} 单</summary>
      <ul className={styles.left}>
        {left.map(({ id, user, long, short, closedAt, why }) => (
          <li key={id}>
            <Link to={`/strategy/hedge?id=${encodeURIComponent(id)}`}>
              {long} / {short}
            </Link>{' '}
            {user}，<DateTime value={closedAt} /> 平仓{' '}
            <Tooltip title={NOT_COMPARED_LABEL[why]}>
              <Tag>{NOT_COMPARED_TAG[why]}</Tag>
            </Tooltip>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Totals = NonNullable<Comparison['totals']>;
type Part = Exclude<keyof Totals, 'traded' | 'bps'>;

const TILES: readonly [Part, label: string, formula: string][] = [
  ['live', '实际净盈亏', '价格盈亏 + 资金费 − 手续费（F11）'],
  ['backtest', '回测净盈亏', '零成本回测的价格盈亏 + 资金费，按目标名义'],
  ['gap', '差额', '实际 − 回测；bps = 差额 / 成交额 × 10⁴'],
  ['slippage', '滑点', '−Σ (成交价 − 决策时中间价) × 数量'],
  ['fees', '手续费', '−Σ 手续费'],
  ['funding', '资金费', '实收资金费 − 回测资金费（按成交名义）'],
  ['missed', '未成交', '回测按成交名义 − 回测按目标名义：没有成交的部分与数量取整'],
  ['rest', '其余', '滑点前的实际价格盈亏 − 回测价格盈亏（按成交名义）：成交时刻与 K 线收盘之差、再平衡、分批平仓'],
];

interface GapTilesProps {
  totals: Totals;
  hedges: number;
  /** UTC ms. */
  at: number;
}

/** The gap of all compared hedges and what it is made of, USDT and basis points of what was traded. */
function GapTiles({ totals, hedges, at }: GapTilesProps) {
  const { traded, bps } = totals;
  const inBps = (value: number) => (bps === null ? null : (value / traded) * 1e4);
  const tiles = TILES.map(([key, label, formula]) => ({
    label,
    formula,
    window: `${hedges} 单`,
    figure: <Pnl value={totals[key]} unit="USDT" compact />,
    detail: <Pnl value={inBps(totals[key])} unit="bps" reason="没有成交额" />,
  }));
  const all = {
    label: '成交额',
    formula: 'Σ |数量| × 成交价，开仓与平仓',
    window: `${hedges} 单`,
    figure: <Amount value={traded} unit="USDT" compact />,
  };
  return <FigureTiles label="实际与回测的差额" inputAt={formatDateTime(at, 'second')} tiles={[...tiles, all]} />;
}

const reasonOf = ({ closeReason }: ComparedHedge) =>
  closeReason === null ? '未注明' : CLOSE_REASON_LABEL[closeReason];

const heldHours = ({ openedAt, closedAt }: ComparedHedge) => (closedAt - openedAt) / HOUR_MS;
const COLUMNS: Column<ComparedHedge>[] = [
  wordColumn<ComparedHedge>('long', '多 / 空', 190, ({ long, short }) => `${long} / ${short}`, {
    fixed: 'left',
    render: ({ id, long, short }) => (
      <Link to={`/strategy/hedge?id=${encodeURIComponent(id)}`}>
        {long} / {short}
      </Link>
    ),
  }),
  wordColumn<ComparedHedge>('user', '用户', 88, ({ user }) => user),
  timeColumn<ComparedHedge>('closedAt', '平仓'),
  {
    key: 'held',
    title: '持有',
    csvTitle: '持有 (小时)',
    ownUnit: true,
    width: 92,
    figure: true,
    sort: 'descend',
    render: (row) => <Duration hours={heldHours(row)} />,
    csv: heldHours,
    written: { digits: 1 },
  },
  wordColumn<ComparedHedge>('closeReason', '原因', 96, reasonOf),
  gainColumn<ComparedHedge>('live', '实际 USDT'),
  gainColumn<ComparedHedge>('backtest', '回测 USDT'),
  gainColumn<ComparedHedge>('gap', '差额 USDT'),
  gainColumn<ComparedHedge>('bps', '差额 bps', { width: 104, digits: 1, reason: '没有成交额' }),
  gainColumn<ComparedHedge>('slippage', '滑点', { width: 92 }),
  gainColumn<ComparedHedge>('fees', '手续费', { width: 92 }),
  gainColumn<ComparedHedge>('funding', '资金费', { width: 92 }),
  gainColumn<ComparedHedge>('missed', '未成交', { width: 92 }),
  gainColumn<ComparedHedge>('rest', '其余', { width: 92 }),
  moneyColumn<ComparedHedge>('traded', '成交额'),
  wordColumn<ComparedHedge>('bar', 'K 线', 72, ({ bar }) => bar),
];

/** One row a compared hedge, newest first. */
function CompareTable({ list }: { list: readonly ComparedHedge[] }) {
  return (
    <PlainTable
      sortable
      label="逐单对比"
      rowKey="id"
      columns={COLUMNS}
      rows={list}
      empty="期间内没有可以与回测比较的对冲单"
    />
  );
}
