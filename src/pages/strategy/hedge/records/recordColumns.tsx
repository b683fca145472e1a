import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { Amount } from '@/components/Amount';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL, HELD_BRIEFLY } from '@/components/labels';
import type { Column } from '@/table/column';
import { changeColumn, gainColumn, numberColumn, percentColumn, priceColumn, timeColumn } from '@/table/columns';
import { HedgeLimits } from '../HedgeLimits';
import { HedgeNote } from '../HedgeNote';
import { PairCell } from '../PairCell';
import { RowActions } from '../RowActions';

type MoneyKey = 'longPnl' | 'shortPnl' | 'funding' | 'net' | 'mae' | 'mfe';
type Rest = Partial<Column<HedgeRow>> & { reason?: string };

const NO_MARK = '持有中而没有标记价';

const pnlColumn = (key: MoneyKey, title: string, rest: Rest = {}): Column<HedgeRow> =>
  gainColumn<HedgeRow>(key, title, { reason: NO_MARK, csvTitle: `${title} (USDT)`, ...rest });

const costColumn = (key: 'fees' | 'slippage', title: string, text: string): Column<HedgeRow> =>
  numberColumn<HedgeRow>(key, title, { width: 92, money: true, csvTitle: `${title} (USDT)`, explain: { text } });

const quantity = (key: 'longQuantity' | 'shortQuantity', title: string): Column<HedgeRow> => ({
  key,
  title,
  width: 112,
  figure: true,
  spare: true,
  explain: { text: '基础币；已平仓时为开过的最大数量' },
  render: (row) => <span className="figure">{row[key]}</span>,
  csv: (row) => row[key],
});

const pair: Column<HedgeRow> = {
  key: 'long',
  title: '多 / 空',
  width: 168,
  sort: 'ascend',
  fixed: 'left',
  render: (row) => <PairCell long={row.long} short={row.short} source={row.source} />,
  csv: (row) => row.long,
  csvTitle: '多头',
};

const short: Column<HedgeRow> = {
  key: 'short',
  title: '空头',
  width: 120,
  sort: 'ascend',
  spare: true,
  render: (row) => row.short,
  csv: (row) => row.short,
};

const state: Column<HedgeRow> = {
  key: 'state',
  title: '状态',
  width: 132,
  sort: 'ascend',
  render: (row) => <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />,
  csv: (row) => HEDGE_STATE_LABEL[row.state],
};

const limits: Column<HedgeRow> = {
  key: 'limits',
  title: '距止损 / 止盈 / 到期',
  width: 168,
  explain: { text: '止损、止盈按净盈亏 / 名义，到期按最长持有；由服务器计算，已结束的没有' },
  render: (row) => <HedgeLimits row={row} />,
};
const left = (key: 'stop' | 'target' | 'longest', title: string, unit: string): Column<HedgeRow> => ({
  key,
  title,
  width: 96,
  figure: true,
  sort: 'ascend',
  spare: true,
  render: (row) => (
    <Amount value={row[key]?.left} digits={key === 'longest' ? 1 : 2} reason="未设置、没有价格或已结束" />
  ),
  csv: (row) => row[key]?.left ?? null,
  written: { digits: key === 'longest' ? 1 : 2 },
  csvTitle: `${title} (${unit})`,
});

const reason: Column<HedgeRow> = {
  key: 'closeReason',
  title: '平仓原因',
  width: 100,
  sort: 'ascend',
  render: (row) =>
    row.closeReason === null ? <span className="missing">-</span> : CLOSE_REASON_LABEL[row.closeReason],
  csv: (row) => row.closeReason && CLOSE_REASON_LABEL[row.closeReason],
};

const held: Column<HedgeRow> = {
  ...numberColumn<HedgeRow>('heldHours', '持有', { width: 88, digits: 1, csvTitle: '持有 (小时)' }),
  render: (row) => <Amount value={row.heldHours} digits={1} unit="h" reason="还没有开仓" />,
};

const note: Column<HedgeRow> = {
  key: 'note',
  title: '备注',
  width: 200,
  render: (row) => <HedgeNote row={row} />,
  csv: (row) => row.note,
};

const text = (key: 'id' | 'source' | 'noteBy', title: string, width: number): Column<HedgeRow> => ({
  key,
  title,
  width,
  spare: true,
  render: (row) => row[key] ?? '',
  csv: (row) => row[key],
});

