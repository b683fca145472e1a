import type { FundingCandidate } from '#contract/kinds/fundingRate/scan';
import { Countdown } from '@/components/Countdown';
import { coinColumn } from '@/scan/coinColumn';
import { obstaclesColumn } from '@/scan/obstaclesColumn';
import { planColumn } from '@/scan/planColumn';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { changeColumn, moneyColumn, numberColumn, percentColumn, wordColumn } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';

export const CARRY_LABEL = { carry: '正向', reverse: '反向' } as const;

const LIVE = '最新行情，每 3 秒读取';
const rate = (key: 'settledRate' | 'predictedRate', title: string, text: string) =>
  percentColumn<FundingCandidate>(key, title, { digits: 4, signed: true, explain: { text, inputAt: LIVE } });

const coin = coinColumn<FundingCandidate>((row) => row, { tab: 'funding' });

const nextAt: Column<FundingCandidate> = {
  ...numberColumn<FundingCandidate>('nextAt', '距结算', { width: 96, sort: 'ascend' }),
  render: (row) => <Countdown to={row.nextAt} />,
  written: { instant: 'chosen' },
};

const main: Column<FundingCandidate>[] = [
  wordColumn<FundingCandidate>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  wordColumn<FundingCandidate>('direction', '方向', 76, ({ direction }) => CARRY_LABEL[direction], {
    explain: { text: '正向：买现货、空永续，收正费率。反向：卖现货、多永续，收负费率。' },
  }),
  changeColumn<FundingCandidate>('netApr', '净年化', {
    reason: '这个规模没有完整的价格',
    explain: {
      formula: '(计划内 F29 预期资金费 − 借币 + F5 开仓 − F5 平仓 − 四笔手续费) × 8760 / 计划小时',
      text: '预期费率从本期预测向最近 30 天的均值回归；按现在的盘口吃单进出，基差不变',
      inputAt: LIVE,
    },
  }),
  changeColumn<FundingCandidate>('netAprAtRate', '本期外推', {
    reason: '这个规模没有完整的价格',
    explain: { text: '同净年化，但当作本期预测费率一直不变：费率高时偏乐观，只供对照', inputAt: LIVE },
  }),
  obstaclesColumn(),
  rate('predictedRate', '预测费率', '本期按现在的溢价预测，到结算时定下'),
  rate('settledRate', '上期费率', '上一次结算收付的费率'),
  numberColumn<FundingCandidate>('hours', '间隔 h', { digits: 0, width: 84, sort: 'ascend' }),
  nextAt,
  percentColumn<FundingCandidate>('expectedApr', '预期年化', {
    signed: true,
    explain: { formula: 'F29：计划内预期收到的资金费 × 8760 / 计划小时', inputAt: LIVE },
  }),
  percentColumn<FundingCandidate>('apr', '年化', {
    signed: true,
    explain: { formula: 'F1：预测费率 × 8760 / 间隔小时', inputAt: LIVE },
  }),
  percentColumn<FundingCandidate>('mean7Apr', '7 日均', {
    signed: true,
    explain: { text: '已结算费率的平均，年化', window: '7 天' },
  }),
  percentColumn<FundingCandidate>('mean30Apr', '30 日均', {
    signed: true,
    explain: { text: '已结算费率的平均，年化', window: '30 天' },
  }),
  percentColumn<FundingCandidate>('positiveShare', '正费率占比', {
    digits: 0,
    width: 108,
    explain: { text: '已结算费率中为正的次数占比', window: '30 天' },
  }),
  numberColumn<FundingCandidate>('streak', '连续同号', {
    digits: 0,
    signed: true,
    width: 96,
    explain: { text: '到上一次结算为止连续同号的次数，负数为负费率' },
  }),
  percentColumn<FundingCandidate>('basis', '基差', {
    digits: 3,
    signed: true,
    explain: { formula: '永续中间价 / 现货中间价 − 1', inputAt: LIVE },
  }),
  percentColumn<FundingCandidate>('entryCost', '开仓成本', {
    digits: 3,
    width: 104,
    sort: 'ascend',
    explain: { text: '两腿吃单手续费与滑点（F9），占每腿名义', inputAt: LIVE },
  }),
  numberColumn<FundingCandidate>('breakEven', '回本期数', {
    digits: 0,
    width: 96,
    sort: 'ascend',
    reason: '预期一年内收不回成本',
    explain: { formula: 'F8：预期资金费（F29）减借币的累计第一次不低于开仓 + 平仓成本的结算次数' },
  }),
  numberColumn<FundingCandidate>('breakEvenHours', '回本小时', {
    digits: 1,
    width: 96,
    sort: 'ascend',
    reason: '预期一年内收不回成本',
    explain: { text: '到第 F8 次结算还有多久' },
  }),
];

const more: Column<FundingCandidate>[] = [
  percentColumn<FundingCandidate>('borrowApr', '借币年利', {
    reason: '正向不借币',
    explain: { text: '反向卖出现货所需，已从净年化扣除' },
  }),
  moneyColumn<FundingCandidate>('depth', '5% 深度', {
    explain: { text: '开仓所用两侧盘口中较薄的一侧，最优价 5 % 以内', inputAt: LIVE },
  }),
  moneyColumn<FundingCandidate>('openInterest', '持仓量'),
  moneyColumn<FundingCandidate>('turnover24h', '24h 成交额'),
  numberColumn<FundingCandidate>('adl', 'ADL', {
    digits: 0,
    width: 72,
    sort: 'ascend',
    explain: { text: '自动减仓等级，1 最低，5 最高' },
  }),
  percentColumn<FundingCandidate>('collateralRatio', '抵押率', {
    digits: 1,
    explain: { text: '该币计入保证金的比例' },
  }),
  percentColumn<FundingCandidate>('fundingCap', '费率上限', {
    digits: 2,
    explain: { text: '每次结算的上限，下限为其负数' },
  }),
  percentColumn<FundingCandidate>('exitCost', '平仓成本', {
    digits: 3,
    spare: true,
    explain: { text: '两腿吃单手续费与滑点（F9），占每腿名义', inputAt: LIVE },
  }),
  numberColumn<FundingCandidate>('quantity', '数量', {
    digits: 4,
    spare: true,
    width: 120,
    explain: { text: '两腿同量，按共同步长向下取整' },
  }),
];

const DECIDING = [
  ...['source', 'direction', 'netApr', 'netAprAtRate', 'mean7Apr', 'breakEvenHours', 'entryCost', 'depth'],
  'obstacles',
];

/** @param plan makes a strategy of a row */
export const fundingColumns = (plan: (row: FundingCandidate) => void): Column<FundingCandidate>[] => [
  coin,
  ...decidingFirst([...main, ...more], DECIDING),
  planColumn(plan),
];
