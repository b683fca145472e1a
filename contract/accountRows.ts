import { Array as Arr, Boolean as Bool, Object as Obj, type Static, String as Str } from 'typebox';
import { Decimal } from './decimal';
import {
  Amount,
  AsDecimal,
  At,
  Change,
  Choice,
  Count,
  Exact,
  Figure,
  Gain,
  Percent,
  Price,
  shown,
  Word,
} from './field';
import { LEGS } from './lifecycle';
import { STRATEGY_KINDS } from './strategy';
import { Instant, Maybe, OneOf } from './value';

/**
 * `oneLeg`: a hedge of it has one leg only. `orphan`: the venue holds what no hedge accounts for. `ignored`: the same,
 * and its owner knows. `stock`: the same, coin that a strategy owns between its deals. `crumb`: the same, coin that is too
 * little for any order. `missing`: a hedge accounts for what the venue does not hold. `unbalanced`: a hedge of it is
 * beyond its limit.
 */
export const POSITION_BADGES = ['oneLeg', 'orphan', 'stock', 'crumb', 'ignored', 'missing', 'unbalanced'] as const;
export type PositionBadge = (typeof POSITION_BADGES)[number];

/** Why a figure of a position is missing. */
export const NO_MARK = '没有标记价';
export const NO_DEAL = '没有所属的交易单';

export const AccountPosition = Obj({
  accountId: Str({ description: '所在账户' }),
  source: Str(),
  symbol: Word('合约'),
  side: Choice({ long: '多', short: '空' }, '方向'),
  /** Signed, base currency, as the venue says; 0 for a `missing` one. */
  quantity: Exact('数量'),
  notional: AsDecimal(Amount('名义价值', { missing: NO_MARK, formula: '|数量| × 标记价，USDT' })),
  entryPrice: AsDecimal(Price('开仓均价')),
  markPrice: AsDecimal(Price('标记价', { missing: NO_MARK })),
  priceAt: Maybe(Instant('价格时间')),
  liquidationPrice: Price('强平价', {
    ...{ formula: '其他价格不变，使账户保证金率到 1 的价格', missing: '仅该合约变动不会强平，或保证金未知' },
  }),
  liquidationDistance: Percent('强平距离', { formula: '|标记价 − 强平价| / 标记价（F23）' }),
  leverage: Figure('杠杆', { digits: 0, missing: '没有所属的交易单，交易所也没有给出' }),
  unrealised: AsDecimal(Gain('未实现盈亏', { formula: '数量 × 标记价 − 成本，USDT；ROE = 盈亏 / (成本 / 杠杆)' })),
  roe: Change('ROE', { spare: true }),
  funding: AsDecimal(
    Gain('累计资金费', {
      ...{ missing: NO_DEAL, text: '所属交易单在此合约上已结算的资金费，USDT，收到为正；交易单以外的部分不在其内' },
    }),
  ),
  /** Venue quantity less that of the hedges. */
  unexplained: Decimal(),
  hedges: Arr(
    Obj({
      id: Str(),
      kind: OneOf(STRATEGY_KINDS, { title: '策略类型' }),
      strategy: Str({ description: '策略名称' }),
      long: Str(),
      short: Str(),
      leg: OneOf(LEGS),
      quantity: Decimal({ description: '带符号' }),
    }),
  ),
  badges: Arr(OneOf(POSITION_BADGES)),
});
export type AccountPosition = Static<typeof AccountPosition>;

/** Why what somebody owns has no value. */
export const NO_VALUE = '持仓没有价格';

export const AccountBalance = Obj({
  accountId: Str({ description: '所在账户' }),
  asset: Word('币种'),
  total: AsDecimal(Amount('总额', { missing: NO_VALUE })),
  available: AsDecimal(Amount('可用')),
  frozen: AsDecimal(Amount('冻结')),
  value: AsDecimal(Amount('折合', { unit: 'USDT', missing: NO_VALUE })),
  share: Percent('占比', { missing: '总额不为正' }),
});
export type AccountBalance = Static<typeof AccountBalance>;

/** Why a figure of an account is missing. */
export const UNPRICED = '有持仓没有价格';
export const FEW_DAYS = '整日记录不足 20 天';
export const NO_VARIANCE = '没有可比的整日记录';

export const figures = {
  equity: Amount('权益', { missing: UNPRICED }),
  todayPnl: Gain('今日盈亏', { missing: UNPRICED, formula: '权益变化 − 划转，自各账户的当日开始' }),
  net: Gain('累计净盈亏', { missing: UNPRICED }),
  sharpe: Figure('夏普', {
    ...{ signed: true, digits: 2, missing: FEW_DAYS },
    formula: '日收益均值 / 标准差 × √365（F19），开户以来的整日（UTC）',
  }),
  betaBtc: Figure('Beta', {
    ...{ signed: true, digits: 3, missing: NO_VARIANCE, formula: '日收益对 BTC 的协方差 / 方差（F17）' },
  }),
  drawdown: Percent('当前回撤', { missing: UNPRICED, formula: '时间加权净值 / 历史最高日收盘（UTC）− 1（F20）' }),
  maxDrawdown: Percent('最大回撤', { missing: UNPRICED }),
  running: Count('进行中', '未结束的交易单'),
};

/** One account of the list of all. */
export const AccountRow = Obj({
  userId: Str(),
  user: Word('用户'),
  enabled: Bool(),
  paused: shown(Bool(), '对冲', { form: 'word' }),
  unpriced: Arr(Str()),
  ...figures,
  openedAt: At('开户'),
});
export type AccountRow = Static<typeof AccountRow>;
