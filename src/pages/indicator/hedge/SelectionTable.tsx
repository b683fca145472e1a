import type { DataOf } from '#contract/endpoint';
import { type EvaluateRow, evaluate, type FactorScore, VISITOR_ROWS } from '#contract/evaluate';
import { DIRECTION_LABEL } from '#contract/lifecycle';
import { DateTime, formatDateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { formatNumber } from '@/components/formatNumber';
import { LiveStatus } from '@/components/LiveStatus';
import { NumberInput } from '@/components/NumberInput';
import { Percent } from '@/components/Percent';
import { SourceSelect } from '@/components/SourceSelect';
import { OnlyStarred } from '@/components/Star';
import { useNarrow } from '@/components/useNarrow';
import { call } from '@/services/call';
import { usePrices } from '@/services/usePrices';
import { optionsOf } from '@/table/FilterSelect';
import { type ListFilter, ListFilters } from '@/table/ListPanel';
import { ListTable } from '@/table/ListTable';
import type { Change } from '@/table/listQuery';
import { NoRows } from '@/table/NoRows';
import type { Listed } from '@/table/useListed';
import { useTyped } from '@/table/useTyped';
import { FACTOR_LABEL } from './directionLabel';
import { NARROW, WIDE } from './evaluateColumns';
import styles from './index.module.css';
import { useSelection } from './selectionContext';
import { DIRECTION_FILTERS, type SelectionState, selectionQuery, toApi } from './selectionQuery';

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
      <div className="card">
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

/** The largest contribution there can be, 0.35 x 3, fills half the track. */
const FULL = 1.05;

/** Where a score comes from: each factor's value, z, weight, place among all coins, and what it adds. */
function ScoreBars({ row }: { row: EvaluateRow }) {
  return (
    <div className={styles.scores}>
      <table aria-label={`${row.symbol} 综合分的构成`}>
        <thead>
          <tr>
            {['因子', '数值', 'z（截断 ±3）', '权重', '分位', '贡献'].map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th aria-label="贡献条" />
          </tr>
        </thead>
        <tbody>
          {row.factors.map((score) => (
            <FactorLine key={score.factor} score={score} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th colSpan={5}>综合分 = 各因子贡献之和；缺失的因子计 0。数值是排名截至时的，行里的价格与资金费是最新的</th>
            <td>{formatNumber(row.score, { digits: 3, signed: true })}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function FactorLine({ score }: { score: FactorScore }) {
  const { factor, value, z, weight, contribution, percentile, missing } = score;
  const share = `${Math.min(50, (Math.abs(contribution) / FULL) * 50)}%`;
  const bar = contribution < 0 ? { right: '50%', width: share } : { left: '50%', width: share };
  return (
    <tr>
      <th>{FACTOR_LABEL[factor]}</th>
      {missing ? (
        <td className="missing">缺失</td>
      ) : (
        <td>
          <Percent signed value={value} />
        </td>
      )}
      <td>{z === null ? <span className="missing">缺失</span> : formatNumber(z, { digits: 2, signed: true })}</td>
      <td>{formatNumber(weight * 100, { digits: 0, signed: true })}%</td>
      <td>{percentile === null ? <span className="missing">缺失</span> : <Percent digits={0} value={percentile} />}</td>
      <td>{missing ? '0' : formatNumber(contribution, { digits: 3, signed: true })}</td>
      <td className={styles.track}>
        <span className={contribution < 0 ? styles.minus : styles.plus} style={bar} />
      </td>
    </tr>
  );
}

const WAN = 1e4;
const LABEL = { ...DIRECTION_LABEL, none: '未评' };
const DIRECTION_OPTIONS = DIRECTION_FILTERS.map((value) => ({ value, label: LABEL[value] }));
const SUGGESTION_OPTIONS = DIRECTION_OPTIONS.filter(({ value }) => value !== 'none');
const NOTE_OPTIONS = optionsOf({ '1': '有评价', '0': '无评价' });

interface FiltersProps {
  state: SelectionState;
  onChange: (change: Partial<SelectionState>, options?: { replace?: boolean }) => void;
}

/** What the list is narrowed down by. */
function Filters({ state, onChange }: FiltersProps) {
  const filter = (change: Partial<SelectionState>) => onChange({ ...change, current: 1 }, { replace: true });
  const [turnover, typeTurnover] = useTyped(state.minTurnover, (minTurnover) => filter({ minTurnover }));
  const [days, typeDays] = useTyped(state.minListedDays, (minListedDays) => filter({ minListedDays }));
  const leastTurnover = (
    <NumberInput
      min={0}
      controls={false}
      prefix="成交额 ≥"
      suffix="万"
      aria-label="最低成交额（万 USDT）"
      value={turnover === null ? null : turnover / WAN}
      onChange={(value) => typeTurnover(value === null ? null : value * WAN)}
    />
  );
  const leastDays = (
    <NumberInput
      min={0}
      precision={0}
      controls={false}
      prefix="上市 ≥"
      suffix="天"
      aria-label="最少上市天数"
      value={days}
      onChange={typeDays}
    />
  );
  const filters: ListFilter<SelectionState>[] = [
    { key: 'search', label: '搜索', placeholder: '搜索币种、板块', leads: true },
    { key: 'coins', node: <OnlyStarred value={state.coins} onChange={(coins) => filter({ coins })} />, leads: true },
    { key: 'direction', label: '方向', options: DIRECTION_OPTIONS },
    { key: 'suggestion', label: '建议', options: SUGGESTION_OPTIONS },
    { key: 'hasNote', label: '评价', options: NOTE_OPTIONS },
    { key: 'minTurnover', node: leastTurnover },
    { key: 'minListedDays', node: leastDays },
  ];
  return <ListFilters query={selectionQuery} change={onChange} {...{ state, filters }} />;
}
