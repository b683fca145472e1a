import { Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import {
  AmongFirst,
  AtLeast,
  AtMost,
  Change,
  Choice,
  ChoiceFilter,
  Cost,
  Countdown,
  Figure,
  Flag,
  Money,
  Percent,
  shown,
  Venue,
  VenueFilter,
} from '../../field';
import { ACTIONABLE, capitalApr, NO_FULL_PRICE, Obstacles, replaysOnCapital, scanQuery, scanRows } from '../../scan';
import { DEFAULT_FUNDING } from './params';

/** `carry` holds the coin against a short perpetual, `reverse` is the other way round. */
export const CARRY_LABEL = { carry: '正向', reverse: '反向' } as const;
export type CarryDirection = keyof typeof CARRY_LABEL;

const NO_PAYBACK = '预期一年内收不回成本';

export const FundingCandidate = Obj({
  id: Str({ description: '数据源与币种' }),
  base: Str(),
  spot: Str({ description: '现货代码' }),
  perpetual: Str({ description: '永续代码' }),
  source: Venue('交易所'),
  direction: Choice(CARRY_LABEL, '方向', { text: '正向：买现货、空永续，收正费率。反向：卖现货、多永续，收负费率。' }),
  capitalApr: capitalApr(DEFAULT_FUNDING.leverage, NO_FULL_PRICE),
  ...replaysOnCapital(DEFAULT_FUNDING.leverage),
  netAprAtRate: Change('本期外推', {
    missing: NO_FULL_PRICE,
    text: '同净年化，但当作本期预测费率一直不变：费率高时偏乐观，只供对照',
    live: true,
  }),
  netApr: Change('名义净年化', {
    missing: NO_FULL_PRICE,
    formula: '(计划内 F29 预期资金费 − 借币 + F5 开仓 − F5 平仓 − 四笔手续费) × 8760 / 计划小时',
    text: '占每腿名义，开仓门槛按它；预期费率从本期预测向最近 30 天的均值回归；按现在的盘口吃单进出，基差不变',
    live: true,
  }),
  obstacles: Obstacles(),
  predictedRate: Percent('预测费率', {
    digits: 4,
    signed: true,
    text: '本期按现在的溢价预测，到结算时定下',
    live: true,
  }),
  settledRate: Percent('上期费率', { digits: 4, signed: true, text: '上一次结算收付的费率', live: true }),
  hours: shown(Num(), '间隔', { form: 'figure', digits: 0, unit: 'h', first: 'ascend' }),
  nextAt: Countdown('距结算'),
  expectedApr: Percent('预期年化', {
    signed: true,
    formula: 'F29：计划内预期收到的资金费 × 8760 / 计划小时',
    live: true,
  }),
  apr: Percent('年化', { signed: true, formula: 'F1：预测费率 × 8760 / 间隔小时', live: true }),
  mean7Apr: Percent('7 日均', { signed: true, text: '已结算费率的平均，年化', window: '7 天' }),
  mean30Apr: Percent('30 日均', { signed: true, text: '已结算费率的平均，年化', window: '30 天' }),
  positiveShare: Percent('正费率占比', { digits: 0, text: '已结算费率中为正的次数占比', window: '30 天' }),
  streak: shown(Integer(), '连续同号', {
    form: 'figure',
    digits: 0,
    signed: true,
    text: '到上一次结算为止连续同号的次数，负数为负费率',
  }),
  basis: Percent('基差', { digits: 3, signed: true, formula: '永续中间价 / 现货中间价 − 1', live: true }),
  entryCost: Cost('开仓成本', {
    first: 'ascend',
    text: '两腿吃单手续费与滑点（F9），占每腿名义',
    live: true,
  }),
  breakEven: Figure('回本期数', {
    digits: 0,
    first: 'ascend',
    missing: NO_PAYBACK,
    formula: 'F8：预期资金费（F29）减借币的累计第一次不低于开仓 + 平仓成本的结算次数',
  }),
  breakEvenHours: Figure('回本小时', {
    digits: 1,
    first: 'ascend',
    missing: NO_PAYBACK,
    text: '到第 F8 次结算还有多久',
  }),
  borrowApr: Percent('借币年利', { missing: '正向不借币', text: '反向卖出现货所需，已从净年化扣除' }),
  depth: Money('5% 深度', { text: '开仓所用两侧盘口中较薄的一侧，最优价 5 % 以内', live: true }),
  openInterest: Money('持仓量'),
  turnover24h: Money('24h 成交额'),
  adl: Figure('ADL', { digits: 0, first: 'ascend', text: '自动减仓等级，1 最低，5 最高' }),
  collateralRatio: Percent('抵押率', { digits: 1, text: '该币计入保证金的比例' }),
  fundingCap: Percent('费率上限', { digits: 2, text: '每次结算的上限，下限为其负数' }),
  exitCost: Cost('平仓成本', {
    spare: true,
    text: '两腿吃单手续费与滑点（F9），占每腿名义',
    live: true,
  }),
  quantity: shown(Num(), '数量', { form: 'figure', digits: 4, spare: true, text: '两腿同量，按共同步长向下取整' }),
});
export type FundingCandidate = Static<typeof FundingCandidate>;

/** What the opportunities are narrowed down by. */
export const FUNDING_FILTERS = {
  source: VenueFilter(),
  direction: ChoiceFilter(CARRY_LABEL, '方向'),
  actionable: ACTIONABLE,
  minApr: AtLeast('净年化', '%', { maximum: 1000 }),
  maxBreakEvenHours: AtMost('回本小时', '小时', { prefix: '回本', minimum: 1, maximum: 87_600 }),
  minTurnover: AtLeast('24h 成交额', '万', { prefix: '成交额', maximum: 1e15 }),
  minDepth: AtLeast('5% 深度', '万', { prefix: '深度', maximum: 1e15 }),
  top: AmongFirst('成交额名次', '名', { prefix: '成交额', minimum: 1, maximum: 1000 }),
  lowAdl: Flag('ADL 不高于 2'),
};

export const fundingScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/fundingRate',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一交易所现货与永续的资金费机会，按净年化排列',
    query: Obj({
      ...scanQuery,
      hours: Num({ title: '持有小时', minimum: 1, maximum: 8760, default: 168 }),
      ...FUNDING_FILTERS,
    }),
    data: scanRows(FundingCandidate),
  }),
};
