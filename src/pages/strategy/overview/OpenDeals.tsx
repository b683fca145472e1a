import { useMemo } from 'react';
import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { dealColumns } from '@/strategy/dealColumns';
import { PlainTable } from '@/table/PlainTable';

/** What means something for some kinds only. */
const LEFT_OUT = new Set(['actions', 'imbalance', 'signalOpen', 'settled']);

/** What a strategy holds now; whoever's it is, it is only looked at here. */
export function OpenDeals({ row: { id, name } }: { row: OverviewRow }) {
  const { data, error, isLoading, retry } = useCall(
    strategyOverview.deals,
    { query: { id } },
    { refreshInterval: 3_000 },
  );
  const columns = useMemo(() => dealColumns(() => {}).filter(({ key }) => !LEFT_OUT.has(key)), []);
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  return (
    <PlainTable
      label={`${name} 的交易单`}
      rowKey="id"
      columns={columns}
      rows={data?.list}
      loading={isLoading}
      empty={<EmptyState title="现在没有持有" description="达到开仓条件时由引擎开仓" />}
    />
  );
}
