import { Skeleton } from 'antd';
import { type ReactNode, Suspense, useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { strategies } from '#contract/strategies';
import { isLaddered, type StrategyKind } from '#contract/strategy';
import type { DealRow, StrategyRow } from '#contract/strategyRow';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import type { CallState } from '@/services/useCall';
import type { Column } from '@/table/column';
import { ExportButton } from '@/table/ExportButton';
import { PlainTable } from '@/table/PlainTable';
import { CardFoot, columnsCard } from '@/table/RowCard';
import { useColumnSettings } from '@/table/useColumnSettings';
import { useMarked } from '@/table/useMarked';
import type { Afterwards } from './AfterClose';
import { dealName } from './dealActions';
import { type DealView, dealColumns } from './dealColumns';
import { realOfDeal } from './realMoney';
import styles from './strategy.module.css';
import { totalsOf } from './strategyTotals';

const DealOutlook = late(() => import('./DealOutlook'));

/** Why it is held, when it closes, and what it is made up of. */
const openedBy = (kind: StrategyKind, view: DealView | undefined) => (row: DealRow) => (
  <Suspense fallback={<Skeleton active />}>
    <DealOutlook deal={row} kind={kind} subject={dealName(row)} real={realOfDeal(row)} unruled={view?.unruled} />
  </Suspense>
);

const CARD = ['netClosed', 'why', 'funding', 'heldDays', 'liquidationDistance', 'long', 'short'];

/** A deal on a phone. */
const dealCard = (columns: readonly Column<DealRow>[], open: (row: DealRow) => ReactNode) => {
  const acts = columns.find(({ key }) => key === 'actions');
  return columnsCard(columns, {
    label: dealName,
    head: ['subject', 'state'],
    end: ['net'],
    figures: CARD,
    wide: ['why'],
    maybe: ['netClosed', 'liquidationDistance', 'long', 'short'],
    foot: (row) => <CardFoot acts={acts?.render(row)} open={() => open(row)} />,
  });
};

interface DealPanelProps {
  strategy: StrategyRow;
  reading: CallState<DataOf<typeof strategies.deals>>;
  /** What the kind shows of its deals beside the usual figures. */
  view: DealView | undefined;
  /** The deal that a link is about; none where it is empty. */
  linked: string;
  /** Something was done to one of them. */
  onDone: () => void;
}

/** What is held or about to be stands above what has ended; each the newest first. */
const heldFirst = (deals: readonly DealRow[]): DealRow[] => {
  const hasEnded = ({ state }: DealRow) => HEDGE_ENDS.includes(state);
  return [...deals.filter((deal) => !hasEnded(deal)), ...deals.filter(hasEnded)];
};

/** What follows where one of its deals is closed by hand. */
function afterwardsOf({ kind, single, state }: StrategyRow): Afterwards {
  if (single) return 'ends';
  if (isLaddered(kind)) return 'byHand';
  return state === 'running' ? 'reopens' : 'reopensLater';
}

/** The deals of a strategy. */
export function DealPanel({ strategy, reading, view, linked, onDone }: DealPanelProps) {
  const { id, kind, name } = strategy;
  const { data, error, isLoading, mutate, retry } = reading;
  const afterwards = afterwardsOf(strategy);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again whatever is shown then.
  const columns = useMemo(() => {
    const done = () => {
      onDone();
      void mutate();
    };
    return dealColumns(done, view, afterwards);
  }, [id, afterwards]);
  const settings = useColumnSettings(`${kind}.deals`, columns);
  const opened = useMemo(() => openedBy(kind, view), [kind, view]);
  const card = useMemo(() => dealCard(columns, opened), [columns, opened]);
  const rows = useMemo(() => data && heldFirst(data.list), [data]);
  const marked = useMarked(linked, rows);
  return (
    <section className={`card ${styles.panel}`} aria-label="交易单">
      <PlainTable
        label="交易单"
        rowKey="id"
        columns={columns}
        rows={rows}
        loading={isLoading}
        sortable
        expanded={opened}
        card={card}
        {...(rows && rows.length > 1 ? { totals: totalsOf(rows, 'subject', view?.totals) } : {})}
        empty={<EmptyState title="还没有交易单" description="启动后达到开仓条件时由引擎开仓" />}
        settings={settings}
        marked={marked}
        instead={error && !data && <ErrorState error={error} onRetry={retry} />}
        bar={{
          filters: <h2>交易单 · {name}</h2>,
          actions: <ExportButton name={`交易单 ${name}`} columns={columns} readAll={async () => rows ?? []} />,
          loading: isLoading,
          onReload: retry,
        }}
      />
    </section>
  );
}