const actions: Column<HedgeRow> = {
  key: 'actions',
  title: '操作',
  width: 240,
  fixed: 'right',
  render: (row) => <RowActions row={row} withDetail />,
};

/** The records' columns; those of the default set first. */
export const RECORD_COLUMNS: Column<HedgeRow>[] = [
  pair,
  state,
  pnlColumn('net', '净盈亏', { explain: { formula: '多头价格盈亏 + 空头价格盈亏 + 资金费 − 手续费', text: 'USDT' } }),
  changeColumn<HedgeRow>('netReturn', '收益率（按名义）', {
    width: 148,
    reason: NO_MARK,
    explain: { formula: '净盈亏 / 两边开仓名义之和', text: '与止损、止盈同一基准' },
  }),
  changeColumn<HedgeRow>('marginReturn', '收益率（按保证金）', {
    width: 164,
    reason: NO_MARK,
    explain: { formula: '净盈亏 / 两边保证金（F12）' },
  }),
  limits,
  numberColumn<HedgeRow>('notional', '名义', {
    width: 104,
    money: true,
    csvTitle: '名义 (USDT)',
    explain: { text: '两边开仓名义之和，USDT' },
  }),
  priceColumn<HedgeRow>('ratioOpen', '开仓比价', {
    reason: '还没有建成',
    explain: { formula: '多头开仓均价 / 空头开仓均价' },
  }),
  priceColumn<HedgeRow>('ratioNow', '现比价', {
    reason: NO_MARK,
    explain: { formula: '多头现价 / 空头现价；已平仓时为平仓均价之比' },
  }),
  numberColumn<HedgeRow>('zOpen', 'z 开', { width: 76, reason: '共同历史不足' }),
  numberColumn<HedgeRow>('z', 'z 现', {
    width: 76,
    reason: '共同历史不足',
    explain: { text: '按开仓时设置的 z 周期与窗口，b 见详情；已平仓时为平仓时的 z' },
  }),
  pnlColumn('funding', '资金费', { explain: { text: '收到为正，USDT' } }),
  costColumn('fees', '手续费', '付出为正，USDT'),
  held,
  reason,
  timeColumn<HedgeRow>('openedAt', '开仓时间', { reason: '还没有建成' }),
  note,
  timeColumn<HedgeRow>('closedAt', '平仓时间', { spare: true, reason: '还没有平仓' }),
  pnlColumn('longPnl', '多头盈亏', { spare: true, explain: { text: '价格盈亏，USDT' } }),
  pnlColumn('shortPnl', '空头盈亏', { spare: true, explain: { text: '价格盈亏，USDT' } }),
  { ...costColumn('slippage', '滑点', '相对决策时的中间价，已含在价格盈亏里，USDT'), spare: true },
  percentColumn<HedgeRow>('neutrality', '中性度', {
    spare: true,
    reason: '没有持仓',
    explain: { formula: '净敞口 / 总敞口；0 为中性' },
  }),
  changeColumn<HedgeRow>('annualised', '年化（按保证金）', {
    spare: true,
    width: 140,
    reason: HELD_BRIEFLY,
    explain: { formula: '收益率（按保证金）× 365 / 持有天数' },
  }),
  pnlColumn('mae', '最大浮亏', { spare: true, reason: '还没有持有', explain: { text: 'MAE，USDT' } }),
  pnlColumn('mfe', '最大浮盈', { spare: true, reason: '还没有持有', explain: { text: 'MFE，USDT' } }),
  numberColumn<HedgeRow>('naked', '单腿敞口×时间 (USDT·s)', {
    spare: true,
    width: 196,
    digits: 0,
    explain: { text: '只有一边有持仓时的敞口 × 时间，USDT × 秒' },
  }),
  left('stop', '距止损', 'USDT'),
  left('target', '距止盈', 'USDT'),
  left('longest', '距到期', '小时'),
  quantity('longQuantity', '多头数量'),
  quantity('shortQuantity', '空头数量'),
  timeColumn<HedgeRow>('createdAt', '创建时间', { spare: true }),
  short,
  text('source', '数据源', 100),
  text('id', '编号', 200),
  text('noteBy', '备注人', 96),
  actions,
];
