import { Button, Tabs } from 'antd';
import { memo, useCallback, useEffect } from 'react';
import { hedge } from '#contract/hedge';
import { EmptyState } from '@/components/EmptyState';
import { useNarrow } from '@/components/useNarrow';
import { call } from '@/services/call';
import { DataTable } from '@/table/DataTable';
import { everyPage } from '@/table/everyPage';
import { TableTools } from '@/table/TableTools';
import { useColumnChoice } from '@/table/useColumnChoice';
import desk from '../index.module.css';
import { HedgeCards } from './HedgeCards';
import { type PairName, RecordsFilters } from './RecordsFilters';
import { RecordTotals, sumOf } from './RecordTotals';
import { RECORD_COLUMNS } from './recordColumns';
import styles from './records.module.css';
import { type ChangeRecords, isFiltered, NO_FILTER, type RecordsState, toApi, VIEWS, type View } from './recordsQuery';
import type { Records } from './useRecords';

const VIEW_LABEL: Record<View, string> = { running: '进行中', ended: '已结束', all: '全部' };

interface RecordsPanelProps {
  running: number;
  source: string;
  pairs: readonly PairName[];
  records: Records;
  state: RecordsState;
  change: ChangeRecords;
}

/** Open and closed hedges with their totals; filter, order and page stand in the URL. */
export const RecordsPanel = memo(function RecordsPanel(props: RecordsPanelProps) {
  const { running, source, pairs, records, state, change } = props;
  const { rows, total, totals, error, loading, retry } = records;
  const narrow = useNarrow();
  const choice = useColumnChoice('hedges', RECORD_COLUMNS);
  const readAll = () => everyPage((page) => call(hedge.list, { query: { ...toApi(state), ...page } }));
  const sum = useCallback((column: string) => totals && sumOf(totals, column), [totals]);

  const lastPage = total !== undefined && !loading ? Math.max(1, Math.ceil(total / state.pageSize)) : undefined;
  useEffect(() => {
    // A link may name a page that the filter no longer reaches.
    if (lastPage !== undefined && state.current > lastPage) change({ current: lastPage }, { replace: true });
  });

  const empty = <NoRecords state={state} change={change} />;
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
      <div className={styles.bar}>
        <RecordsFilters state={state} change={change} source={source} pairs={pairs} />
        <span className={styles.tools}>
          <TableTools
            name={`多空对冲-${VIEW_LABEL[state.state]}`}
            columns={RECORD_COLUMNS}
            choice={choice}
            reading={loading}
            onReload={retry}
            readAll={readAll}
          />
        </span>
      </div>
      {narrow ? (
        <HedgeCards records={records} state={state} change={change} empty={empty} />
      ) : (
        <DataTable
          columns={choice.shown}
          rows={rows}
          total={total ?? 0}
          rowKey="id"
          place={state}
          onPlace={change}
          loading={loading}
          error={error}
          onRetry={retry}
          density={choice.density}
          totals={total ? sum : undefined}
          empty={empty}
        />
      )}
    </section>
  );
});

function NoRecords({ state, change }: { state: RecordsState; change: ChangeRecords }) {
  if (isFiltered(state)) {
    return (
      <EmptyState title="没有符合筛选的对冲单">
        <Button onClick={() => change(NO_FILTER)}>清除筛选</Button>
      </EmptyState>
    );
  }
  if (state.state === 'running') {
    return <EmptyState title="没有进行中的对冲单" description="启用后，符合入场条件的交易对会自动建仓" />;
  }
  return <EmptyState title="还没有对冲单" />;
}
