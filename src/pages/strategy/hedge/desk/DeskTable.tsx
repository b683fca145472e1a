import { PlusOutlined } from '@ant-design/icons';
import { memo, Suspense, useCallback, useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import type { HedgeDesk, HedgePair } from '#contract/kinds/hedge/config';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { CLOSE_REASONS } from '#contract/lifecycle';
import { CLEARABLE } from '@/components/clearable';
import { EmptyState } from '@/components/EmptyState';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { SymbolSelect } from '@/components/SymbolSelect';
import { useSameRows } from '@/components/useSame';
import { call } from '@/services/call';
import { HOME_SOURCE } from '@/services/home';
import { optionsOf } from '@/table/FilterSelect';
import { inOrder } from '@/table/inOrder';
import { type ListFilter, ListFilters } from '@/table/ListPanel';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { columnsCard } from '@/table/RowCard';
import type { Listed } from '@/table/useListed';
import { HedgeNote } from '../HedgeNote';
import panel from '../index.module.css';
import { RowActions } from '../RowActions';
import styles from './desk.module.css';
import { COLUMNS } from './deskColumns';
import { type ChangeDesk, type DeskState, deskQuery, toApi, type View } from './deskQuery';
import { type DeskRow, deskRow, deskRows, openFirst } from './deskRows';
import { Netting } from './Netting';
import { sumOf } from './sums';

const EndedTotals = late(() => import('./EndedTotals'));

const VIEW_LABEL: Record<View, string> = { running: '当前', ended: '已结束' };
const STATES = optionsOf(VIEW_LABEL);
const SIDES = optionsOf({ long: '做多', short: '做空' });
const REASONS = CLOSE_REASONS.map((value) => ({ value, label: CLOSE_REASON_LABEL[value] }));
const RESULTS = optionsOf({ profit: '盈利', loss: '亏损' });
const NOTES = optionsOf({ '1': '有备注', '0': '无备注' });

type PairName = Pick<HedgePair, 'pairId' | 'long' | 'short'>;

interface DeskFiltersProps {
  state: DeskState;
  change: ChangeDesk;
  source: string;
  pairs: readonly PairName[];
}

/** What the table is narrowed down by. */
const DeskFilters = memo(function DeskFilters({ state, change, source, pairs }: DeskFiltersProps) {
  const coin = (
    <SymbolSelect
      allowClear={CLEARABLE}
      placeholder="含币种"
      aria-label="含币种"
      source={source}
      value={state.symbol || undefined}
      onChange={(symbol) => change({ symbol, ...(symbol === '' ? { side: null } : {}), current: 1 })}
    />
  );
  const pairOptions = pairs.map(({ pairId, long, short }) => ({ value: pairId, label: `${long} / ${short}` }));
  const filters: ListFilter<DeskState>[] = [
    { key: 'state', label: '状态', options: STATES },
    { period: '开仓期间' },
    { key: 'pairId', label: '交易对', options: pairOptions, searchable: true, className: styles.wide },
    { key: 'symbol', node: coin },
    ...(state.symbol === '' ? [] : [{ key: 'side', label: '在哪边', options: SIDES } as const]),
    ...(state.state === 'running' ? [] : [{ key: 'reason', label: '平仓原因', options: REASONS } as const]),
    { key: 'pnl', label: '盈亏', options: RESULTS },
    { key: 'hasNote', label: '备注', options: NOTES },
  ];
  // What the other view is ordered by this one may not have.
  const narrow: ChangeDesk = (next, options) =>
    change({ ...next, ...('state' in next && { sort: '', reason: null }) }, options);
  return <ListFilters query={deskQuery} change={narrow} {...{ state, filters }} />;
});

const CARDS = Object.fromEntries(
  Object.entries(COLUMNS).map(([view, columns]) => [
    view,
    columnsCard(columns, {
      label: ({ long, short }) => `${long} / ${short}`,
      head: ['long', 'state'],
      end: ['net'],
      figures: [
        ...['netClosed', 'netReturn', 'marginReturn', 'z', 'heldHours', 'funding', 'plan', 'closeReason'],
        ...['correlation', 'halfLifeHours', 'fundingAprDifference'],
      ],
      wide: ['plan'],
      across: 3,
      maybe: [
        ...['netClosed', 'netReturn', 'marginReturn', 'heldHours', 'funding'],
        ...['closeReason', 'correlation', 'halfLifeHours', 'fundingAprDifference'],
      ],
      foot: (row) => (
        <>
          {row.hedge && <HedgeNote row={row.hedge} />}
          <RowActions now={() => row} withDetail />
        </>
      ),
    }),
  ]),
) as Record<View, (row: DeskRow) => React.ReactNode>;

interface DeskTableProps {
  desk: HedgeDesk;
  pairs: readonly HedgePair[];
  records: Listed<HedgeRow> & { data: DataOf<typeof hedge.list> | undefined };
  state: DeskState;
  change: ChangeDesk;
  onAdd: () => void;
}

/** Every pair with what is held of it, open ones first, or what has ended; filter, order and page are in the URL. */
export function DeskTable({ desk, pairs, records, state, change, onAdd }: DeskTableProps) {
  const { current, pageSize, sort, state: view } = state;
  const isRunning = view === 'running';
  const hedges = records.rows;
  const made =
    hedges && (isRunning ? openFirst(inOrderOf(deskRows(pairs, hedges, state), sort)) : hedges.map(endedRow));
  const rows = useSameRows(made, 'id');
  const page = useMemo(
    () => (isRunning ? rows?.slice((current - 1) * pageSize, current * pageSize) : rows),
    [isRunning, rows, current, pageSize],
  );
  const totals = records.data?.totals;
  const sum = useCallback((column: string) => totals && sumOf(totals, rows ?? [], column), [totals, rows]);
  const readPage = async (place: { current: number; pageSize: number }) => {
    const at = (place.current - 1) * place.pageSize;
    if (isRunning) return { list: rows?.slice(at, at + place.pageSize) ?? [], total: rows?.length ?? 0 };
    const { list, total } = await call(hedge.list, { query: { ...toApi(state), ...place } });
    return { list: list.map(endedRow), total };
  };
  return (
    <section className={`card ${panel.card}`} aria-label="交易对与对冲单">
      {isRunning ? (
        <Netting coins={desk.coins} running={desk.running} rows={rows ?? []} />
      ) : (
        <Suspense fallback={null}>{totals && <EndedTotals totals={totals} />}</Suspense>
      )}
      <ListTable
        key={view}
        name={`hedge.${view}`}
        title={`多空对冲-${VIEW_LABEL[view]}`}
        columns={COLUMNS[view]}
        rowKey="id"
        list={{ ...records, rows: page, total: isRunning ? rows?.length : records.total }}
        readPage={readPage}
        place={state}
        onPlace={change}
        filters={<DeskFilters {...{ state, change, pairs }} source={desk.settings?.source ?? HOME_SOURCE} />}
        actions={
          <MoneyButton type="primary" size="small" icon={<PlusOutlined />} onClick={onAdd}>
            添加
          </MoneyButton>
        }
        totals={records.total ? sum : undefined}
        card={CARDS[view]}
        empty={
          <NoRows of="行" filtered={deskQuery.isFiltered(state)} onClear={() => change(deskQuery.clear)}>
            <EmptyState title="还没有交易对" description="从中性选币挑一对，或直接添加；启用后符合条件的会自动建仓" />
          </NoRows>
        }
      />
    </section>
  );
}

const inOrderOf = (rows: readonly DeskRow[], sort: string) => inOrder(rows, COLUMNS.running, sort);
const endedRow = (row: HedgeRow): DeskRow => deskRow(null, row);
