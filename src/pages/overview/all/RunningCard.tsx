import { Card, Skeleton } from 'antd';
import { strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from '../index.module.css';
import { RUNNING_COLUMNS, symbolsOf } from './runningColumns';

const REFRESH_MS = 5_000;
const [PAIR, , , , ...FIGURES] = RUNNING_COLUMNS;

/** Everything that runs, of all users or of one: a table, and cards on a phone. */
export function RunningCard({ userId }: { userId: string }) {
  const narrow = useNarrow();
  const query = userId === '' ? {} : { userId };
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(strategyOverview.running, { query }, options);
  return (
    <Card size="small" title={`进行中的交易单${data ? `（${data.total}）` : ''}`}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void retry()} />
        ) : (
          <Skeleton active />
        )
      ) : data.total === 0 ? (
        <EmptyState title="没有进行中的交易单" />
      ) : narrow ? (
        <div className={styles.positions}>
          {data.list.map((row) => (
            <RowCard
              key={row.id}
              label={`${row.user} ${symbolsOf(row)}`}
              head={
                <>
                  <strong>{PAIR!.render(row)}</strong>
                  <span className="soft">
                    {row.user} · {row.strategy}
                  </span>
                </>
              }
            >
              <CardFigures figures={FIGURES.map(({ title, render }) => [title, render(row)])} columns={3} />
            </RowCard>
          ))}
        </div>
      ) : (
        <PlainTable sortable label="进行中的交易单" rowKey="id" columns={RUNNING_COLUMNS} rows={data.list} />
      )}
    </Card>
  );
}
