import { Button } from 'antd';
import { type ReactNode, Suspense } from 'react';
import type { DataOf } from '#contract/endpoint';
import type { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { textCodec, useQueryState } from '@/components/useQueryState';
import type { SchemaForm } from '@/form/schemaForm';
import type { CallState } from '@/services/useCall';
import type { Column } from '@/table/column';
import { ExportButton } from '@/table/ExportButton';
import { PlainTable } from '@/table/PlainTable';
import { useColumnSettings } from '@/table/useColumnSettings';
import { useMarked } from '@/table/useMarked';
import { DealPanel } from './DealPanel';
import type { DealView } from './dealColumns';
import type { Draft } from './StrategyDrawer';
import { StrategyMenu } from './StrategyMenu';
import styles from './strategy.module.css';
import { strategyColumns } from './strategyColumns';
import { totalsOf } from './strategyTotals';
import { StrategyWaterfall } from './Waterfall';

const WaitingPanel = late(() => import('@/opening/WaitingPanel'));

const REFRESH_MS = 3_000;
/** The strategy whose deals are shown, the first where none is named; and the deal that a link is about. */
const LOOKED = { strategy: textCodec(), id: textCodec() };

/** What a screen knows of the user's own strategies of its kind. */
export interface OwnStrategies<P extends object> {
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

interface StrategyPanelProps<P extends object> extends Omit<OwnStrategies<P>, 'form' | 'draft'> {
  reading: CallState<DataOf<typeof strategies.list>>;
}

/** The user's strategies of a kind, and the deals of the one that is looked at. */
export default function StrategyPanel<P extends object>(props: StrategyPanelProps<P>) {
  const { kind, fresh, onDraft, columns: own, deals: view, detail } = props;
  const { data, error, isLoading, mutate, retry } = props.reading;
  const [{ strategy: looked, id: deal }, look] = useQueryState(LOOKED);
  const rows = data?.list;
  const marked = useMarked(looked, rows);
  const shown = rows?.find(({ id }) => id === looked) ?? rows?.[0];
  const done = () => void mutate();
  // One that was saved before a parameter came up has none of it.
  const paramsOf = (row: StrategyRow): P => ({ ...fresh, ...(row.params as P) });
  const columns = strategyColumns(
    ({ id }) => look({ strategy: id }),
    (row) => (
      <StrategyMenu
        row={row}
        done={done}
        onEdit={() => onDraft({ edited: row, name: row.name, params: paramsOf(row) })}
        onClone={() => onDraft({ name: `${row.name} 副本`, params: paramsOf(row) })}
      />
    ),
    done,
    own,
  );
  const settings = useColumnSettings(`${kind}.strategies`, columns);
  return (
    <>
      <section className={styles.panel} aria-label="策略">
        <PlainTable
          label="策略"
          rowKey="id"
          columns={columns}
          rows={rows}
          loading={isLoading}
          sortable
          {...(rows && rows.length > 1 ? { totals: totalsOf(rows, 'name') } : {})}
          empty={<EmptyState title="还没有策略" description="从「机会」里一键新建，或点「新建策略」" />}
          settings={settings}
          marked={marked}
          instead={error && !data && <ErrorState error={error} onRetry={retry} />}
          bar={{
            filters: <h2>策略</h2>,
            actions: (
              <>
                <ExportButton name="策略" columns={columns} readAll={async () => rows ?? []} />
                <Button type="primary" onClick={() => onDraft({ name: '', params: fresh })}>
                  新建策略
                </Button>
              </>
            ),
            loading: isLoading,
            onReload: retry,
          }}
        />
      </section>
      {rows && rows.length > 0 && (
        <Suspense fallback={null}>
          <WaitingPanel kind={kind} onDone={done} />
        </Suspense>
      )}
      {shown && detail?.(shown, done)}
      {shown && <DealPanel strategy={shown} refreshInterval={REFRESH_MS} view={view} linked={deal} onDone={done} />}
      {shown && <StrategyWaterfall strategy={shown} />}
    </>
  );
}
