import { useMemo } from 'react';
import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { useCall } from '@/services/useCall';
import { dealColumns } from '@/strategy/dealColumns';
import { OpenedTable } from './OpenedTable';

/** What means something for some kinds only. */
const LEFT_OUT = new Set(['actions', 'imbalance', 'signalOpen', 'settled']);

/** What a strategy holds now; whoever's it is, it is only looked at here. */
export function OpenDeals({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(strategyOverview.deals, { query: { id } }, { refreshInterval: 3_000 });
  const columns = useMemo(() => dealColumns(() => {}).filter(({ key }) => !LEFT_OUT.has(key)), []);
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的交易单`}
      columns={columns}
      empty={<EmptyState title="现在没有持有" description="达到开仓条件时由引擎开仓" />}
    />
  );
}
