import { Tag } from 'antd';
import { DataSourceRow, dataSource, SOURCE_STATE_LABEL, type SourceState } from '#contract/dataSource';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ListPanel } from '@/table/ListPanel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toSources } from './centerQuery';

const REFRESH_MS = 5_000;
const STATE_COLOR: Record<SourceState, string> = {
  good: 'success',
  filling: 'processing',
  degraded: 'warning',
  out: 'error',
  silent: 'error',
  maintenance: 'warning',
  idle: 'default',
  stored: 'default',
};

const columns = schemaColumns(DataSourceRow, {
  widths: {
    label: 130,
    state: 150,
    streams: 130,
    silent: 240,
    maintenance: 200,
    maintenanceAt: 136,
    maintenanceUntil: 136,
    error: 240,
    newestAt: 136,
    watched: 190,
    minutesAt: 136,
    minuteGaps: 112,
    samples: 112,
    errorAt: 150,
    at: 150,
  },
  own: [
    { key: 'label', fixed: 'left' },
    {
      key: 'state',
      render: ({ state, outSince }) => (
        <>
          <Tag color={STATE_COLOR[state]}>{SOURCE_STATE_LABEL[state]}</Tag>
          {outSince !== null && (
            <div className="soft">
              自 <DateTime value={outSince} />
            </div>
          )}
        </>
      ),
    },
  ],
});

const card = columnsCard(columns, {
  label: ({ label }) => label,
  head: ['label', 'state'],
  end: [],
  figures: [
    'symbols',
    'candles',
    'gaps',
    'behind',
    'progress',
    'weight',
    'newestAt',
    'streams',
    'watched',
    'minutes',
    'minutesAt',
    'minuteGaps',
    'samples',
    'silent',
    'maintenanceAt',
    'error',
    'at',
  ],
});

/** Where prices and candles come from, and how whole what is stored of them is. */
export function SourcesPanel({ state, change }: PanelProps) {
  const list = useList(dataSource.list, { query: toSources(state) }, REFRESH_MS);
  return (
    <ListPanel
      name="sources"
      title="数据源"
      columns={columns}
      list={list}
      query={centerQuery}
      {...{ state, change, card }}
      filters={[]}
      of="数据源"
      none={
        <EmptyState
          title="没有实时或导入的数据"
          description="启动时设 EXCHANGES=binance 可实时跟踪币安；npm run import 导入 K 线与资金费。内置的模拟行情不需要存储"
        />
      }
    />
  );
}
