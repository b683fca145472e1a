import { Link } from '@umijs/max';
import { Button, Space } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { STRATEGY_KIND_LABEL, STRATEGY_KINDS } from '#contract/strategy';
import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { PauseBanners } from '@/components/PauseBanners';
import { useNarrow } from '@/components/useNarrow';
import { useNotes } from '@/components/useNotes';
import { usePreparing } from '@/components/usePreparing';
import { useQueryState } from '@/components/useQueryState';
import { useSame } from '@/components/useSame';
import { WhenSeen } from '@/components/WhenSeen';
import { call } from '@/services/call';
import { readForLink } from '@/services/read';
import { type GoOn, useCall } from '@/services/useCall';
import { BelowBanners } from '@/strategy/BelowBanners';
import { OutageBanner } from '@/strategy/Outages';
import { TrippedBanner, TroubleBanners, UnjudgedBanner } from '@/strategy/StopBanners';
import { confirmStart } from '@/strategy/strategyActions';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { useStops } from '@/strategy/useStops';
import { CardOrder } from '@/table/CardOrder';
import type { Column } from '@/table/column';
import { ExportButton } from '@/table/ExportButton';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect } from '@/table/FilterSelect';
import { inOrder } from '@/table/inOrder';
import { PlainTable } from '@/table/PlainTable';
import { Cards } from '@/table/RowCard';
import type { Bar } from '@/table/rowsContext';
import { useColumnSettings } from '@/table/useColumnSettings';
import { ViewsButton } from '@/table/ViewsButton';
import { CorrelationPanel } from './CorrelationPanel';
import { DailyPanel } from './DailyPanel';
import { FeedPanel } from './FeedPanel';
import { FilterWords } from './FilterWords';
import { GROUP_LABEL, type Group, groupsOf, isShown, type Named } from './groups';
import { type Hands, ReadAt } from './hands';
import { OpenedRow } from './OpenedRow';
import { OverviewTotals } from './OverviewTotals';
import styles from './overview.module.css';
import { overviewColumns } from './overviewColumns';
import { overviewCodecs } from './overviewQuery';
import { StrategyCard } from './StrategyCard';
import { useEditing } from './useEditing';

const FlattenReports = late(() => import('@/flatten/FlattenReports'));

const LimitsDialog = late(() => import('./LimitsDialog'));

const StrategyDrawer = late(
  () => import('@/strategy/StrategyDrawer'),
) as unknown as typeof import('@/strategy/StrategyDrawer').default;

const writeNote = (id: string, note: string) => call(strategyOverview.note, { body: { id, note } });

const opened = (row: OverviewRow) => <OpenedRow row={row} />;

const flattenAll = (done: () => void) =>
  void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
    confirmFlatten({ aim: { everybody: true }, subject: '所有用户', others: true, done }),
  );

const REFRESH_MS = 3_000;
const UNTOUCHED_MS = 5_000;
/** What is over changes with the day alone. */
const DAYS_REFRESH_MS = 60_000;
const NOBODY: Named[] = [];
const NOTHING = { search: '', state: null, kind: null, user: null, symbol: null };

