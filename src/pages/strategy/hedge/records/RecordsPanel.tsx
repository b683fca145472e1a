import { Tabs } from 'antd';
import { memo, useCallback } from 'react';
import type { DataOf } from '#contract/endpoint';
import type { HedgePair } from '#contract/kinds/hedge/config';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { CLOSE_REASONS, HEDGE_ENDS } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { Duration } from '@/components/Duration';
import { EmptyState } from '@/components/EmptyState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { SymbolSelect } from '@/components/SymbolSelect';
import { call } from '@/services/call';
import { NetOfPart, PartLeft } from '@/strategy/PartClosed';
import { optionsOf } from '@/table/FilterSelect';
import { type ListFilter, ListFilters } from '@/table/ListPanel';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { CardFigures, RowCard } from '@/table/RowCard';
import type { Listed } from '@/table/useListed';
import { HedgeLimits } from '../HedgeLimits';
import { HedgeNote } from '../HedgeNote';
import desk from '../index.module.css';
import { PairCell } from '../PairCell';
import { RowActions } from '../RowActions';
import { RecordTotals, sumOf } from './RecordTotals';
import { RECORD_COLUMNS } from './recordColumns';
import styles from './records.module.css';
import { type ChangeRecords, type RecordsState, recordsQuery, toApi, VIEWS, type View } from './recordsQuery';

const SIDES = optionsOf({ long: '做多', short: '做空' });
const REASONS = CLOSE_REASONS.map((value) => ({ value, label: CLOSE_REASON_LABEL[value] }));
const RESULTS = optionsOf({ profit: '盈利', loss: '亏损' });
const NOTES = optionsOf({ '1': '有备注', '0': '无备注' });

type PairName = Pick<HedgePair, 'pairId' | 'long' | 'short'>;

interface RecordsFiltersProps {
  state: RecordsState;
  change: ChangeRecords;
  source: string;
  pairs: readonly PairName[];
}

/** What the records are narrowed down by. */
const RecordsFilters = memo(function RecordsFilters({ state, change, source, pairs }: RecordsFiltersProps) {
  const coin = (
    <SymbolSelect
      allowClear
      placeholder="含币种"
      aria-label="含币种"
      source={source}
      value={state.symbol || undefined}
      onChange={(symbol) => change({ symbol, ...(symbol === '' ? { side: null } : {}), current: 1 })}
    />
  );
  const pairOptions = pairs.map(({ pairId, long, short }) => ({ value: pairId, label: `${long} / ${short}` }));
  const filters: ListFilter<RecordsState>[] = [
    { period: '开仓期间' },
    { key: 'pairId', label: '交易对', options: pairOptions, searchable: true, className: styles.wide },
    { key: 'symbol', node: coin },
    ...(state.symbol === '' ? [] : [{ key: 'side', label: '在哪边', options: SIDES } as const]),
    ...(state.state === 'running' ? [] : [{ key: 'reason', label: '平仓原因', options: REASONS } as const]),
    { key: 'pnl', label: '盈亏', options: RESULTS },
    { key: 'hasNote', label: '备注', options: NOTES },
  ];
  return <ListFilters query={recordsQuery} {...{ state, change, filters }} />;
});

const NO_MARK = '持有中而没有标记价';

/** A hedge on a phone. */
const HedgeCard = memo(function HedgeCard({ row }: { row: HedgeRow }) {
  const figures = [
    ['收益率（按保证金）', <Pnl key="margin" percent value={row.marginReturn} reason={NO_MARK} />],
    ['名义', <Amount key="notional" value={row.notional} unit="USDT" compact />],
    ['z 开 / 现', <Both key="z" a={row.zOpen} b={row.z} />],
    ['资金费', <Pnl key="funding" value={row.funding} />],
    ['手续费', <Amount money key="fees" value={row.fees} />],
    ['持有', <Duration key="held" hours={row.heldHours} reason="还没有开仓" />],
    ['平仓原因', row.closeReason === null ? '-' : CLOSE_REASON_LABEL[row.closeReason]],
  ] as const;
  return (
    <RowCard
      label={`${row.long} / ${row.short}`}
      head={
        <>
          <PairCell long={row.long} short={row.short} source={row.source} />
          <span className={styles.net}>
            <NetOfPart net={row.net} closed={row.closedPart} realised={row.realised} unit="USDT" reason={NO_MARK} />
            <span>
              <Pnl percent value={row.netReturn} reason={NO_MARK} /> <small className="soft">按名义</small>
            </span>
          </span>
        </>
      }
    >
      <span className={desk.rowActions}>
        <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
        <PartLeft closed={row.closedPart} />
      </span>
      <CardFigures figures={figures} columns={3} />
      {!HEDGE_ENDS.includes(row.state) && <HedgeLimits row={row} />}
      <HedgeNote row={row} />
      <RowActions row={row} withDetail />
    </RowCard>
  );
});

function Both({ a, b }: { a: number | null; b: number | null }) {
  return (
    <>
      <Amount value={a} reason="共同历史不足" /> / <Amount value={b} reason="共同历史不足" />
    </>
  );
}

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
    <section className={`card ${desk.card}`} aria-label="对冲单">
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
