import { Checkbox } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { AuthoredNote, authorOf } from '@/components/AuthoredNote';
import { HELD_BRIEFLY, PAIR_BLOCK_LABEL } from '@/components/labels';
import { Missing } from '@/components/Missing';
import { NoteText } from '@/components/NoteCell';
import { KINDS } from '@/kinds';
import { STRATEGY_MODE_LABEL, STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
import type { Column } from '@/table/column';
import { changeColumn, gainColumn, moneyColumn, numberColumn, percentColumn, wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { accountText } from './groups';
import type { Hands } from './hands';
import { LimitBars } from './LimitBars';
import styles from './overview.module.css';
import { RowActions } from './RowActions';
import { Sparkline } from './Sparkline';
import { StateTags } from './StateTags';

export const NO_PRICE = '持有的标的没有价格';
export const NOTHING_HELD = '还没有持有过';

/** Ticks a strategy for the comparison. */
export const CompareTick = ({ row: { id, name }, isCompared, mayCompare, compare }: { row: OverviewRow } & Hands) => (
  <Checkbox
    aria-label={`对比 ${name}`}
    checked={isCompared(id)}
    disabled={!mayCompare && !isCompared(id)}
    onChange={() => compare(id)}
  >
    <span className={styles.name}>{name}</span>
  </Checkbox>
);

const agoOf = (at: number, instant: number | null): number | null =>
  instant === null ? null : Math.max(0, Math.round((at - instant) / 1000));

const nameColumn = (hands: Hands): Column<OverviewRow> => ({
  key: 'name',
  title: '策略',
  width: 150,
  fixed: 'left',
  sort: 'ascend',
  render: (row) => <CompareTick row={row} {...hands} />,
  csv: ({ name }) => name,
});

const stateColumn = ({ at }: Hands): Column<OverviewRow> => ({
  key: 'state',
  title: '状态',
  width: 124,
  sort: 'ascend',
  render: (row) => <StateTags row={row} at={at} />,
  csv: ({ state, heldBack }) =>
    heldBack !== null && state === 'running'
      ? `${STRATEGY_STATE_LABEL[state]}（${PAIR_BLOCK_LABEL[heldBack]}）`
      : STRATEGY_STATE_LABEL[state],
});

const heartbeatColumn = ({ at }: Hands): Column<OverviewRow> => ({
  key: 'heartbeatAt',
  title: '心跳 s',
  width: 76,
  figure: true,
  sort: 'descend',
  render: ({ heartbeatAt }) => agoOf(at, heartbeatAt) ?? <span className="missing">-</span>,
  csv: ({ heartbeatAt }) => agoOf(at, heartbeatAt),
  explain: { text: '引擎最近一次续约距现在的秒数；没有引擎在交易时为 -' },
});

const accountsColumn: Column<OverviewRow> = {
  key: 'accounts',
  title: '账户',
  width: 132,
  render: ({ accounts }) =>
    accounts.length === 0 ? (
      <Missing reason="参数里还没有交易所" />
    ) : (
      accounts.map((one) => (
        <div key={one.venue} className={one.name === null ? 'missing' : undefined}>
          {accountText(one)}
        </div>
      ))
    ),
  csv: ({ accounts }) => accounts.map(accountText).join('、'),
  explain: { text: '按参数要用到的账户；未开户的在账户总览开立' },
};

const noteColumn = ({ notes }: Hands): Column<OverviewRow> => ({
  key: 'note',
  title: '备注',
  width: 320,
  render: (row) =>
    row.own ? (
      <AuthoredNote label={`${row.name} 的备注`} row={row} notes={notes} />
    ) : (
      <>
        <NoteText note={row.note} placeholder="-" />
        {row.note !== '' && <small className="soft">{authorOf(row)}</small>}
      </>
    ),
  csv: ({ note }) => note,
});

const DECIDING = ['name', 'kind', 'user', 'state', 'net', 'today', 'roi', 'exposure', 'drawdownShare'];

/** How the strategies are shown. */
export const overviewColumns = (hands: Hands): Column<OverviewRow>[] => decidingFirst(everyColumn(hands), DECIDING);

const everyColumn = (hands: Hands): Column<OverviewRow>[] => [
  nameColumn(hands),
  wordColumn<OverviewRow>('kind', '类型', 96, ({ kind }) => KINDS[kind].label),
  wordColumn<OverviewRow>('user', '用户', 84, ({ user }) => user),
  stateColumn(hands),
  {
    key: 'week',
    title: '近 7 日',
    width: 108,
    render: ({ week }) => <Sparkline values={week} />,
    explain: { text: '累计净盈亏在最近 7 个 UTC 零点与现在的位置' },
  },
  gainColumn<OverviewRow>('today', '今日盈亏', { reason: NO_PRICE, explain: { text: '自 UTC 零点，含浮动盈亏' } }),
  gainColumn<OverviewRow>('net', '累计盈亏', {
    reason: NO_PRICE,
    explain: { formula: '价格盈亏 + 资金费 − 手续费', text: 'USDT，自创建以来' },
  }),
  changeColumn<OverviewRow>('roi', '收益率', {
    width: 100,
    reason: NOTHING_HELD,
    explain: { formula: '累计盈亏 / 平均占用本金', text: 'F12' },
  }),
  changeColumn<OverviewRow>('apr', '年化', {
    width: 100,
    reason: HELD_BRIEFLY,
    explain: { formula: '累计盈亏 / Σ(占用本金 × 天数) × 365', text: 'F12' },
  }),
  moneyColumn<OverviewRow>('capital', '占用本金', { explain: { text: 'F12：衍生品腿的保证金与现货的成本' } }),
  moneyColumn<OverviewRow>('notional', '名义', { reason: NO_PRICE }),
  numberColumn<OverviewRow>('exposure', '净敞口', {
    reason: NO_PRICE,
    digits: 2,
    width: 104,
    explain: { text: 'F10，USDT' },
  }),
  gainColumn<OverviewRow>('funding', '资金费'),
  numberColumn<OverviewRow>('fees', '手续费', { digits: 2 }),
  percentColumn<OverviewRow>('drawdownShare', '回撤', {
    reason: NOTHING_HELD,
    explain: { text: '自 30 日内最高累计盈亏的回落，占平均占用本金' },
  }),
  numberColumn<OverviewRow>('sharpe', '夏普 30d', {
    digits: 2,
    reason: '不足 20 日',
    explain: { text: 'F19，日盈亏' },
  }),
  percentColumn<OverviewRow>('winRate', '胜率', { digits: 0, width: 76, reason: '不足 10 张' }),
  numberColumn<OverviewRow>('turnover', '当日换手', {
    digits: 2,
    reason: NOTHING_HELD,
    explain: { text: 'F22：今日成交名义 / 平均占用本金' },
  }),
  numberColumn<OverviewRow>('running', '持有', { digits: 0, width: 68 }),
  accountsColumn,
  wordColumn<OverviewRow>('mode', '模式', 72, ({ mode }) => STRATEGY_MODE_LABEL[mode]),
  heartbeatColumn(hands),
  numberColumn<OverviewRow>('errors24h', '错误 24h', { digits: 0, width: 108 }),
  noteColumn(hands),
  { key: 'limits', title: '限额', width: 500, render: (row) => <LimitBars row={row} /> },
  {
    key: 'actions',
    title: '操作',
    width: 180,
    fixed: 'right',
    render: (row) => <RowActions row={row} {...hands} />,
  },
];
