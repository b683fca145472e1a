import { Tabs } from 'antd';
import { memo, useCallback } from 'react';
import type { DataOf } from '#contract/endpoint';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { EmptyState } from '@/components/EmptyState';
import { call } from '@/services/call';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import type { Listed } from '@/table/useListed';
import desk from '../index.module.css';
import { HedgeCard } from './HedgeCard';
import { type PairName, RecordsFilters } from './RecordsFilters';
import { RecordTotals, sumOf } from './RecordTotals';
import { RECORD_COLUMNS } from './recordColumns';
import styles from './records.module.css';
import { type ChangeRecords, type RecordsState, recordsQuery, toApi, VIEWS, type View } from './recordsQuery';

const VIEW_LABEL: Record<View, string> = { running: '进行中', ended: '已结束', all: '全部' };

interface RecordsPanelProps {
  running: number;
  source: string;
  pairs: readonly PairName[];
  records: Listed<HedgeRow> & { data: DataOf<typeof hedge.list> | undefined };
  state: RecordsState;
  change: ChangeRecords;
}

/** Open and closed hedges with their totals; filter, order and page are in the URL. */
export const RecordsPanel = memo(function RecordsPanel(props: RecordsPanelProps) {
  const { running, source, pairs, records, state, change } = props;
  const totals = records.data?.totals;
  const sum = useCallback((column: string) => totals && sumOf(totals, column), [totals]);
  return (
    <section className={desk.card} aria-label="对冲单">
      <Tabs
        className={styles.tabs}
        activeKey={state.state}
        items={VIEWS.map((key) => ({
          key,
          label: key === 'running' ? `${VIEW_LABEL[key]} ${running}` : VIEW_LABEL[key],
        }))}
        onChange={(key) => change({ state: key as View, reason: null, current: 1 })}
      />
      {totals && <RecordTotals totals={totals} />}
      <ListTable
        name="hedges"
        title={`多空对冲-${VIEW_LABEL[state.state]}`}
        columns={RECORD_COLUMNS}
        rowKey="id"
        list={records}
        readPage={(page) => call(hedge.list, { query: { ...toApi(state), ...page } })}
        place={state}
        onPlace={change}
        filters={<RecordsFilters state={state} change={change} source={source} pairs={pairs} />}
        totals={records.total ? sum : undefined}
        card={(row) => <HedgeCard row={row} />}
        empty={
          <NoRows of="对冲单" filtered={recordsQuery.isFiltered(state)} onClear={() => change(recordsQuery.clear)}>
            <NoneYet view={state.state} />
          </NoRows>
        }
      />
    </section>
  );
});

function NoneYet({ view }: { view: View }) {
  if (view !== 'running') return <EmptyState title="还没有对冲单" />;
  return <EmptyState title="没有进行中的对冲单" description="启用后，符合入场条件的交易对会自动建仓" />;
}
