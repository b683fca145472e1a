import { Array as Arr, Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { Amount, At, Moment, shown, Word } from './field';
import { CLOSE_REASONS, HEDGE_STATES, LEGS } from './lifecycle';
import { ModeField, STRATEGY_KINDS } from './strategy';
import { Instant, Maybe, OneOf } from './value';

/** What is closed at once: all of one's own, one strategy, all of one user, all of everybody. */
export const FLATTEN_SCOPES = ['own', 'strategy', 'user', 'all'] as const;
export type FlattenScope = (typeof FLATTEN_SCOPES)[number];

export const usdt = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
export const Kind = OneOf(STRATEGY_KINDS, { title: '策略类型' });

const summary = {
  id: Str(),
  at: At('请求', { seconds: true }),
  by: Word('由'),
  scope: shown(OneOf(FLATTEN_SCOPES), '范围', { form: 'word' }),
  name: Maybe(Str({ description: '策略或用户的名称' })),
  reason: Word('原因'),
  deals: shown(Integer({ description: '请求时进行中的交易单' }), '已平 / 张', { form: 'figure' }),
  closed: Integer({ description: '已结束的' }),
  left: Integer({ description: '还没有结束的' }),
  notional: Amount('平掉的名义', { digits: 0 }),
  slippage: Amount('滑点'),
  fees: Amount('手续费'),
  doneAt: Moment('用时'),
};

export const FlattenRow = Obj(summary);
export type FlattenRow = Static<typeof FlattenRow>;

const ReportLeg = Obj({
  leg: OneOf(LEGS),
  source: Str(),
  symbol: Str(),
  side: OneOf(['buy', 'sell'] as const, { description: '平仓的方向' }),
  asked: Str({ description: '币，请求时的持有，带方向' }),
  quantity: Num({ description: '币，请求以来平掉的' }),
  mid: Maybe(Num({ description: 'USDT，请求时的中间价' })),
  price: Maybe(Num({ description: 'USDT，平仓均价' })),
  slippage: usdt('对请求时中间价，付出为正'),
  fee: Num({ description: 'USDT' }),
  left: Str({ description: '币，还持有的，带方向' }),
  dust: Num({ description: '币，不足最小下单数量、留在账户的' }),
});

const ReportDeal = Obj({
  id: Str(),
  kind: Kind,
  strategyId: Str(),
  strategy: Str(),
  mode: ModeField,
  user: Str(),
  symbols: Arr(Str()),
  state: OneOf(HEDGE_STATES),
  closeReason: Maybe(OneOf(CLOSE_REASONS)),
  closedAt: Maybe(Instant('结束时间')),
  seconds: Maybe(Num({ description: '从请求到结束，秒' })),
  legs: Arr(ReportLeg),
  slippage: usdt('两腿合计，付出为正'),
  fees: usdt('请求以来的手续费'),
  net: usdt('交易单的净盈亏；没有结束的为空'),
  expected: Obj({ cost: usdt('请求时预计的手续费与滑点'), net: usdt('请求时预计的净盈亏') }),
  why: Maybe(Str({ description: '还没有平掉的原因' })),
});
export type ReportDeal = Static<typeof ReportDeal>;

export const FlattenReport = Obj({
  ...summary,
  checkedAt: Instant('计算时间'),
  seconds: Maybe(Num({ description: '从请求到最后一张结束，秒；还有没平的为空' })),
  net: usdt('已结束的净盈亏之和'),
  expected: Obj({ cost: usdt('请求时预计的手续费与滑点'), net: usdt('请求时预计的净盈亏') }),
  list: Arr(ReportDeal),
});
export type FlattenReport = Static<typeof FlattenReport>;
