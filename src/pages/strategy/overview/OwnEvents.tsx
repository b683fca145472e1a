import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { useCall } from '@/services/useCall';
import { FEED_COLUMNS } from './feedColumns';
import { OpenedTable } from './OpenedTable';

/** Of one strategy its name and its owner go without saying. */
const COLUMNS = FEED_COLUMNS.filter(({ key }) => key !== 'strategy' && key !== 'user');
const LINES = { pageSize: 8 };

/** What happened to a strategy last. */
export function OwnEvents({ row: { id, name } }: { row: OverviewRow }) {
  const reading = useCall(strategyOverview.feed, { query: { id } }, { refreshInterval: 5_000 });
  return (
    <OpenedTable
      reading={reading}
      label={`${name} 的最近事件`}
      columns={COLUMNS}
      pagination={LINES}
      empty={<EmptyState title="还没有事件" description="开仓、平仓、资金费、配置修改与熔断会记在这里" />}
    />
  );
}
