import { Button, Space } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import type { DataOf } from '#contract/endpoint';
import { TARGET_HOLDS } from '#contract/lifecycle';
import { opening } from '#contract/opening';
import { strategies } from '#contract/strategies';
import { leavesCoin, mayBeReal, type StrategyKind } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { REARM_VERB } from '@/components/labels';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { textCodec, useQueryState } from '@/components/useQueryState';
import { Waiting } from '@/components/Waiting';
import type { SchemaForm } from '@/form/schemaForm';
import { modeLabel, worded } from '@/services/modeLabel';
import { type CallState, isAnswered, useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { ExportButton } from '@/table/ExportButton';
import { PlainTable } from '@/table/PlainTable';
import { CardFoot, columnsCard } from '@/table/RowCard';
import { useColumnSettings } from '@/table/useColumnSettings';
import { useMarked } from '@/table/useMarked';
import { BelowBanners } from './BelowBanners';
import { confirmArm, heldTargets } from './confirmArm';
import { DealPanel } from './DealPanel';
import type { DealView } from './dealColumns';
import { MoreActions } from './MoreActions';
import { openReadiness } from './openReadiness';
import type { Draft } from './StrategyDrawer';
import styles from './strategy.module.css';
import { confirmCloseOnly, confirmPause, confirmRemove, confirmStart, confirmStop } from './strategyActions';
import { strategyColumns } from './strategyColumns';
import { moneyTotals } from './strategyTotals';
import { StrategyWaterfall } from './Waterfall';

const TwinPanel = late(() => import('./TwinPanel'));

const WaitingPanel = late(() => import('@/opening/WaitingPanel'));

const REFRESH_MS = 3_000;
const WAITING = { refreshInterval: 10_000, keepPreviousData: true };
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

/** Whether it was of one deal, which has ended. */
const isArchived = ({ single, state, running }: StrategyRow) =>
  single !== undefined && state === 'stopped' && running === 0;

const NAME_LENGTH = 32;
/** What one with real money is called first. */
function realName(name: string): string {
  const end = ` ${modeLabel('live')}`;
  return `${name.slice(0, NAME_LENGTH - end.length)}${end}`;
}

/** The user's strategies of a kind, and the deals of the one that is looked at. */
export default function StrategyPanel<P extends object>(props: StrategyPanelProps<P>) {
  const { kind, fresh, onDraft, columns: own, deals: view, detail } = props;
  const { data, error, isLoading, mutate, retry } = props.reading;
  const [{ strategy: looked, id: deal }, look] = useQueryState(LOOKED);
  const [all, setAll] = useState(false);
  const ended = data?.list.filter((row) => isArchived(row) && row.id !== looked) ?? [];
  const rows = all ? data?.list : data?.list.filter((row) => !ended.includes(row));
  // What has ended was earned or lost all the same.
  const totalName = rows && rows.length < (data?.list.length ?? 0) ? '合计（含已结束的单笔）' : '合计';
  const marked = useMarked(looked, rows);
  const shown = rows?.find(({ id }) => id === looked) ?? rows?.[0];
  const deals = useCall(strategies.deals, shown ? { query: { id: shown.id } } : null, { refreshInterval: REFRESH_MS });
  const queue = useCall(opening.queue, { query: { kind } }, WAITING);
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
        onReadiness={() =>
          openReadiness(row, paramsOf(row), (params) =>
            onDraft({ name: realName(row.name), params: params as P, twin: { id: row.id, name: row.name } }),
          )
        }
      />
    ),
    done,
    own,
  );
  const settings = useColumnSettings(`${kind}.strategies`, columns);
  return (
    <>
      <section className={`card ${styles.panel}`} aria-label="策略">
        <PlainTable
          label="策略"
          rowKey="id"
          columns={columns}
          rows={rows}
          loading={isLoading}
          sortable
          {...(data && data.list.length > 1 ? { totals: moneyTotals(data.list, 'name', totalName) } : {})}
          empty={<EmptyState title="还没有策略" description="从「机会」里一键新建，或点「新建策略」" />}
          settings={settings}
          marked={marked}
          card={strategyCard(columns)}
          instead={error && !data && <ErrorState error={error} onRetry={retry} />}
          bar={{
            filters: <h2>策略</h2>,
            actions: (
              <>
                {ended.length > 0 && (
                  <Button type="text" aria-expanded={all} onClick={() => setAll(!all)}>
                    {all ? '收起' : ''}已结束的单笔 {ended.length}
                  </Button>
                )}
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
      {shown && (
        <Suspense fallback={<Waiting />}>
          <BelowBanners className="stack" isRead={[deals, queue].every(isAnswered)}>
            <WaitingPanel reading={queue} open={rows?.every(({ running }) => running === 0) ?? false} onDone={done} />
            <DealPanel strategy={shown} reading={deals} view={view} linked={deal} onDone={done} />
            <StrategyWaterfall strategy={shown} />
            {shown.twin && (
              <Suspense fallback={null}>
                <TwinPanel key={shown.state} strategy={shown} onLook={(id) => look({ strategy: id })} />
              </Suspense>
            )}
            {detail?.(shown, done)}
          </BelowBanners>
        </Suspense>
      )}
    </>
  );
}

/** In a card of the rest only what there is room for. */
const CARD_FIGURES = 6;
/** px, of what stands beside another. */
const HALF = 160;
const ELSEWHERE = ['name', 'state', 'targets', 'actions'];

/** A strategy on a phone. */
const strategyCard = (columns: readonly Column<StrategyRow>[]) => {
  const usual = columns.filter(({ key, spare }) => !spare && !ELSEWHERE.includes(key)).slice(0, CARD_FIGURES);
  const acts = columns.find(({ key }) => key === 'actions');
  return columnsCard(columns, {
    label: ({ name }) => name,
    head: ['name'],
    end: ['state'],
    figures: [...usual.map(({ key }) => key), 'targets'],
    wide: ['targets', ...usual.filter(({ width = 0 }) => width > HALF).map(({ key }) => key)],
    foot: (row) => <CardFoot acts={acts?.render(row)} />,
  });
};

interface StrategyMenuProps {
  row: StrategyRow;
  onEdit: () => void;
  onClone: () => void;
  onReadiness: () => void;
  done: () => void;
}

/** Always there, with what stands in its way. */
function removeItem(row: StrategyRow, done: () => void) {
  const { state, running } = row;
  const why = running > 0 ? `还有 ${running} 张交易单，平仓后才能删除` : state === 'stopped' ? null : '先停止';
  const label = why === null ? '删除' : `删除（${why}）`;
  return { key: 'remove', label, disabled: why !== null, run: () => confirmRemove(row, done) };
}

/** What its owner may do with a strategy in its state. */
function StrategyMenu({ row, onEdit, onClone, onReadiness, done }: StrategyMenuProps) {
  const { state, running, name, single, mode } = row;
  const isStill = state === 'stopped' || state === 'paused' || state === 'tripped' || state === 'error';
  const items = [
    // What is of one deal is opened once, as it was confirmed.
    single === undefined && { key: 'edit', label: '修改', run: onEdit },
    { key: 'clone', label: '复制', run: onClone },
    mode === 'paper' &&
      single === undefined &&
      mayBeReal(row.kind) && { key: 'readiness', label: worded('实盘准备'), run: onReadiness },
    ...TARGET_HOLDS.map((hold) => {
      const held = heldTargets(row, hold);
      const label = `${REARM_VERB[hold]} ${held.length} 个标的`;
      return held.length > 0 && { key: hold, label, run: () => confirmArm(row, hold, done) };
    }),
    state !== 'closing' && running > 0 && { key: 'closeOnly', label: '仅平仓', run: () => confirmCloseOnly(row, done) },
    state !== 'stopped' && {
      key: 'stop',
      label: '停止',
      run: () => confirmStop({ ...row, leavesCoin: leavesCoin(row.kind, row.params) }, done),
    },
    removeItem(row, done),
  ].filter((item) => item !== false);
  return (
    <Space size={4}>
      {isStill && single === undefined && (
        <MoneyButton size="small" onClick={() => confirmStart(row, done)}>
          启动
        </MoneyButton>
      )}
      {state === 'running' && single === undefined && (
        <MoneyButton size="small" onClick={() => confirmPause(row, done)}>
          暂停
        </MoneyButton>
      )}
      <MoreActions name={name} items={items} />
    </Space>
  );
}
