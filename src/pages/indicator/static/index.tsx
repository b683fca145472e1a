import { Link } from '@umijs/max';
import { Alert, Button, Skeleton } from 'antd';
import { statistic } from '#contract/statistic';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useQueryState } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { FigureCards } from './FigureCards';
import styles from './index.module.css';
import { QualityLine } from './QualityLine';
import { StatisticFilters } from './StatisticFilters';
import { StatisticPanels } from './StatisticPanels';
import { queryOf, statisticCodecs } from './statisticQuery';

const REFRESH_MS = 60_000;

/** 中性实盘统计: what all accounts have done with their hedges, for masters. */
export default function StatisticPage() {
  const [state, change] = useQueryState(statisticCodecs);
  const query = queryOf(state, Date.now());
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, isLoading, retry } = useCall(statistic.all, { query }, options);
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Skeleton active className={styles.waiting} paragraph={{ rows: 14 }} aria-label="加载中" />;
  }
  if (data.users.length === 0) {
    return (
      <EmptyState
        title="还没有账户"
        description="有用户在「多空对冲」保存第一份配置、开立账户之后，这里统计所有账户的净值、风险、盈亏归因与回测差额。"
      >
        <Link to="/strategy/hedge">
          <Button type="primary">前往多空对冲</Button>
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className={styles.page}>
      <StatisticFilters state={state} change={change} data={data} />
      {error && <Alert type="error" showIcon title={`统计读取失败：${error.message}。下方是上一次读到的数据。`} />}
      <QualityLine data={data} />
      <FigureCards data={data} pair={state.pair} />
      <StatisticPanels data={data} query={query} />
    </div>
  );
}
