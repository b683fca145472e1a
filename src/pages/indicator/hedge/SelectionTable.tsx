import type { DataOf } from '#contract/endpoint';
import { type EvaluateRow, evaluate, VISITOR_ROWS } from '#contract/evaluate';
import { DateTime, formatDateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { LiveStatus } from '@/components/LiveStatus';
import { SourceSelect } from '@/components/SourceSelect';
import { useNarrow } from '@/components/useNarrow';
import { call } from '@/services/call';
import { usePrices } from '@/services/usePrices';
import { ListTable } from '@/table/ListTable';
import type { Change } from '@/table/listQuery';
import { NoRows } from '@/table/NoRows';
import type { Listed } from '@/table/useListed';
import { NARROW, WIDE } from './evaluateColumns';
import { Filters } from './Filters';
import styles from './index.module.css';
import { ScoreBars } from './ScoreBars';
import { useSelection } from './selectionContext';
import { type SelectionState, selectionQuery, toApi } from './selectionQuery';

/** Height of the tray of chosen coins, px. */
const TRAY = { wide: 46, narrow: 84 };

const scoreBars = (row: EvaluateRow) => <ScoreBars row={row} />;

interface SelectionTableProps {
  state: SelectionState;
  change: Change<SelectionState>;
  list: Listed<EvaluateRow> & { data: DataOf<typeof evaluate.list> | undefined };
}

/** The ranking as a table, with what narrows it down above. */
export function SelectionTable({ state, change, list }: SelectionTableProps) {
  const narrow = useNarrow();
  const chosen = state.long.length + state.short.length;
  return (
    <>
      <SelectionHead
        source={state.source}
        data={list.data}
        onSource={(source) => change({ current: 1, long: [], short: [], source })}
      />
      <div className={styles.card}>
        <ListTable
          name={narrow ? 'selection.narrow' : 'selection'}
          title={`中性选币-${state.source}`}
          columns={narrow ? NARROW : WIDE}
          rowKey="symbol"
          list={list}
          readPage={(page) => call(evaluate.list, { query: { ...toApi(state), ...page } })}
          place={state}
          onPlace={change}
          filters={<Filters state={state} onChange={change} />}
          foot={chosen === 0 ? 0 : narrow ? TRAY.narrow : TRAY.wide}
          expanded={scoreBars}
          empty={
            <NoRows of="币种" filtered={selectionQuery.isFiltered(state)} onClear={() => change(selectionQuery.clear)}>
              <EmptyState
                title="没有可排名的币种"
                description="一个币种至少要有 31 根日线；可换一个数据源，或导入 K 线"
              />
            </NoRows>
          }
        />
      </div>
    </>
  );
}

interface SelectionHeadProps {
  source: string;
  data: DataOf<typeof evaluate.list> | undefined;
  onSource: (source: string) => void;
}

/** What the ranking is based on: the source, the day, how fresh the prices are. */
function SelectionHead({ source, data, onSource }: SelectionHeadProps) {
  return (
    <header className={styles.head}>
      <h1>中性选币</h1>
      <SourceSelect value={source} onChange={onSource} />
      {data && (
        <span className="missing">
          排名截至 <DateTime utc value={data.asOf} reason="没有可用的日线" /> UTC · {data.ranked} 个币种参与排名
          {data.delayed && data.ranked > VISITOR_ROWS && `，访客只见前 ${VISITOR_ROWS} 名`}
        </span>
      )}
      <PriceStatus />
    </header>
  );
}

/** Keeps the prices of the source new, and says how old they are. */
function PriceStatus() {
  const { source } = useSelection();
  const { data, error, updatedAt } = usePrices(source);
  if (data === undefined) {
    return <span className={styles.live}>{error ? `行情读取失败：${error.message}` : '正在读取行情'}</span>;
  }
  return (
    <span className={styles.live}>
      <LiveStatus polledAt={updatedAt} />
      {data.delayed && (
        <span className={styles.delayed}>延迟 · {formatDateTime(data.at, 'second').slice(11)} 的行情</span>
      )}
    </span>
  );
}
