import {
  Array as Arr,
  Boolean as Bool,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { CLOSE_REASONS } from './lifecycle';
import { Maybe, OneOf } from './value';

const Usdt = (description?: string) => Maybe(Num({ description: description ? `USDT，${description}` : 'USDT' }));

/** What a deal is made up of, in the order in which it is read: each step adds to those before. */
export const WATERFALL_STEPS = ['funding', 'fees', 'slippage', 'gap', 'exit', 'expected'] as const;
export type WaterfallStep = (typeof WATERFALL_STEPS)[number];

export const Waterfall = Obj({
  steps: Arr(
    Obj({
      step: OneOf(WATERFALL_STEPS),
      amount: Usdt('这一步，正为收入'),
      sum: Usdt('到这一步为止'),
    }),
    {
      description:
        'funding 已收资金费，fees 已付手续费，slippage 开平已付滑点，gap 其余价格盈亏，exit 现在平仓的手续费与滑点，expected 到计划持有期满预计的资金费；不适用的步骤不给出',
    },
  ),
});
export type Waterfall = Static<typeof Waterfall>;

/** What a rule goes by: net profit (USDT), hours held, an instant (UTC ms), a rate of the year, of a settlement, an F5 level, z, a price (USDT). */
export const EXIT_MEASURES = ['net', 'held', 'instant', 'apr', 'rate', 'level', 'z', 'price'] as const;
export type ExitMeasure = (typeof EXIT_MEASURES)[number];

/** What a rule waits for before it acts: entry costs earned (settlements), the shortest hold (hours), a negative rate, fresh prices. */
export const EXIT_GATES = ['breakEven', 'minHolding', 'negativeRate', 'prices'] as const;

/** A rule by which the engine closes a deal, as it stands now. */
export const ExitRule = Obj({
  reason: OneOf(CLOSE_REASONS),
  by: OneOf(EXIT_MEASURES, { description: '看什么' }),
  now: Maybe(Num({ description: '现在的值；读不到时为空' })),
  at: Num({ description: '到这个值就平' }),
  falls: Bool({ description: '降到它才平；否则是升到它' }),
  isMet: Bool({ description: '现在已满足' }),
  gate: Maybe(
    Obj(
      { is: OneOf(EXIT_GATES), now: Maybe(Num()), at: Maybe(Num()) },
      { description: '还在等什么，等到之前这条规则不平仓' },
    ),
  ),
});
export type ExitRule = Static<typeof ExitRule>;

/** The limits of a deal that may be moved while it is held: those that its params have. */
export const DEAL_LIMITS = ['stopLoss', 'takeProfit', 'maxHoldingHours'] as const;
export type DealLimit = (typeof DEAL_LIMITS)[number];

export const DealLimits = Obj(
  {
    stopLoss: Optional(Maybe(Num({ title: '止损', description: '净亏损占基数的分数；空为不止损' }))),
    takeProfit: Optional(Maybe(Num({ title: '止盈', description: '净盈利占基数的分数；空为不止盈' }))),
    maxHoldingHours: Optional(Maybe(Num({ title: '最长持有', description: '小时；空为不限' }))),
  },
  { additionalProperties: false },
);
export type DealLimits = Static<typeof DealLimits>;

/** What is asked for, and what it was when it was asked for: a limit that has moved since is not written over. */
export const LimitsChange = Obj(
  { id: Str({ title: '交易单' }), limits: DealLimits, was: DealLimits },
  { additionalProperties: false },
);
export type LimitsChange = Static<typeof LimitsChange>;

const BOUNDED = Optional(Obj({ minimum: Num(), maximum: Num() }));

/** Why a deal is still held, what would close it, and what it brings. */
export const DealOutlook = Obj({
  rules: Arr(ExitRule, { description: '自动平仓的条件，先看的在前；已结束、或只由人平仓的没有' }),
  limits: DealLimits,
  bounds: Optional(
    Obj(
      { stopLoss: BOUNDED, takeProfit: BOUNDED, maxHoldingHours: BOUNDED },
      { description: '各限额按这一类的参数可以是多少' },
    ),
  ),
  limitBase: Num({ description: '止损与止盈的基数，USDT：开仓总名义；网格为投入' }),
  netClosed: Usdt('现在平掉的净盈亏，按盘口；已结束的为空'),
  waterfall: Waterfall,
});
export type DealOutlook = Static<typeof DealOutlook>;
