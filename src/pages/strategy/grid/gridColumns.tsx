import type { GridCandidate } from '#contract/kinds/grid/scan';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { coinColumn } from '@/scan/coinColumn';
import { obstaclesColumn } from '@/scan/obstaclesColumn';
import { planColumn } from '@/scan/planColumn';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { changeColumn, moneyColumn, numberColumn, percentColumn, priceColumn, wordColumn } from '@/table/columns';
import { asWritten } from '@/table/written';
import { LIVE, MARKET_LABEL, NO_ADL, NO_FUNDING } from './gridLabels';
import { RangeBar } from './RangeBar';

type Row = GridCandidate;

/** Why nothing is said of the hours before. */
const PAST_REASON: Record<Row['past'], string> = {
  known: '没有费率或步长',
  pending: '正在读取历史，稍候自动出现',
  short: '历史不足 3 天',
};
const HOURS = '区间天数内的小时 K 线';

/** What hangs on the hours says why it is missing. */
const past = (column: Column<Row>, render: (row: Row, reason: string) => React.ReactNode): Column<Row> => ({
  ...column,
  render: (row) => render(row, PAST_REASON[row.past]),
});

const COLUMNS: Column<Row>[] = [
  coinColumn<Row>(({ source, market, symbol }) => ({ source, perpetual: market === 'spot' ? null : symbol }), {
    width: 92,
  }),
  wordColumn<Row>('market', '市场', 68, ({ market }) => MARKET_LABEL[market]),
  wordColumn<Row>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  priceColumn<Row>('price', '现价'),
  {
    ...past(numberColumn<Row>('position', '区间', { width: 210, sort: 'ascend' }), (row, reason) => (
      <RangeBar {...row} reason={reason} />
    )),
    explain: { text: '自动区间与现价的位置；N 日高低，或最后收盘上下各 3 个日均波幅（ATR）', window: HOURS },
    csv: ({ lower, upper }) => [lower, upper].map((bound) => asWritten(bound, 'price') ?? '').join('-'),
  },
  changeColumn<Row>('gridApr', '网格年化', {
    reason: '历史还没有读完',
    width: 104,
    explain: {
      formula: '每日网格利润 × 365 / 规模',
      text: '只是网格利润，不含浮动盈亏与资金费；区间与次数取自同一段历史，偏乐观',
      window: HOURS,
    },
  }),
  numberColumn<Row>('dailyPairs', '预计每日成交', {
    digits: 1,
    width: 116,
    reason: '历史还没有读完',
    explain: { text: '每天完成的配对次数：按小时 K 线重放，每根每格最多走一步，偏低', window: HOURS },
  }),
  percentColumn<Row>('profit', '每格净利', {
    digits: 3,
    reason: '历史还没有读完',
    explain: {
      formula: 'F27：(卖 × (1 − 费) − 买 × (1 + 费)) / 买',
      text: '最窄一格，两笔都是挂单；现货买入的手续费从币里扣（F28）',
      inputAt: LIVE,
    },
  }),
  percentColumn<Row>('step', '间距', { digits: 3, width: 84, reason: '历史还没有读完' }),
  // What is still being read lacks nothing.
  obstaclesColumn((row) => (row.past === 'pending' ? PAST_REASON.pending : undefined)),
  percentColumn<Row>('volatility', '波动', {
    digits: 0,
    width: 76,
    reason: '历史还没有读完',
    explain: { text: '小时对数收益的标准差 × √8760', window: HOURS },
  }),
  percentColumn<Row>('width', '区间宽', { digits: 1, width: 84, reason: '历史还没有读完' }),
  percentColumn<Row>('inRange', '区间内', {
    digits: 0,
    width: 84,
    reason: '历史还没有读完',
    explain: { text: '收盘价在区间内的小时占比', window: HOURS },
  }),
  {
    ...numberColumn<Row>('dailyNet', '每日网格利润', { width: 120 }),
    render: (row) => <Amount value={row.dailyNet} unit="USDT" reason={PAST_REASON[row.past]} />,
  },
  {
    ...percentColumn<Row>('fundingApr', '资金费年化', {
      signed: true,
      width: 104,
      sort: 'ascend',
      explain: { formula: 'F1', text: '正数多头付出、空头收取；现货没有', inputAt: LIVE },
    }),
    render: ({ fundingApr, market }) => (
      <Percent value={fundingApr} signed reason={market === 'spot' ? NO_FUNDING : '没有费率'} />
    ),
  },
  moneyColumn<Row>('depth', '5% 深度', { digits: 0, width: 104, reason: '没有盘口' }),
  moneyColumn<Row>('turnover24h', '24h 成交额', { digits: 0, width: 116 }),
  {
    ...numberColumn<Row>('adl', 'ADL', { digits: 0, width: 64, sort: 'ascend' }),
    render: ({ adl, market }) => <Amount value={adl} digits={0} reason={market === 'spot' ? NO_ADL : undefined} />,
  },
];

/** @param plan makes a strategy of a row */
export const gridColumns = (plan: (row: Row) => void): Column<Row>[] => [...COLUMNS, planColumn(plan)];
