import { Array as Arr, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { Instant, Maybe, OneOf } from './value';

/** What the own record of a strategy on paper says. */
export const RECORD_CHECKS = ['days', 'deals', 'net', 'promise', 'oneLeg', 'slippage', 'refusals'] as const;
/** What real orders need besides. */
export const REAL_CHECKS = ['server', 'source', 'secondFactor', 'account', 'balance', 'minimum'] as const;
export type RecordCheck = (typeof RECORD_CHECKS)[number];
export type RealCheck = (typeof REAL_CHECKS)[number];

/** `unknown`: there is nothing to judge it by yet. */
export const CHECK_STATES = ['met', 'unmet', 'unknown'] as const;

/** The part of its size that a strategy begins with when it begins to trade real money. */
export const FIRST_SHARE = 0.1;

/** Whether a strategy is fit to trade real money: by what it did on paper, and by what its owner has. */
export const LiveReadiness = Obj({
  at: Instant('数据时间'),
  checks: Arr(
    Obj({
      check: OneOf([...RECORD_CHECKS, ...REAL_CHECKS], { title: '检查' }),
      state: OneOf(CHECK_STATES, { title: '结论' }),
      value: Maybe(Num({ description: '天、张、秒、USDT 或分数，按检查；不是一个数的为空' })),
      wanted: Maybe(Num({ description: '要求，单位同 value' })),
      reason: Str({ description: '账户的问题；没有时为空字符串' }),
    }),
  ),
});
export type LiveReadiness = Static<typeof LiveReadiness>;
export type LiveCheck = LiveReadiness['checks'][number];
