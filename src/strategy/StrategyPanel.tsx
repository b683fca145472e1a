import { Button } from 'antd';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { type StrategyRow, strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { textCodec, useQueryState } from '@/components/useQueryState';
import type { SchemaForm } from '@/form/schemaForm';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { ExportButton } from '@/table/ExportButton';
import { PlainTable } from '@/table/PlainTable';
import { type DealView, dealColumns } from './dealColumns';
import type { Draft } from './StrategyDrawer';
import { StrategyMenu } from './StrategyMenu';
import styles from './strategy.module.css';
import { strategyColumns } from './strategyColumns';
import { totalsOf } from './strategyTotals';

const StrategyDrawer = lazy(() => import('./StrategyDrawer')) as unknown as typeof import('./StrategyDrawer').default;

const REFRESH_MS = 3_000;
/** The strategy whose deals are shown; the first where none is named. */
const LOOKED = { strategy: textCodec() };

interface StrategyPanelProps<P extends object> {
  kind: StrategyKind;
  form: SchemaForm<P>;
  /** What a new strategy begins with. */
  fresh: P;
  /** A drawer that a row of the scanner asks for. */
  draft: Draft<P> | undefined;
  onDraft: (draft: Draft<P> | undefined) => void;
  /** Figures of the kind in place of the usual ones. */
  columns?: readonly Column<StrategyRow>[];
  /** What the kind shows of its deals beside the usual figures. */
  deals?: DealView;
  /** What the kind tells of the strategy that is looked at; `done` after something was done to it. */
  detail?: (row: StrategyRow, done: () => void) => ReactNode;
}

/** The strategies of a kind below its scanner, and the deals of the one that is looked at. */
export function StrategyPanel<P extends object>(props: StrategyPanelProps<P>) {
  const { kind, form, fresh, draft, onDraft, columns: own, deals: view, detail } = props;
  const { data, error, isLoading, mutate, retry } = useCall(
    strategies.list,
    { query: { kind } },
    { refreshInterval: REFRESH_MS },
  );
  const [{ strategy: looked }, look] = useQueryState(LOOKED);
  const rows = data?.list;
  const shown = rows?.find(({ id }) => id === looked) ?? rows?.[0];
  const deals = useCall(strategies.deals, shown ? { query: { id: shown.id } } : null, {
    refreshInterval: REFRESH_MS,
  });
  const done = () => {
    void mutate();
    void deals.mutate();
  };
  const columns = strategyColumns(
    ({ id }) => look({ strategy: id }),
    (row) => (
      <StrategyMenu
        row={row}
        done={done}
        onEdit={() => onDraft({ edited: row, name: row.name, params: row.params as P })}
        onClone={() => onDraft({ name: `${row.name} 副本`, params: row.params as P })}
      />
    ),
    own,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again whatever is shown then.
  const ofDeals = useMemo(() => dealColumns(done, view), [shown?.id]);
  return (
    <>
      <section className={styles.panel} aria-label="策略">
        <header className={styles.head}>
          <h2>策略</h2>
          <span>
            <ExportButton name="策略" columns={columns} readAll={async () => rows ?? []} />
            <Button type="primary" onClick={() => onDraft({ name: '', params: fresh })}>
              新建策略
            </Button>
          </span>
        </header>
        {error && !data ? (
          <ErrorState error={error} onRetry={retry} />
        ) : (
          <PlainTable
            label="策略"
            rowKey="id"
            columns={columns}
            rows={rows}
            loading={isLoading}
            sortable
            {...(rows && rows.length > 1 ? { totals: totalsOf(rows, 'name') } : {})}
            empty={<EmptyState title="还没有策略" description="从上面的机会一键新建，或点「新建策略」" />}
          />
        )}
      </section>
      {shown && detail?.(shown, done)}
      {shown && (
        <section className={styles.panel} aria-label="交易单">
          <header className={styles.head}>
            <h2>交易单 · {shown.name}</h2>
            <ExportButton
              name={`交易单 ${shown.name}`}
              columns={ofDeals}
              readAll={async () => deals.data?.list ?? []}
            />
          </header>
          <PlainTable
            label="交易单"
            rowKey="id"
            columns={ofDeals}
            rows={deals.data?.list}
            loading={deals.isLoading}
            sortable
            {...(deals.data && deals.data.list.length > 1 ? { totals: totalsOf(deals.data.list, 'state') } : {})}
            empty={<EmptyState title="还没有交易单" description="启动后达到开仓条件时由引擎开仓" />}
          />
        </section>
      )}
      {draft && (
        <Suspense fallback={null}>
          <StrategyDrawer kind={kind} form={form} draft={draft} onClose={() => onDraft(undefined)} onSaved={done} />
        </Suspense>
      )}
    </>
  );
}
