import { Array as Arr, Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import {
  AtLeast,
  Change,
  ChoiceFilter,
  Cost,
  Countdown,
  Figure,
  Money,
  Percent,
  shown,
  Venue,
  VenuesFilter,
} from '../../field';
import { listQuery } from '../../list';
import {
  ACTIONABLE,
  capitalApr,
  Fraction,
  NO_FULL_PRICE,
  Obstacles,
  replaysOnCapital,
  ScannedAt,
  scanQuery,
  scanRows,
} from '../../scan';
import { watched } from '../../star';
import { Instant, Maybe, OneOf } from '../../value';
import { DEFAULT_CEX_RATE } from './params';

/** `opposite`: the long leg's rate is negative and the short leg's positive, so that both legs receive. */
export const RATE_SIGN_LABEL = { positive: '两边为正', negative: '两边为负', opposite: '一负一正' } as const;
export type RateSign = keyof typeof RATE_SIGN_LABEL;

/** What a row is to be read with; unlike an obstacle it keeps nobody from acting. `interval`: the venues settle at other times. */
export const RATE_NOTES = ['interval'] as const;
export type RateNote = (typeof RATE_NOTES)[number];

/** How the legs are assumed to go in: both taking, or the leg that saves more resting while the other one takes what it was filled with. */
export const RATE_ENTRIES = ['taker', 'maker'] as const;
export type RateEntry = (typeof RATE_ENTRIES)[number];

/** Whether leaving is paid for: `rolled` holds on after the planned hours. */
export const RATE_EXITS = ['counted', 'rolled'] as const;
export type RateExit = (typeof RATE_EXITS)[number];

/** The highest fee tier that the venues of the built-in market grade; the lowest, 0, is that of the paper accounts. */
export const TOP_TIER = 2;

const Rate = (title: string, text: string) => Percent(title, { digits: 4, signed: true, text, live: true });
const Interval = (title: string) => Figure(title, { digits: 0, unit: 'h', first: 'ascend' });

export const CexRateCandidate = Obj({
  id: Str({ description: '币种与两个交易所，不随方向变' }),
  base: Str(),
  longSymbol: Str(),
  shortSymbol: Str(),
  long: Venue('做多所'),
  short: Venue('做空所'),
  capitalApr: capitalApr(DEFAULT_CEX_RATE.leverage, NO_FULL_PRICE),
  ...replaysOnCapital(DEFAULT_CEX_RATE.leverage),
  netAprAtRate: Change('本期外推', {
    missing: NO_FULL_PRICE,
    text: '同净年化，但当作两所本期的预测费率一直不变：只供对照',
    live: true,
  }),
  netApr: Change('名义净年化', {
    missing: NO_FULL_PRICE,
    formula: 'F7：(空方预期资金费 − 多方预期资金费 − 手续费 + F5 开仓价差 − 平仓价差) × 8760 / 持有小时',
    text: '占每腿名义，开仓门槛按它。预期资金费（F29）：各所从本期预测费率向最近 30 天的均值回归，按自己的结算时刻计次数；盘口取现在的；手续费与平仓价差按上方的假设：计入平仓取现在的 F5，展期不计取两所中间价之差',
    live: true,
  }),
  obstacles: Obstacles(),
  notes: Arr(OneOf(RATE_NOTES), { description: '要留意而不妨碍开仓的' }),
  longRate: Rate('多方费率', '做多所本期的预测费率，为负时多方收'),
  shortRate: Rate('空方费率', '做空所本期的预测费率，为正时空方收'),
  longHours: Interval('多方间隔'),
  shortHours: Interval('空方间隔'),
  rateGap: Percent('费率差 / 8h', {
    digits: 4,
    signed: true,
    formula: '(空方费率 / 空方间隔 − 多方费率 / 多方间隔) × 8',
    live: true,
  }),
  grossApr: Percent('毛年化', {
    signed: true,
    formula: 'F7：8760 × (空方费率 / 空方间隔 − 多方费率 / 多方间隔)',
    live: true,
  }),
  fees: Cost('手续费', {
    first: 'ascend',
    text: '双边，按上方的开仓方式、平仓成本与费率等级：计入平仓为四笔，展期不计为两笔，占每腿名义',
  }),
  openEdge: Percent('价差', {
    digits: 3,
    signed: true,
    missing: NO_FULL_PRICE,
    formula: 'F5：做空所卖出均价 / 做多所买入均价 − 1',
    text: '按规模吃单，滑点已在其中',
    live: true,
  }),
  paybackDays: Figure('回本天数', {
    digits: 1,
    first: 'ascend',
    missing: '一年之内付不清成本，或没有完整的价格',
    text: '到付清所计手续费与价差的那次结算还有几天，各所按自己的结算时刻',
  }),
  capacity: Money('可容纳规模', {
    missing: '没有完整的盘口',
    text: '按上方的假设，净年化不低于筛选下限（没有则为 0）的最大每腿名义，最多 1000 万',
    live: true,
  }),
  openInterest: Money('持仓量', { text: '两所中较小的一个' }),
  longNextAt: Countdown('多方距结算'),
  shortNextAt: Countdown('空方距结算'),
  closeLevel: Percent('平仓价差', {
    digits: 3,
    signed: true,
    spare: true,
    first: 'ascend',
    missing: NO_FULL_PRICE,
    formula: 'F5：做空所买回均价 / 做多所卖出均价 − 1',
    live: true,
  }),
  quantity: shown(Num(), '数量', { form: 'figure', digits: 4, spare: true, text: '两腿同量，按共同步长向下取整' }),
});
export type CexRateCandidate = Static<typeof CexRateCandidate>;

const RateCell = Obj({
  source: Str(),
  symbol: Str(),
  rate: Fraction('本期预测费率'),
  rate8h: Fraction('预测费率，折成每 8 小时'),
  apr: Fraction('F1'),
  hours: Maybe(Num({ description: '合约的结算间隔，小时' })),
  nextAt: Maybe(Instant('下次结算')),
});
export type RateCell = Static<typeof RateCell>;

export const RateMatrixRow = Obj({
  id: Str({ description: '币种；实时与模拟行情各一行' }),
  base: Str(),
  cells: Arr(RateCell, { description: '上了该币种永续合约的交易所' }),
  bestLong: Maybe(Str({ description: '年化最低的交易所' })),
  bestShort: Maybe(Str({ description: '年化最高的交易所' })),
  aprGap: Percent('年化差', { missing: '不足两家交易所有费率', formula: '最高与最低的 F1 年化之差', live: true }),
  openInterest: Money('持仓量', { text: '各所之和' }),
});
export type RateMatrixRow = Static<typeof RateMatrixRow>;

/** What coins are narrowed down by wherever their rates are listed. */
export const RATE_FILTERS = { minOpenInterest: AtLeast('持仓量', '万', { maximum: 1e15 }) };

/** What the opportunities are narrowed down by. */
export const CEX_RATE_FILTERS = {
  sources: VenuesFilter(),
  sign: ChoiceFilter(RATE_SIGN_LABEL, '费率符号'),
  actionable: ACTIONABLE,
  minNetApr: AtLeast('净年化', '%', { maximum: 1000 }),
  ...RATE_FILTERS,
};

export const cexRateScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/cexRate',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一币种在两个交易所的永续费率差，每对取较好的方向，按净年化排列',
    query: Obj({
      ...scanQuery,
      ...CEX_RATE_FILTERS,
      hours: Num({ title: '持有小时', minimum: 1, maximum: 8760, default: 168 }),
      entry: OneOf(RATE_ENTRIES, {
        title: '开仓方式',
        default: 'taker',
        description: 'taker 双市价；maker 手续费省得多的一腿挂单，另一腿吃单对冲，价格仍按吃单',
      }),
      exit: OneOf(RATE_EXITS, {
        title: '平仓成本',
        default: 'counted',
        description: 'counted 计入两笔平仓手续费与 F5 平仓价差；rolled 展期，不计平仓',
      }),
      tier: Integer({
        title: '费率等级',
        minimum: 0,
        maximum: TOP_TIER,
        default: 0,
        description: 'VIP 等级，两所相同',
      }),
    }),
    data: scanRows(CexRateCandidate),
  }),
  matrix: endpoint({
    method: 'GET',
    path: '/api/market/cexRate/matrix',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '每个币种在各交易所的永续费率，按年化之差排列',
    query: Obj({ ...listQuery(50), search: scanQuery.search, ...watched, ...RATE_FILTERS }),
    data: Obj({ list: Arr(RateMatrixRow), total: Integer(), at: ScannedAt }),
  }),
};
