import type { SpreadCandidate } from '#contract/kinds/spread/scan';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { coinColumn } from '@/scan/coinColumn';
import { obstaclesColumn } from '@/scan/obstaclesColumn';
import { planColumn } from '@/scan/planColumn';
import { RowAge } from '@/scan/RowAge';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { changeColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { LEG_COLUMNS, MORE_COLUMNS } from './legColumns';
import { DIRECTION_LABEL, LIVE, NO_EXPIRY, NO_PRICE, TYPE_LABEL } from './spreadLabels';

type Row = SpreadCandidate;

const BRIEF = '不足 3 天不年化，或这个规模没有完整的价格';

const coin = coinColumn<Row>((row) => row, { width: 88 });

/** Why nothing is said of the basis of the last 90 days. */
const PAST_REASON: Record<Row['past'], string> = {
  known: '现在没有完整的盘口',
  pending: '正在整理两腿的历史，稍候自动出现',
  short: '两腿的共同历史不足 30 天',
};

const z: Column<Row> = {
  ...numberColumn<Row>('z', 'z', {
    width: 72,
    explain: { formula: 'F14：(基差率 − 均值) / 标准差', window: '最近 90 天两腿 4h 收盘', inputAt: LIVE },
  }),
  render: (row) => <Amount value={row.z} digits={2} signed reason={PAST_REASON[row.past]} />,
};

const percentile: Column<Row> = {
  ...percentColumn<Row>('percentile', '历史分位', {
    width: 96,
    digits: 0,
    explain: {
      text: '最近 90 天里不高于现在基差率的占比；季度合约的基差随到期临近自然变小',
      window: '最近 90 天两腿 4h 收盘',
    },
  }),
  render: (row) => <Percent value={row.percentile} digits={0} reason={PAST_REASON[row.past]} />,
};

const age: Column<Row> = {
  ...timeColumn<Row>('quotedAt', '更新', {
    width: 108,
    sort: 'ascend',
    explain: { text: '两腿报价中较旧的一个距现在多久：不足 6 秒为绿点，更久为三角与“未更新”', inputAt: LIVE },
  }),
  render: ({ quotedAt }) => <RowAge quotedAt={quotedAt} />,
};

const main: Column<Row>[] = [
  wordColumn<Row>('source', '交易所', 76, ({ source }) => venueLabel(source)),
  wordColumn<Row>('type', '类型', 96, ({ type }) => TYPE_LABEL[type]),
  wordColumn<Row>('direction', '方向', 96, ({ direction }) => DIRECTION_LABEL[direction], {
    explain: { text: '两个方向中含预期资金费的净收益较高的一个' },
  }),
  changeColumn<Row>('netFundingApr', '净年化', {
    reason: BRIEF,
    explain: {
      formula: 'F26：(F5 开仓 − 预期平仓水平 − 四笔手续费 − 借币 + F29 预期资金费) × 365 / 天数',
      text: '持有到先到期的一腿交割：它以指数价交割，付交割费而不付平仓手续费。预期平仓时现货与永续回到指数价，较远的季度合约保持现在对现货的年化基差；未交割的一腿按现在盘口的滑点离场。没有到期日的按填写的天数。永续腿的资金费从本期预测向最近 30 天的均值回归。',
      inputAt: LIVE,
    },
  }),
  changeColumn<Row>('netFundingAprAtRate', '本期外推', {
    reason: BRIEF,
    explain: { text: '同净年化，但当作永续腿本期的预测费率一直不变：只供对照', inputAt: LIVE },
  }),
  obstaclesColumn(),
  age,
  percentColumn<Row>('basisRate', '基差率', {
    digits: 3,
    signed: true,
    explain: { formula: '远腿中间价 / 近腿中间价 − 1', inputAt: LIVE },
  }),
  percentColumn<Row>('annualised', '年化', {
    signed: true,
    reason: '没有到期日、不足 3 天，或现在没有完整的盘口',
    explain: { formula: 'F4：基差率 × 365 / 剩余天数；跨期用两腿相差的天数', inputAt: LIVE },
  }),
  numberColumn<Row>('days', '剩余天数', { digits: 1, width: 96, sort: 'ascend', reason: NO_EXPIRY }),
  changeColumn<Row>('netApr', '不含资金费', {
    width: 104,
    reason: BRIEF,
    explain: { text: '净年化减去永续腿的预期资金费：只有价差、手续费与借币', inputAt: LIVE },
  }),
  percentColumn<Row>('openEdge', '可成交开仓', {
    digits: 3,
    signed: true,
    width: 112,
    reason: NO_PRICE,
    explain: { formula: 'F5：卖出一腿的成交均价 / 买入一腿的成交均价 − 1', text: '按每腿规模吃单', inputAt: LIVE },
  }),
  percentColumn<Row>('closeLevel', '平仓成本', {
    digits: 3,
    signed: true,
    width: 104,
    sort: 'ascend',
    reason: NO_PRICE,
    explain: { formula: 'F5：买回一腿的成交均价 / 卖出另一腿的成交均价 − 1', text: '现在就平仓的水平', inputAt: LIVE },
  }),
  z,
  percentile,
];

const DECIDING = [
  ...['source', 'type', 'direction', 'netFundingApr', 'netFundingAprAtRate', 'days', 'z', 'depth', 'fees'],
  'obstacles',
];

/** @param plan makes a strategy of a row */
export const spreadColumns = (plan: (row: Row) => void): Column<Row>[] => [
  coin,
  ...decidingFirst([...main, ...LEG_COLUMNS, ...MORE_COLUMNS], DECIDING),
  planColumn(plan),
];