/** 策略总览: everybody's strategies, what they made and risk, and what happened to them. */
export default function StrategyOverview() {
  const [query, change] = useQueryState(overviewCodecs);
  const { data, error, isLoading, mutate, retry } = useCall(
    strategyOverview.list,
    {},
    { refreshInterval: REFRESH_MS, untouchedInterval: UNTOUCHED_MS, goOn: changesOnly },
  );
  const { data: days } = useCall(strategyOverview.days, {}, { refreshInterval: DAYS_REFRESH_MS });
  const [limited, setLimited] = useState<OverviewRow>();
  const { editing, edit, clone, end } = useEditing();
  const notes = useNotes(writeNote);
  const compared = useSame(query.compared);
  const at = data?.at ?? 0;
  // What is drawn with every reading is a cell that has changed, not the columns.
  const latest = useRef({ at, change, edit, clone, mutate });
  latest.current = { at, change, edit, clone, mutate };
  const hands = useMemo<Hands>(
    () => ({
      readAt: () => latest.current.at,
      isCompared: (id) => compared.includes(id),
      mayCompare: compared.length < MOST_COMPARED,
      compare: (id) =>
        latest.current.change({
          compared: compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id],
        }),
      limit: setLimited,
      edit: (row) => latest.current.edit(row),
      clone: (row) => latest.current.clone(row),
      notes,
      done: () => void latest.current.mutate(),
    }),
    [compared, notes],
  );
  const { done } = hands;
  const missing = usePreparing();
  const columns = useMemo(() => overviewColumns(hands, missing), [hands, missing]);
  const rows = data?.list.filter((row) => isShown(row, query));
  // What is drawn of names and days alone is not drawn again with every reading.
  const named = useSame(data?.list.map(({ id, name, user }) => ({ id, name, user })));
  const narrow = useNarrow();
  // Below a list that is not there yet everything would be in view, and be loaded.
  const isRead = data !== undefined || error !== undefined;
  const order = { sort: query.sort, onSort: (sort: string) => change({ sort }) };
  const filtered = Object.entries(NOTHING).some(([name, none]) => query[name as keyof typeof NOTHING] !== none);
  const settings = useColumnSettings('strategyOverview', columns);
  const bar: Bar = {
    filters: (
      <FilterBar filtered={filtered} onClear={() => change(NOTHING)}>
        <FilterWords rows={data?.list ?? []} query={query} change={change} />
        <FilterSelect<Group>
          label="分组"
          options={(Object.entries(GROUP_LABEL) as [Group, string][]).map(([value, label]) => ({ value, label }))}
          value={query.group}
          onChange={(group) => change({ group })}
        />
      </FilterBar>
    ),
    actions: (
      <>
        {compared.length > 0 && (
          <Button type="link" onClick={() => change({ compared: [] })}>
            取消对比（{compared.length}）
          </Button>
        )}
        <ViewsButton />
        <ExportButton name="策略总览" columns={columns} readAll={async () => rows ?? []} />
      </>
    ),
    loading: isLoading,
    onReload: retry,
  };
  return (
    <ReadAt value={at}>
      <div className="stack">
        <header className={styles.head}>
          <h1>策略总览</h1>
          {data && (
            <Space wrap>
              <span className="soft">
                更新于 <DateTime value={data.at} precision="second" />
                ，日界为 UTC 零点
              </span>
              <MoneyButton
                danger
                why={data.list.every(({ running }) => running === 0) ? '没有进行中的交易单' : undefined}
                onClick={() => flattenAll(done)}
              >
                平掉所有用户的全部
              </MoneyButton>
            </Space>
          )}
        </header>
        <UnguardedBanner done={done} />
        <OverviewBanners rows={data?.list ?? []} done={done} />
        <BelowBanners className="stack" isRead={isRead}>
          {data && <OverviewTotals rows={rows ?? []} at={data.at} />}
          <section className={`card ${styles.panel}`} aria-label="策略">
            {groupsOf(rows, query.group).map(({ name, rows: own }, i) => (
              <PlainTable
                key={name}
                label={name === '' ? '策略' : `策略：${name}`}
                rowKey="id"
                columns={columns}
                rows={own}
                loading={isLoading}
                sortable
                order={order}
                expanded={opened}
                empty={<NoStrategies filtered={filtered} />}
                settings={settings}
                instead={
                  (error && !data && <ErrorState error={error} onRetry={retry} />) ||
                  (narrow && own && own.length > 0 && (
                    <>
                      {i === 0 && <CardOrder columns={columns} {...order} />}
                      {name !== '' && <h2 className={styles.group}>{name}</h2>}
                      <Cards>
                        {inOrder(own, columns, query.sort).map((row) => (
                          <StrategyCard key={row.id} {...{ row, hands, missing }} />
                        ))}
                      </Cards>
                    </>
                  ))
                }
                {...(name === '' ? {} : { caption: <h2>{name}</h2> })}
                {...(i === 0 ? { bar } : {})}
              />
            ))}
          </section>
          <ComparePanel columns={columns} rows={data?.list.filter(({ id }) => compared.includes(id)) ?? []} />
          {days && rows && <DailyPanel rows={rows} days={days.list} today={days.today} />}
          {named && days && <CorrelationPanel rows={named} days={days.list} correlation={days.correlation} />}
          {isRead && (
            <>
              <FeedPanel rows={named ?? NOBODY} />
              <WhenSeen height={200}>
                <Suspense fallback={null}>
                  <FlattenReports everybody />
                </Suspense>
              </WhenSeen>
            </>
          )}
        </BelowBanners>
        {editing && (
          <Suspense fallback={null}>
            <StrategyDrawer
              kind={editing.row.kind}
              form={editing.form}
              draft={editing.draft}
              onClose={end}
              onSaved={done}
            />
          </Suspense>
        )}
        {limited && (
          <Suspense fallback={null}>
            <LimitsDialog row={limited} onClose={() => setLimited(undefined)} onSaved={done} />
          </Suspense>
        )}
      </div>
    </ReadAt>
  );
}

