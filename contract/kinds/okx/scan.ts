import { Boolean as Bool, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { VENUES } from '../../candle';
import { endpoint } from '../../endpoint';
import { AtLeast, Figure, Flag, Gain, Money, Price, shown, Venue, VenueFilter, VenuesFilter } from '../../field';
import { ACTIONABLE, Obstacles, replays, scanQuery, scanRows } from '../../scan';
import { Maybe } from '../../value';

const UNFILLED = '盘口装不下这个规模';
const NO_QUOTE = '没有报价';
const CanMove = (description: string) => Maybe(Bool({ description }));

export const ArbitrageCandidate = Obj({
  id: Str({ description: '币种与两个交易所，与方向无关' }),
  base: Str(),
  perpetual: Maybe(Str({ description: '买入所的永续代码' })),
  buy: Venue('买入所'),
  ask: Price('卖一', { missing: NO_QUOTE, text: '买入所的卖一', live: true }),
  sell: Venue('卖出所'),
  bid: Price('买一', { missing: NO_QUOTE, text: '卖出所的买一', live: true }),
  netBps: Gain('净价差', {
    digits: 1,
    unit: 'bps',
    missing: UNFILLED,
    formula: 'F25：卖出均价 × (1 − 手续费) / (买入均价 × (1 + 手续费)) − 1',
    text: '两腿都按规模吃单；不含移回库存的费用，那在“移回 bps”',
    live: true,
  }),
  ...replays((days) => ({
    missing: '没有当时的报价',
    formula: 'F30：(每次价差的净利之和 − 移回库存的费用) / 规模',
    text: `到今日 0 点（UTC）的 ${days} 天里两个方向的价差，净价差连续 2 次报价不低于 3 bps 时各做一笔，按委托到达时的盘口成交；一腿库存用完或期末移回一次。没有这样的价差为 0`,
  })),
  profit: Gain('净利', { unit: 'USDT', missing: UNFILLED, text: '净价差乘以这个规模' }),
  obstacles: Obstacles(),
  grossBps: Figure('毛价差', {
    digits: 1,
    unit: 'bps',
    signed: true,
    missing: NO_QUOTE,
    formula: '卖出所买一 / 买入所卖一 − 1',
    live: true,
  }),
  feesBps: Figure('手续费', { digits: 1, unit: 'bps', first: 'ascend', text: '两所现货吃单费率之和' }),
  slippageBps: Figure('滑点', {
    digits: 1,
    unit: 'bps',
    first: 'ascend',
    missing: UNFILLED,
    formula: 'F9：|均价 / 中间价 − 1|，两腿之和',
    text: '从中间价算起，含半个买卖价差；毛价差已从卖一买一算起，所以不能与它直接相减',
  }),
  fillable: Money('可成交量', {
    digits: 0,
    text: '盘口上净价差仍不低于 0 的最大规模；最优价已亏则为 0',
    live: true,
  }),
  heldSeconds: Figure('持续', {
    digits: 2,
    unit: 's',
    text: '最优价扣手续费后连续为正的时间，逐笔报价（0.25 秒）回看；首次看到时最多回看 60 秒，此后累计',
  }),
  coinOut: CanMove('买入所可以提币'),
  coinIn: CanMove('卖出所可以充币'),
  moneyOut: CanMove('卖出所可以提 USDT'),
  moneyIn: CanMove('买入所可以充 USDT'),
  transferBps: Figure('移回', {
    digits: 1,
    unit: 'bps',
    first: 'ascend',
    missing: UNFILLED,
    text: '移回币与 USDT 的两笔费用摊到这个规模，不含在净价差内',
  }),
  transferMinutes: Figure('移回', { digits: 0, unit: '分钟', first: 'ascend', text: '两笔同时，取较慢的一笔' }),
  buyerCash: Money('买方 USDT', {
    first: null,
    missing: '在买入所没有账户，或现在读不到',
    text: '自己在买入所的可用余额',
  }),
  sellerCoin: Figure('卖方库存', {
    first: null,
    digits: 4,
    missing: '在卖出所没有账户',
    text: '自己在卖出所的币，不含交易单持有的',
  }),
  buyLatencyMs: Figure('买入延迟', {
    digits: 0,
    unit: 'ms',
    first: 'ascend',
    text: '现在发往买入所的委托在路上多久',
  }),
  sellLatencyMs: Figure('卖出延迟', {
    digits: 0,
    unit: 'ms',
    first: 'ascend',
    text: '现在发往卖出所的委托在路上多久',
  }),
  ageMs: shown(Num(), '报价年龄', {
    form: 'figure',
    digits: 0,
    unit: 'ms',
    first: 'ascend',
    text: '服务器读取时，两侧报价中较旧的已过多久',
  }),
  transferFee: Money('移回费用', { spare: true, first: 'ascend' }),
  quantity: shown(Num(), '数量', { form: 'figure', digits: 4, spare: true, text: '两腿同量，按共同步长向下取整' }),
});
export type ArbitrageCandidate = Static<typeof ArbitrageCandidate>;

/** What the opportunities are narrowed down by. */
export const ARBITRAGE_FILTERS = {
  buy: VenueFilter('买入所', VENUES),
  sell: VenueFilter('卖出所', VENUES),
  actionable: ACTIONABLE,
  minNetBps: AtLeast('净价差', 'bps', { minimum: -10_000, maximum: 10_000 }),
  minProfit: AtLeast('净利', 'USDT', { minimum: -1e9, maximum: 1e9 }),
  minHeldSeconds: AtLeast('持续', 's', { maximum: 86_400 }),
  transferable: Flag('充提都开放'),
  stocked: Flag('两边有库存', '买入所余额与卖出所的币都够这个规模'),
};

export const arbitrageScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/arbitrage',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '两个交易所现货之间的价差，每个币种与每两个交易所取较好的方向，按 30 日重放排列',
    query: Obj({
      ...scanQuery,
      sources: VenuesFilter(),
      ...ARBITRAGE_FILTERS,
    }),
    data: scanRows(ArbitrageCandidate),
  }),
};
