import type { CexRateCandidate } from '#contract/kinds/cexRate/scan';
import { Countdown } from '@/components/Countdown';
import { OBSTACLE_LABEL } from '@/components/labels';
import { coinColumn } from '@/scan/coinColumn';
import { ObstacleTags } from '@/scan/ObstacleTags';
import { planColumn } from '@/scan/planColumn';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { changeColumn, moneyColumn, numberColumn, percentColumn, wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { NoteTags, RATE_NOTE_LABEL } from './NoteTags';

type Row = CexRateCandidate;

const LIVE = '最新行情，每 3 秒读取';
const NO_PRICE = '这个规模没有完整的价格';

const rate = (key: 'longRate' | 'shortRate', title: string, text: string) =>
  percentColumn<Row>(key, title, { digits: 4, signed: true, explain: { text, inputAt: LIVE } });

const settlement = (key: 'longNextAt' | 'shortNextAt', title: string): Column<Row> => ({
  ...numberColumn<Row>(key, title, { width: 112, sort: 'ascend' }),
  render: (row) => <Countdown to={row[key]} />,
  written: { instant: 'chosen' },
});

const coin = coinColumn<Row>(({ long, longSymbol }) => ({ source: long, perpetual: longSymbol }), { tab: 'funding' });

const obstacles: Column<Row> = {
  key: 'obstacles',
  title: '可行性',
  width: 136,
  render: (row) => (
    <>
      <ObstacleTags obstacles={row.obstacles} /> <NoteTags notes={row.notes} />
    </>
  ),
  csv: (row) =>
    [...row.obstacles.map((one) => OBSTACLE_LABEL[one][0]), ...row.notes.map((one) => RATE_NOTE_LABEL[one][0])].join(
      ' ',
    ),
};

const made: Column<Row>[] = [
  wordColumn<Row>('long', '做多所', 76, ({ long }) => venueLabel(long)),
  wordColumn<Row>('short', '做空所', 76, ({ short }) => venueLabel(short)),
  changeColumn<Row>('netApr', '净年化', {
    reason: NO_PRICE,
    explain: {
      formula: 'F7：(空方预期资金费 − 多方预期资金费 − 手续费 + F5 开仓价差 − 平仓价差) × 8760 / 持有小时',
      text: '预期资金费（F29）：各所从本期预测费率向最近 30 天的均值回归，按自己的结算时刻计次数；盘口取现在的；手续费与平仓价差按上方的假设：计入平仓取现在的 F5，展期不计取两所中间价之差',
      inputAt: LIVE,
    },
  }),
  changeColumn<Row>('netAprAtRate', '本期外推', {
    reason: NO_PRICE,
    explain: { text: '同净年化，但当作两所本期的预测费率一直不变：只供对照', inputAt: LIVE },
  }),
  obstacles,
];

const rates: Column<Row>[] = [
  rate('longRate', '多方费率', '做多所本期的预测费率，为负时多方收'),
  rate('shortRate', '空方费率', '做空所本期的预测费率，为正时空方收'),
  numberColumn<Row>('longHours', '多方间隔 h', { digits: 0, width: 100, sort: 'ascend' }),
  numberColumn<Row>('shortHours', '空方间隔 h', { digits: 0, width: 100, sort: 'ascend' }),
  percentColumn<Row>('rateGap', '费率差 / 8h', {
    digits: 4,
    signed: true,
    width: 112,
    explain: { formula: '(空方费率 / 空方间隔 − 多方费率 / 多方间隔) × 8', inputAt: LIVE },
  }),
  percentColumn<Row>('grossApr', '毛年化', {
    signed: true,
    explain: { formula: 'F7：8760 × (空方费率 / 空方间隔 − 多方费率 / 多方间隔)', inputAt: LIVE },
  }),
];

const costs: Column<Row>[] = [
  percentColumn<Row>('fees', '双边手续费', {
    digits: 3,
    width: 108,
    sort: 'ascend',
    explain: { text: '按上方的开仓方式、平仓成本与费率等级：计入平仓为四笔，展期不计为两笔，占每腿名义' },
  }),
  percentColumn<Row>('openEdge', '价差', {
    digits: 3,
    signed: true,
    reason: NO_PRICE,
    explain: { formula: 'F5：做空所卖出均价 / 做多所买入均价 − 1', text: '按规模吃单，滑点已在其中', inputAt: LIVE },
  }),
  numberColumn<Row>('paybackDays', '回本天数', {
    digits: 1,
    width: 96,
    sort: 'ascend',
    reason: '一年之内付不清成本，或没有完整的价格',
    explain: { text: '到付清所计手续费与价差的那次结算还有几天，各所按自己的结算时刻' },
  }),
  moneyColumn<Row>('capacity', '可容纳规模', {
    width: 108,
    reason: '没有完整的盘口',
    explain: { text: '按上方的假设，净年化不低于筛选下限（没有则为 0）的最大每腿规模，最多 1000 万', inputAt: LIVE },
  }),
  moneyColumn<Row>('openInterest', '持仓量', { explain: { text: '两所中较小的一个' } }),
  settlement('longNextAt', '多方距结算'),
  settlement('shortNextAt', '空方距结算'),
  changeColumn<Row>('replay', '7 日重放', {
    reason: '7 天内的结算不齐，或没有完整的价格',
    explain: {
      formula: '空方已结算费率之和 − 多方已结算费率之和 − 成本',
      text: '占每腿名义，不是年化；成本按上方的假设与现在的盘口',
      window: '7 天',
    },
  }),
];

const spare: Column<Row>[] = [
  percentColumn<Row>('closeLevel', '平仓价差', {
    digits: 3,
    signed: true,
    spare: true,
    sort: 'ascend',
    reason: NO_PRICE,
    explain: { formula: 'F5：做空所买回均价 / 做多所卖出均价 − 1', inputAt: LIVE },
  }),
  numberColumn<Row>('quantity', '数量', {
    digits: 4,
    spare: true,
    width: 120,
    explain: { text: '两腿同量，按共同步长向下取整' },
  }),
];

const DECIDING = ['long', 'short', 'netApr', 'netAprAtRate', 'replay', 'paybackDays', 'capacity', 'fees', 'obstacles'];

/** @param plan makes a strategy of a row */
export const pairColumns = (plan: (row: Row) => void): Column<Row>[] => [
  coin,
  ...decidingFirst([...made, ...rates, ...costs, ...spare], DECIDING),
  planColumn(plan),
];
