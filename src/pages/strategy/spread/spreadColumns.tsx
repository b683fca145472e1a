import { Link } from '@umijs/max';
import type { SimulatedSource } from '#contract/candle';
import type { SpreadCandidate, SpreadDirection, SpreadType } from '#contract/spreadScan';
import { Amount } from '@/components/Amount';
import { OBSTACLE_LABEL, VENUE_LABEL } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { ObstacleTags } from '@/scan/ObstacleTags';
import type { Column } from '@/table/column';
import {
  changeColumn,
  moneyColumn,
  numberColumn,
  percentColumn,
  priceColumn,
  timeColumn,
  wordColumn,
} from '@/table/columns';

type Row = SpreadCandidate;

export const TYPE_LABEL: Record<SpreadType, string> = {
  spotPerpetual: '现货 · 永续',
  spotFuture: '期现',
  perpetualFuture: '永续 · 季度',
  nearFar: '跨期',
};
const DIRECTION_LABEL: Record<SpreadDirection, string> = { sellFar: '卖远买近', buyFar: '买远卖近' };

const LIVE = '最新行情，每 3 秒读取';
const NO_PRICE = '这个规模没有完整的价格';
const NO_EXPIRY = '两腿都没有到期日';
const BRIEF = '不足 3 天不年化，或这个规模没有完整的价格';
const venueOf = ({ source }: Row) => VENUE_LABEL[source as SimulatedSource] ?? source;

const coin: Column<Row> = {
  key: 'base',
  title: '币种',
  width: 88,
  sort: 'ascend',
  fixed: 'left',
  render: ({ base, source }) => (
    <Link to={`/indicator/symbol/detail/${encodeURIComponent(`${base}USDT`)}?source=${source}`}>{base}</Link>
  ),
  csv: ({ base }) => base,
};

const obstacles: Column<Row> = {
  key: 'obstacles',
  title: '能不能做',
  width: 188,
  render: (row) => <ObstacleTags obstacles={row.obstacles} />,
  csv: (row) => row.obstacles.map((one) => OBSTACLE_LABEL[one][0]).join(' '),
};

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
    explain: {
      text: '最近 90 天里不高于现在基差率的占比；季度合约的基差随到期临近自然变小',
      window: '最近 90 天两腿 4h 收盘',
    },
  }),
  render: (row) => <Percent value={row.percentile} digits={0} reason={PAST_REASON[row.past]} />,
};

const main: Column<Row>[] = [
  wordColumn<Row>('source', '交易所', 76, venueOf),
  wordColumn<Row>('type', '类型', 96, ({ type }) => TYPE_LABEL[type]),
  wordColumn<Row>('direction', '方向', 96, ({ direction }) => DIRECTION_LABEL[direction], {
    explain: { text: '两个方向中净收益较高的一个' },
  }),
  changeColumn<Row>('netApr', '净年化', {
    reason: BRIEF,
    explain: {
      formula: 'F26：(F5 开仓 − 预期平仓水平 − 四笔手续费 − 借币) × 365 / 天数',
      text: '持有到先到期的一腿交割：它以指数价交割，付交割费而不付平仓手续费。预期平仓时现货与永续回到指数价，较远的季度合约保持现在对现货的年化基差；未交割的一腿按现在盘口的滑点离场。没有到期日的按填写的天数。不含持有期间的资金费。',
      inputAt: LIVE,
    },
  }),
  changeColumn<Row>('netFundingApr', '含资金费', {
    width: 100,
    reason: BRIEF,
    explain: {
      text: '净年化加上永续腿在这个方向收付的资金费年化（F1，预测费率不变）；没有永续腿时就是净年化',
      inputAt: LIVE,
    },
  }),
  obstacles,
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

const legs: Column<Row>[] = [
  wordColumn<Row>('near', '近腿', 136, ({ near }) => near),
  wordColumn<Row>('far', '远腿', 152, ({ far }) => far),
  timeColumn<Row>('expiresAt', '到期日', { reason: NO_EXPIRY, sort: 'ascend' }),
  priceColumn<Row>('nearBid', '近 买'),
  priceColumn<Row>('nearAsk', '近 卖'),
  priceColumn<Row>('farBid', '远 买'),
  priceColumn<Row>('farAsk', '远 卖'),
  priceColumn<Row>('basis', '基差', {
    csvTitle: '基差 (USDT)',
    explain: { text: '远腿中间价 − 近腿中间价，USDT', inputAt: LIVE },
  }),
];

const more: Column<Row>[] = [
  moneyColumn<Row>('depth', '5% 深度', {
    explain: { text: '开仓所用两侧盘口中较薄的一侧，最优价 5 % 以内', inputAt: LIVE },
  }),
  moneyColumn<Row>('turnover24h', '24h 成交额', { explain: { text: '成交较少的一腿' }, width: 116 }),
  percentColumn<Row>('fundingApr', '资金费年化', {
    signed: true,
    width: 112,
    reason: '没有永续腿',
    explain: { formula: 'F1：永续预测费率 × 8760 / 间隔小时', text: '正数为这个方向收；未计入净年化', inputAt: LIVE },
  }),
  percentColumn<Row>('net', '净收益', {
    digits: 3,
    signed: true,
    spare: true,
    reason: NO_PRICE,
    explain: { text: '净年化的分子：到期或计划天数之后的净收益，未年化' },
  }),
  percentColumn<Row>('expectedLevel', '预期平仓', {
    digits: 3,
    signed: true,
    spare: true,
    reason: NO_PRICE,
    width: 104,
  }),
  percentColumn<Row>('fees', '四笔手续费', { digits: 3, spare: true, width: 112 }),
  percentColumn<Row>('borrowApr', '借币年利', {
    spare: true,
    reason: '不先卖现货，不借币',
    explain: { text: '先卖现货所需，已从净年化扣除' },
  }),
  priceColumn<Row>('spread', '可成交价差', {
    spare: true,
    width: 112,
    csvTitle: '可成交价差 (USDT)',
    explain: { formula: 'F6：卖远买近为远买 − 近卖；买远卖近为近买 − 远卖', text: '按最优价，USDT', inputAt: LIVE },
  }),
  percentColumn<Row>('spreadShare', '可成交价差率', {
    digits: 3,
    signed: true,
    spare: true,
    width: 120,
    explain: { text: 'F6 占近腿中间价' },
  }),
  numberColumn<Row>('quantity', '数量', {
    digits: 4,
    spare: true,
    width: 120,
    explain: { text: '两腿同量，按共同步长向下取整' },
  }),
];

export const SPREAD_COLUMNS: Column<Row>[] = [coin, ...main, ...legs, ...more];
