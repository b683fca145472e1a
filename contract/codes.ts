/**
 * The catalogue of business refusals: HTTP 200 with a code of four digits of its own.
 * 1xxx sessions and users, 2xxx market and import, 3xxx selection, 4xxx backtest, 5xxx hedge, 6xxx account and orders,
 * 7xxx exchange keys, 8xxx notifications and views.
 */
export const REFUSALS = {
  wrongPassword: { code: 1001, message: '用户名或密码错误' },
  nameTaken: { code: 1002, message: '该用户名不可用，请换一个' },
  commonPassword: { code: 1003, message: '该密码过于常见，容易被猜到，请换一个' },
  userBlocked: { code: 1004, message: '账户已停用，请联系管理员' },
  passwordIsName: { code: 1005, message: '密码不能与用户名相同' },
  secondFactorNeeded: { code: 1006, message: '请输入两步验证码' },
  wrongCode: { code: 1007, message: '验证码不正确、已过期或已用过' },
  lastMaster: { code: 1008, message: '这是最后一个可登录的管理员，不能降级或停用' },
  wrongOneTimeCode: { code: 1009, message: '一次性代码不正确或已过期，请联系管理员重新生成' },
  wrongCurrentPassword: { code: 1010, message: '当前密码不正确' },
  samePassword: { code: 1011, message: '新密码不能与当前密码相同' },
  secondFactorOn: { code: 1012, message: '两步验证已经开启' },
  secondFactorOff: { code: 1013, message: '还没有开启两步验证，或设置已过期，请重新开始' },
  notYourself: { code: 1014, message: '不能对自己的账户执行此操作' },
  keyReused: { code: 1101, message: '这个操作标识已用于另一个请求，请刷新页面后重试' },

  unknownSource: { code: 2001, message: '没有这个数据源，可能已被删除，请重新选择' },
  unknownSymbol: { code: 2002, message: '该数据源中没有这个币种' },
  noCandles: { code: 2003, message: '该币种没有这个周期的 K 线' },

  tooFewCommonBars: { code: 3001, message: '两边的共同历史不足，无法计算配对指标' },

  backtestUnknownSymbol: { code: 4001, message: '所选数据源中没有这些币种' },
  backtestSameSymbol: { code: 4002, message: '同一币种不能同时做多和做空' },
  backtestNoCommonHistory: { code: 4003, message: '所选币种在该区间内没有足够的共同 K 线（至少 2 根）' },
  backtestBarMissing: { code: 4004, message: '所选币种没有共同的该周期 K 线，请换一个周期' },

  hedgeConfigExists: { code: 5001, message: '已有对冲配置，请刷新后修改' },
  hedgeConfigMissing: { code: 5002, message: '请先保存对冲配置' },
  sourceInUse: { code: 5003, message: '还有未平的对冲或交易对，不能更换数据源' },
  pairSameSymbol: { code: 5011, message: '多头和空头不能是同一币种' },
  pairExists: { code: 5012, message: '已有这个交易对' },
  pairReversed: { code: 5013, message: '已有方向相反的交易对，确认后才会添加' },
  pairNotTradable: { code: 5014, message: '该币种已停止交易或没有最新价格' },
  pairBelowMinimum: { code: 5015, message: '单边名义低于该币种的最小下单金额' },
  pairBlacklisted: { code: 5016, message: '该币种在黑名单中' },
  pairOpen: { code: 5017, message: '该交易对有未平的对冲，平仓后才能移除' },
  pairArmed: { code: 5018, message: '该交易对正在等待开仓或已在持有，不需要重新开仓' },
  pairLeverage: { code: 5019, message: '杠杆超过该币种的上限' },
  hedgeEnded: { code: 5021, message: '该对冲单已经结束' },
  notPaused: { code: 5022, message: '没有暂停，不需要恢复' },

  strategyHedge: { code: 5101, message: '多空对冲在对冲台配置，不在这里新建' },
  strategyLive: { code: 5102, message: '实盘需要真实交易所，目前只能模拟' },
  strategyNameTaken: { code: 5103, message: '已有同名的策略，请换一个名称' },
  strategyInUse: { code: 5104, message: '还有未结束的交易单，平仓后才能删除' },
  strategyNotStopped: { code: 5105, message: '请先停止这个策略' },
  strategyKeepsHeld: { code: 5106, message: '还有交易单的标的不能从参数中去掉，平仓后再改' },
  strategyClosing: { code: 5107, message: '正在平仓，平完停止后才能再启动' },
  strategyStopped: { code: 5108, message: '这个策略已经停止' },
  dealEnded: { code: 5109, message: '该交易单已经结束' },
  strategyCoin: { code: 5110, message: '该交易所没有需要的标的' },

  dayNotBegun: { code: 6001, message: '今日的记账还没有开始，请稍后再改' },
  accountMissing: { code: 6002, message: '账户还没有开立：演示账户的历史正在生成，请稍候' },

  keyNameTaken: { code: 7001, message: '该交易所下已有同名的密钥，请换一个名称' },
  keyWithdraws: { code: 7002, message: '该密钥带有提现权限，拒绝保存：请在交易所关闭提现后再试' },
  keyRejected: { code: 7003, message: '交易所没有接受该密钥' },
  keyUnanswered: { code: 7004, message: '交易所没有回答，无法测试该密钥，请稍后再试' },
  keyExpired: { code: 7005, message: '该密钥已过期，拒绝保存' },
  keyInUse: { code: 7006, message: '密钥正在使用，不能删除；请先停止这些策略，或让账户改用另一个密钥' },
  keyLocked: { code: 7007, message: '该密钥由另一个主密钥加密，无法读取：请恢复原来的主密钥，或更换密钥' },
  keyStoreClosed: { code: 7008, message: '现在不能保存密钥' },
  keyTooMany: { code: 7009, message: '密钥数量已达上限，请先删除不用的' },
  webhookAddress: { code: 8001, message: '推送地址不可用' },
  webhookMissing: { code: 8002, message: '还没有设置推送地址' },
  tooManyViews: { code: 8011, message: '这个页面的视图已满，请先删除不用的' },
} as const;

export type RefusalName = keyof typeof REFUSALS;
