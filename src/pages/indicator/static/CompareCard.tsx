import { Alert, Card, Skeleton } from 'antd';
import { COMPARED_HEDGES, type Comparison, type StatisticQuery, statistic } from '#contract/statistic';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { NOT_COMPARED_LABEL } from '@/components/labels';
import { useCall } from '@/services/useCall';
import { CompareTable } from './CompareTable';
import { GapTiles } from './GapTiles';
import styles from './index.module.css';
import { LeftHedges } from './LeftHedges';

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
          formula="差额 = 实盘净盈亏 − 回测净盈亏 = 滑点 + 手续费 + 资金费 + 未成交 + 其余"
          window="每单在自己的持有期内，用覆盖它的最细的共同 K 线、目标名义、零成本、计资金费回测；建成两腿后平仓的对冲单"
        >
          实盘与回测对比
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
