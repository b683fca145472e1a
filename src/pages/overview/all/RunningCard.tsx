import { Link } from '@umijs/max';
import { Card, Skeleton } from 'antd';
import { Fragment, useMemo } from 'react';
import { isLaddered, STRATEGY_KIND_LABEL } from '#contract/strategy';
import { RunningDeal, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { HedgeStateTag, stateWord } from '@/components/HedgeStateTag';
import { LiveTag } from '@/components/LiveTag';
import { symbolsText } from '@/components/labels';
import { useNarrow } from '@/components/useNarrow';
import { usePreparing } from '@/components/usePreparing';
import { useCall } from '@/services/useCall';
import { dealPath } from '@/strategy/dealPath';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { untold } from '@/table/untold';
import styles from '../index.module.css';

const symbolsOf = ({ symbols }: RunningDeal): string => symbolsText(symbols);

/** What a pair has lost is told by itself. */
const isEmptyGrid = ({ kind, value }: RunningDeal): boolean => isLaddered(kind) && value === 0;

const badgeOf = ({ oneLegSince }: RunningDeal) => (oneLegSince === null ? null : 'oneLeg');

const RUNNING_COLUMNS = schemaColumns(RunningDeal, {
  widths: { symbols: 220, user: 72, kind: 92, strategy: 108, state: 80, value: 96 },
  own: [
    {
      key: 'symbols',
      fixed: 'left',
      render: (row) => (
        <span className={styles.deal}>
          <Link className="one-line" to={dealPath(row.kind, row.id, row.strategyId)} title={symbolsOf(row)}>
            {symbolsOf(row)}
          </Link>{' '}
          <LiveTag mode={row.mode} />
        </span>
      ),
      csv: symbolsOf,
    },
    {
      key: 'strategy',
      render: ({ strategy }) => (
        <span className="one-line" title={strategy}>
          {strategy}
        </span>
      ),
    },
    { key: 'kind', render: ({ kind }) => STRATEGY_KIND_LABEL[kind], csv: ({ kind }) => STRATEGY_KIND_LABEL[kind] },
    {
      key: 'state',
      render: (row) => (
        <HedgeStateTag state={row.state} frozen={row.frozen} badge={badgeOf(row)} isEmpty={isEmptyGrid(row)} />
      ),
      csv: (row) => stateWord(row.state, isEmptyGrid(row)),
    },
    // For how long it has been held stands beside.
    { key: 'openedAt', spare: true },
  ],
});

const REFRESH_MS = 5_000;
const [, , , , ...FIGURES] = RUNNING_COLUMNS;

/** A deal on a phone. */
const cardOf = (columns: Column<RunningDeal>[]) =>
  columnsCard(columns, {
    label: (row) => `${row.user} ${symbolsOf(row)}`,
    head: ['symbols', 'user', 'strategy'],
    end: [],
    figures: FIGURES.map(({ key }) => key),
    across: 3,
  });

/** Everything that runs, of all users or of one: a table, and cards on a phone. */
export function RunningCard({ userId }: { userId: string }) {
  const narrow = useNarrow();
  const missing = usePreparing();
  const columns = useMemo(() => untold(RUNNING_COLUMNS, missing), [missing]);
  const runningCard = useMemo(() => cardOf(columns), [columns]);
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
            <Fragment key={row.id}>{runningCard(row)}</Fragment>
          ))}
        </div>
      ) : (
        <PlainTable sortable label="进行中的交易单" rowKey="id" columns={columns} rows={data.list} />
      )}
    </Card>
  );
}
