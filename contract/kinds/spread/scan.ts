import { Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import {
  AtLeast,
  AtMost,
  Change,
  Choice,
  ChoiceFilter,
  Cost,
  Figure,
  Moment,
  Money,
  Percent,
  Price,
  shown,
  Venue,
  VenueFilter,
  Word,
} from '../../field';
import {
  ACTIONABLE,
  capitalApr,
  Fraction,
  NO_FULL_PRICE,
  Obstacles,
  replaysOnCapital,
  scanQuery,
  scanRows,
} from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';

/** Two instruments of one coin, the near leg first: the one that has less to its expiry, or none of its own. */
export const SPREAD_TYPE_LABEL = {
  spotPerpetual: '现货 · 永续',
  spotFuture: '期现',
  perpetualFuture: '永续 · 季度',
  nearFar: '跨期',
} as const;
export type SpreadType = keyof typeof SPREAD_TYPE_LABEL;

/** `sellFar` sells the far leg and buys the near one, `buyFar` is the other way round. */
export const SPREAD_DIRECTION_LABEL = { sellFar: '卖远买近', buyFar: '买远卖近' } as const;
export type SpreadDirection = keyof typeof SPREAD_DIRECTION_LABEL;

/** What is known of the basis of the last 90 days: nothing yet where it is being worked out or is shorter than 30 days. */
export const BASIS_PASTS = ['known', 'pending', 'short'] as const;

/** Of contracts, unless a strategy says otherwise. */
export const SPREAD_LEVERAGE = 2;

export const NO_EXPIRY = '两腿都没有到期日';
const BRIEF = '不足 3 天不年化，或这个规模没有完整的价格';

export const SpreadCandidate = Obj({
  id: Str({ description: '数据源与两腿代码' }),
  base: Str(),
  perpetual: Maybe(Str({ description: '该币种在这里的永续代码' })),
  past: OneOf(BASIS_PASTS),
  source: Venue('交易所'),
  type: Choice(SPREAD_TYPE_LABEL, '类型'),
  direction: Choice(SPREAD_DIRECTION_LABEL, '方向', { text: '两个方向中含预期资金费的净收益较高的一个' }),
  capitalApr: capitalApr(SPREAD_LEVERAGE, BRIEF),
  ...replaysOnCapital(SPREAD_LEVERAGE),
  netFundingAprAtRate: Change('本期外推', {
    missing: BRIEF,
    text: '同净年化，但当作永续腿本期的预测费率一直不变：只供对照',
    live: true,
  }),
  netFundingApr: Change('名义净年化', {
    missing: BRIEF,
    formula: 'F26：(F5 开仓 − 预期平仓水平 − 四笔手续费 − 借币 + F29 预期资金费) × 365 / 天数',
    text: '占每腿名义，开仓门槛按它。持有到先到期的一腿交割：它以指数价交割，付交割费而不付平仓手续费。预期平仓时现货在指数价，永续对现货的溢价与现在相同（与资金费率页一致），较远的季度合约保持现在对现货的年化基差；未交割的一腿按现在盘口的滑点离场。没有到期日的按填写的天数。永续腿的资金费从本期预测向最近 30 天的均值回归。',
    live: true,
  }),
  obstacles: Obstacles(),
  quotedAt: shown(Instant(), '更新', {
    form: 'time',
    first: 'ascend',
    text: '两腿报价中较旧的一个距现在多久：不足 6 秒为绿点，更久为三角与“未更新”',
    live: true,
  }),
  basisRate: Percent('基差率', { digits: 3, signed: true, formula: '远腿中间价 / 近腿中间价 − 1', live: true }),
  annualised: Percent('年化', {
    signed: true,
    missing: '没有到期日、不足 3 天，或现在没有完整的盘口',
    formula: 'F4：基差率 × 365 / 剩余天数；跨期用两腿相差的天数',
    live: true,
  }),
  days: Figure('剩余天数', { digits: 1, first: 'ascend', missing: NO_EXPIRY }),
  netApr: Change('不含资金费', {
    missing: BRIEF,
    text: '名义净年化减去永续腿的预期资金费：只有价差、手续费与借币',
    live: true,
  }),
  openEdge: Percent('可成交开仓', {
    digits: 3,
    signed: true,
    missing: NO_FULL_PRICE,
    formula: 'F5：卖出一腿的成交均价 / 买入一腿的成交均价 − 1',
    text: '按每腿名义吃单',
    live: true,
  }),
  closeLevel: Percent('平仓价差', {
    digits: 3,
    signed: true,
    first: 'ascend',
    missing: NO_FULL_PRICE,
    formula: 'F5：买回一腿的成交均价 / 卖出另一腿的成交均价 − 1',
    text: '现在就平仓的水平',
    live: true,
  }),
  z: Figure('z', {
    signed: true,
    formula: 'F14：(基差率 − 均值) / 标准差',
    window: '最近 90 天两腿 4h 收盘',
    live: true,
  }),
  percentile: Percent('历史分位', {
    digits: 0,
    text: '最近 90 天里不高于现在基差率的占比；季度合约的基差随到期临近自然变小',
    window: '最近 90 天两腿 4h 收盘',
  }),
  near: Word('近腿'),
  far: Word('远腿'),
  expiresAt: Moment('到期日', { missing: NO_EXPIRY, first: 'ascend' }),
  nearBid: Price('近 买'),
  nearAsk: Price('近 卖'),
  farBid: Price('远 买'),
  farAsk: Price('远 卖'),
  basis: Price('基差', { text: '远腿中间价 − 近腿中间价，USDT', live: true }),
  depth: Money('5% 深度', { text: '开仓所用两侧盘口中较薄的一侧，最优价 5 % 以内', live: true }),
  turnover24h: Money('24h 成交额', { text: '成交较少的一腿' }),
  fundingApr: Percent('资金费年化', {
    signed: true,
    missing: '没有永续腿',
    formula: 'F1：永续预测费率 × 8760 / 间隔小时',
    text: '正数为这个方向收；未计入净年化',
    live: true,
  }),
  net: Percent('净收益', {
    digits: 3,
    signed: true,
    spare: true,
    missing: NO_FULL_PRICE,
    text: '名义净年化的分子：到期或计划天数之后的净收益，未年化',
  }),
  netFunding: Fraction('同净收益，加上永续腿 F29 预期的资金费'),
  expectedLevel: Percent('预期平仓', { digits: 3, signed: true, spare: true, missing: NO_FULL_PRICE }),
  fees: Cost('手续费', { text: '四笔' }),
  borrowApr: Percent('借币年利', {
    spare: true,
    missing: '不先卖现货，不借币',
    text: '先卖现货所需，已从名义净年化扣除',
  }),
  spread: Price('可成交价差', {
    spare: true,
    formula: 'F6：卖远买近为远买 − 近卖；买远卖近为近买 − 远卖',
    text: '按最优价，USDT',
    live: true,
  }),
  spreadShare: Percent('可成交价差率', { digits: 3, signed: true, spare: true, text: 'F6 占近腿中间价' }),
  quantity: shown(Num(), '数量', { form: 'figure', digits: 4, spare: true, text: '两腿同量，按共同步长向下取整' }),
});
export type SpreadCandidate = Static<typeof SpreadCandidate>;

/** What the opportunities are narrowed down by. */
export const SPREAD_FILTERS = {
  source: VenueFilter(),
  type: ChoiceFilter(SPREAD_TYPE_LABEL, '类型'),
  actionable: ACTIONABLE,
  minNetApr: AtLeast('净年化', '%', { maximum: 1000 }),
  minDepth: AtLeast('5% 深度', '万', { prefix: '深度', maximum: 1e15 }),
  minTurnover: AtLeast('两腿 24h 成交额', '万', { prefix: '成交额', maximum: 1e15, text: '成交较少的一腿' }),
  maxDays: AtMost('剩余天数', '天', { prefix: '剩余', maximum: 3650 }),
};

export const spreadScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/spread',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一交易所期现与跨期的价差机会，按净年化排列',
    query: Obj({
      ...scanQuery,
      days: Num({ title: '持有天数', minimum: 1, maximum: 365, default: 7, description: '只用于没有到期日的组合' }),
      ...SPREAD_FILTERS,
    }),
    data: scanRows(SpreadCandidate),
  }),
};
