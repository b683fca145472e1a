import { Button } from 'antd';
import { useEffect } from 'react';
import type { DataOf } from '#contract/endpoint';
import { evaluate } from '#contract/evaluate';
import { EmptyState } from '@/components/EmptyState';
import { useNarrow } from '@/components/useNarrow';
import { call } from '@/services/call';
import type { CallState } from '@/services/useCall';
import { DataTable } from '@/table/DataTable';
import { everyPage } from '@/table/everyPage';
import { TableTools } from '@/table/TableTools';
import { useColumnChoice } from '@/table/useColumnChoice';
import { NARROW, WIDE } from './evaluateColumns';
import { Filters } from './Filters';
import styles from './index.module.css';
import { ScoreBars } from './ScoreBars';
import { SelectionHead } from './SelectionHead';
import { isFiltered, NO_FILTER, type SelectionState, toApi } from './selectionQuery';

interface SelectionTableProps {
  state: SelectionState;
  change: (change: Partial<SelectionState>, options?: { replace?: boolean }) => void;
  reading: CallState<DataOf<typeof evaluate.list>>;
}

/** The ranking as a table, with what narrows it down above. */
export function SelectionTable({ state, change, reading }: SelectionTableProps) {
  const { data, error, isLoading, retry } = reading;
  const narrow = useNarrow();
  const columns = narrow ? NARROW : WIDE;
  const choice = useColumnChoice(narrow ? 'selection.narrow' : 'selection', columns);
  const readAll = () => everyPage((page) => call(evaluate.list, { query: { ...toApi(state), ...page } }));

  const lastPage = data && !isLoading ? Math.max(1, Math.ceil(data.total / state.pageSize)) : undefined;
  useEffect(() => {
    // A link may name a page that the filter no longer reaches.
    if (lastPage !== undefined && state.current > lastPage) change({ current: lastPage }, { replace: true });
  });

  return (
    <>
      <SelectionHead source={state.source} data={data} onSource={(source) => change({ ...FRESH, source })} />
      <div className={styles.card}>
        <div className={styles.bar}>
          <Filters state={state} onChange={change} />
          <span className={styles.tools}>
            <TableTools
              name={`中性选币-${state.source}`}
              columns={columns}
              choice={choice}
              reading={isLoading}
              onReload={() => void retry()}
              readAll={readAll}
            />
          </span>
        </div>
        <DataTable
          columns={choice.shown}
          rows={data?.list}
          total={data?.total ?? 0}
          rowKey="symbol"
          place={state}
          onPlace={change}
          loading={isLoading}
          error={error}
          onRetry={() => void retry()}
          density={choice.density}
          foot={state.long.length + state.short.length === 0 ? 0 : narrow ? TRAY.narrow : TRAY.wide}
          expanded={(row) => <ScoreBars row={row} />}
          empty={<NoRows filtered={isFiltered(state)} onClear={() => change(NO_FILTER)} />}
        />
      </div>
    </>
  );
}

/** Height of the tray of chosen coins, px. */
const TRAY = { wide: 46, narrow: 84 };

/** Another source has other coins: its first page, nothing chosen. */
const FRESH = { current: 1, long: [], short: [] } satisfies Partial<SelectionState>;

function NoRows({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState title="没有可排名的币种" description="一个币种至少要有 31 根日线；可换一个数据源，或导入 K 线" />
    );
  }
  return (
    <EmptyState title="没有符合筛选的币种">
      <Button onClick={onClear}>清除筛选</Button>
    </EmptyState>
  );
}
