/**
 * The catalogue of business refusals: HTTP 200 with a code of four digits of its own.
 * 1xxx sessions and users, 2xxx market and import, 3xxx selection, 4xxx backtest.
 */
export const REFUSALS = {
  wrongPassword: { code: 1001, message: '用户名或密码错误' },
  nameTaken: { code: 1002, message: '该用户名不可用，请换一个' },
  commonPassword: { code: 1003, message: '该密码过于常见，容易被猜到，请换一个' },
  userBlocked: { code: 1004, message: '账户已停用，请联系管理员' },
  passwordIsName: { code: 1005, message: '密码不能与用户名相同' },

  unknownSource: { code: 2001, message: '没有这个数据源，可能已被删除，请重新选择' },
  unknownSymbol: { code: 2002, message: '该数据源中没有这个币种' },
  noCandles: { code: 2003, message: '该币种没有这个周期的 K 线' },

  tooFewCommonBars: { code: 3001, message: '两边的共同历史不足，无法计算配对指标' },

  backtestUnknownSymbol: { code: 4001, message: '所选数据源中没有这些币种' },
  backtestSameSymbol: { code: 4002, message: '同一币种不能同时做多和做空' },
  backtestNoCommonHistory: { code: 4003, message: '所选币种在该区间内没有足够的共同 K 线（至少 2 根）' },
  backtestBarMissing: { code: 4004, message: '所选币种没有共同的该周期 K 线，请换一个周期' },
} as const;

export type RefusalName = keyof typeof REFUSALS;
