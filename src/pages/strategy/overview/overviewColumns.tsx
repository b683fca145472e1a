import { Checkbox } from 'antd';
import { use } from 'react';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { OverviewRow } from '#contract/strategyOverview';
import { AuthoredNote, authorOf } from '@/components/AuthoredNote';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { Missing } from '@/components/Missing';
import { NoteText } from '@/components/NoteCell';
import { modeLabel } from '@/services/modeLabel';
import { LIMIT_USED, LimitBars } from '@/strategy/LimitBars';
import strategy from '@/strategy/strategy.module.css';
import { STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
import { type Column, drawnFrom } from '@/table/column';
import { wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import type { CardFigure } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { untold } from '@/table/untold';
import { accountText } from './groups';
import { type Hands, ReadAt } from './hands';
import styles from './overview.module.css';
import { RowActions } from './RowActions';
import { Sparkline } from './Sparkline';
import { StateTags } from './StateTags';

const FIGURES = schemaColumns(OverviewRow, {
  inputAt: '',
  widths: { today: 100, exposure: 88, drawdownShare: 80, sharpe: 72 },
  // The deepest first.
  own: [{ key: 'drawdownShare', sort: 'ascend' }],
});

const WEEK: Column<OverviewRow> = {
  key: 'week',
  title: '近 7 日',
  width: 96,
  drawn: true,
  render: drawnFrom(
    ({ week }) => week,
    (week) => <Sparkline values={week} />,
  ),
  explain: { text: '累计净盈亏在最近 7 个 UTC 零点与现在的位置' },
};

/** Figures of a strategy under their titles. @param missing why none of them can be told yet; absent: they can */
export const overviewFigures = (
  row: OverviewRow,
  keys: readonly (keyof OverviewRow)[],
  missing: string | undefined,
): CardFigure[] => {
  const columns = untold([WEEK, ...FIGURES], missing);
  return keys.flatMap((wanted) =>
    columns.filter(({ key }) => key === wanted).map(({ title, render }): CardFigure => [title, render(row)]),
  );
};

/** Ticks a strategy for the comparison. */
export const CompareTick = ({ row: { id, name }, isCompared, mayCompare, compare }: { row: OverviewRow } & Hands) => (
  <Checkbox
    aria-label={`对比 ${name}`}
    checked={isCompared(id)}
    disabled={!mayCompare && !isCompared(id)}
    onChange={() => compare(id)}
  >
    <span className={styles.name} title={name}>
      {name}
    </span>
  </Checkbox>
);

const agoOf = (at: number, instant: number | null): number | null =>
  instant === null ? null : Math.max(0, Math.round((at - instant) / 1000));

const nameColumn = (hands: Hands): Column<OverviewRow> => ({
  key: 'name',
  title: '策略',
  width: 152,
  fixed: 'left',
  sort: 'ascend',
  render: (row) => (
    <div className={styles.nameLine}>
      <CompareTick row={row} {...hands} />
      <div className={`soft one-line ${strategy.below}`} title={row.user}>
        {STRATEGY_KIND_LABEL[row.kind]} · {row.user}
      </div>
    </div>
  ),
  csv: ({ name }) => name,
});

const stateColumn: Column<OverviewRow> = {
  key: 'state',
  title: '状态',
  width: 116,
  sort: 'ascend',
  render: drawnFrom(
    ({ mode, state, tripped, heldBack, unguarded, switchedAt }) => ({
      ...{ mode, state, tripped, heldBack, unguarded, switchedAt },
    }),
    (shown) => (
      <div className={styles.states}>
        <StateTags row={shown} />
      </div>
    ),
  ),
  csv: ({ state, heldBack }) =>
    heldBack !== null && state === 'running'
      ? `${STRATEGY_STATE_LABEL[state]}（${PAIR_BLOCK_LABEL[heldBack]}）`
      : STRATEGY_STATE_LABEL[state],
};

/** Seconds since an engine was last heard of. */
const Heartbeat = ({ last }: { last: number | null }) => agoOf(use(ReadAt), last) ?? <span className="missing">-</span>;

const heartbeatColumn = ({ readAt }: Hands): Column<OverviewRow> => ({
  key: 'heartbeatAt',
  title: '心跳 s',
  width: 76,
  figure: true,
  sort: 'descend',
  render: drawnFrom(
    ({ heartbeatAt }) => heartbeatAt,
    (last) => <Heartbeat last={last} />,
  ),
  csv: ({ heartbeatAt }) => agoOf(readAt(), heartbeatAt),
  explain: { text: '引擎最近一次续约距现在的秒数；没有引擎在交易时为 -' },
});

const accountsColumn: Column<OverviewRow> = {
  key: 'accounts',
  title: '账户',
  width: 160,
  render: drawnFrom(
    ({ accounts }) => accounts,
    (accounts) =>
      accounts.length === 0 ? (
        <Missing reason="参数里还没有交易所" />
      ) : (
        // In one line, so that all rows are of one height.
        <div className="one-line" title={accounts.map(accountText).join('、')}>
          {accounts.map((one, i) => (
            <span key={one.venue}>
              {i > 0 && '、'}
              <span className={one.name === null ? 'missing' : undefined}>{accountText(one)}</span>
            </span>
          ))}
        </div>
      ),
  ),
  csv: ({ accounts }) => accounts.map(accountText).join('、'),
  explain: { text: '按参数要用到的账户；未开户的在账户总览开立' },
};

const noteColumn = ({ notes }: Hands): Column<OverviewRow> => ({
  key: 'note',
  title: '备注',
  width: 420,
  render: (row) => (
    <div className={styles.noteLine}>
      {row.own ? (
        <AuthoredNote label={`${row.name} 的备注`} row={row} notes={notes} />
      ) : (
        <div>
          <NoteText note={row.note} placeholder="-" />
          {row.note !== '' && <small className="soft">{authorOf(row)}</small>}
        </div>
      )}
    </div>
  ),
  csv: ({ note }) => note,
});

const DECIDING = ['name', 'state', 'net', 'today', 'week', 'roi', 'exposure', 'drawdownShare', 'limitUsed', 'sharpe'];

/** How the strategies are shown. @param missing why no figure of theirs can be told yet; absent: they can */
export const overviewColumns = (hands: Hands, missing?: string): Column<OverviewRow>[] =>
  untold(decidingFirst(everyColumn(hands), DECIDING), missing);

const everyColumn = (hands: Hands): Column<OverviewRow>[] => [
  nameColumn(hands),
  wordColumn<OverviewRow>('kind', '类型', 88, ({ kind }) => STRATEGY_KIND_LABEL[kind]),
  wordColumn<OverviewRow>('user', '用户', 72, ({ user }) => user),
  stateColumn,
  WEEK,
  ...FIGURES.filter(({ key }) => key !== 'errors24h'),
  accountsColumn,
  wordColumn<OverviewRow>('mode', '模式', 72, ({ mode }) => modeLabel(mode)),
  heartbeatColumn(hands),
  ...FIGURES.filter(({ key }) => key === 'errors24h'),
  noteColumn(hands),
  LIMIT_USED,
  { key: 'limits', title: '限额', width: 500, drawn: true, render: (row) => <LimitBars row={row} /> },
  {
    key: 'actions',
    title: '操作',
    width: 166,
    fixed: 'right',
    render: drawnFrom(
      ({ own, kind, state, name, user, running, tripped, unguarded }) => ({
        ...{ own, kind, state, name, user, running, tripped, unguarded },
      }),
      (_shown, now) => <RowActions now={now} {...hands} />,
    ),
  },
];