type Overview = DataOf<typeof strategyOverview.list>;

StrategyOverview.ahead = () => {
  readForLink(strategyOverview.list, {});
  readForLink(strategyOverview.days, {});
};

/** After the first look only what changed since is read. */
const changesOnly: GoOn<Overview, { query: QueryOf<typeof strategyOverview.list> }> = {
  input: ({ at }) => ({ query: { since: at } }),
  join: (held, answer) => {
    if (answer.since === null) return answer;
    const rows = new Map(held.list.map((row) => [row.id, row]));
    for (const id of answer.gone) rows.delete(id);
    for (const { id, fields } of answer.changed) rows.set(id, { ...rows.get(id)!, ...fields });
    for (const row of answer.list) rows.set(row.id, row);
    return { ...answer, list: [...rows.values()] };
  },
};

/** Instead of strategies where there are none: where those of each kind are set up. */
function NoStrategies({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="没有符合筛选的策略" description="清除筛选就是全部" />;
  return (
    <EmptyState title="还没有策略" description="在各策略页面新建：">
      <Space size={16} wrap>
        {STRATEGY_KINDS.map((kind) => (
          <Link key={kind} to={`/strategy/${kind}`}>
            {STRATEGY_KIND_LABEL[kind]}
          </Link>
        ))}
      </Space>
    </EmptyState>
  );
}

const MOST_COMPARED = 5;
const LEFT_OUT = new Set(['name', 'note', 'actions']);

interface ComparePanelProps {
  /** Those of the list; each figure becomes a row. */
  columns: readonly Column<OverviewRow>[];
  rows: readonly OverviewRow[];
}

/** Two to five strategies side by side, a figure a row. */
function ComparePanel({ columns, rows }: ComparePanelProps) {
  if (rows.length === 0) return null;
  if (rows.length === 1) return <p className="soft">再勾选一到四个策略即可对比。</p>;
  const figures = columns.filter(({ key }) => !LEFT_OUT.has(key));
  return (
    <section className={`card ${styles.panel}`} aria-label="对比">
      <header className={styles.tools}>
        <h2>对比</h2>
      </header>
      <PlainTable
        label="对比"
        rowKey="key"
        rows={figures}
        pagination={false}
        columns={[
          { key: 'title', title: '指标', width: 110, fixed: 'left', render: ({ title }) => title },
          ...rows.map((row) => ({
            key: row.id,
            title: `${row.name} · ${row.user}`,
            width: 170,
            figure: true,
            render: (figure: Column<OverviewRow>) => figure.render(row),
          })),
        ]}
      />
    </section>
  );
}

/** Others' strategies that open nothing because what they or their accounts are worth is unknown, by user; one's own are told with what is missing. */
function unvaluedIn(rows: readonly OverviewRow[]): [user: string, strategies: OverviewRow[]][] {
  const found = rows.filter(({ own, heldBack, state }) => !own && heldBack === 'unvalued' && state === 'running');
  return [...new Set(found.map(({ user }) => user))].map((user) => [user, found.filter((row) => row.user === user)]);
}

interface OverviewBannersProps {
  rows: readonly OverviewRow[];
  done: () => void;
}

/** What keeps the caller's account, a user's, or one strategy of anybody from opening, each with the way back. */
function OverviewBanners({ rows, done }: OverviewBannersProps) {
  const { data } = useStops();
  return (
    <div className={styles.banners}>
      {data && <PauseBanners {...data} />}
      {data && <OutageBanner outages={data.outages} />}
      {data && <TroubleBanners troubles={data.troubles} />}
      {data && <UnjudgedBanner strategies={data.unjudged} />}
      {unvaluedIn(rows).map(([user, strategies]) => (
        <UnjudgedBanner key={user} user={user} strategies={strategies} />
      ))}
      {rows
        .filter((row) => row.tripped !== null)
        .map((row) => (
          <TrippedBanner
            key={row.id}
            name={row.name}
            reason={row.tripped ?? ''}
            at={row.trippedAt}
            single={row.single}
            {...(row.own ? { onResume: () => confirmStart(row, done) } : { user: row.user })}
          />
        ))}
    </div>
  );
}
