// The catalogue of business refusals: HTTP 200 with a code of four digits of its own.
// 1xxx sessions and users, 2xxx market and import, 3xxx selection, 4xxx backtest, 5xxx hedge, 6xxx account and orders,
// 7xxx exchange keys, 8xxx notifications and views.
// Each is an export, so that a page loads those alone that it names.

import { realKinds } from './strategyKind';

export const wrongPassword = { code: 1001, message: '用户名或密码错误' } as const;
export const nameTaken = { code: 1002, message: '该用户名不可用，请换一个' } as const;
export const commonPassword = { code: 1003, message: '该密码过于常见，容易被猜到，请换一个' } as const;
export const userBlocked = { code: 1004, message: '账户已停用，请联系管理员' } as const;
export const passwordIsName = { code: 1005, message: '密码不能含有用户名' } as const;
export const secondFactorNeeded = { code: 1006, message: '请输入两步验证码' } as const;
export const wrongCode = { code: 1007, message: '验证码不正确、已过期或已用过' } as const;
export const lastMaster = { code: 1008, message: '这是最后一个可登录的管理员，不能降级或停用' } as const;
export const wrongOneTimeCode = { code: 1009, message: '一次性代码不正确或已过期，请联系管理员重新生成' } as const;
export const wrongCurrentPassword = { code: 1010, message: '当前密码不正确' } as const;
export const samePassword = { code: 1011, message: '新密码不能与当前密码相同' } as const;
export const secondFactorOn = { code: 1012, message: '两步验证已经开启' } as const;
export const secondFactorOff = { code: 1013, message: '还没有开启两步验证，或设置已过期，请重新开始' } as const;
export const notYourself = { code: 1014, message: '不能对自己的账户执行此操作' } as const;
export const freshNeeded = { code: 1015, message: '请先确认是本人：输入当前密码，开了两步验证的输入验证码' } as const;
export const masterFactorNeeded = { code: 1016, message: '管理员须先开启两步验证，才能使用控制台' } as const;
export const registrationClosed = { code: 1017, message: '注册已关闭，请联系管理员开户' } as const;
export const ownFactorFirst = {
  code: 1018,
  message: '请先在个人设置中为自己开启两步验证，再要求所有管理员开启',
} as const;
export const masterFactorKept = { code: 1019, message: '管理员必须开启两步验证，不能关闭' } as const;
export const factorForLive = { code: 1020, message: '实盘须先为自己开启两步验证（个人设置）' } as const;
export const keyReused = { code: 1101, message: '这个操作标识已用于另一个请求，请刷新页面后重试' } as const;

export const unknownSource = { code: 2001, message: '没有这个数据源，可能已被删除，请重新选择' } as const;
export const unknownSymbol = { code: 2002, message: '该数据源中没有这个币种' } as const;
export const noCandles = { code: 2003, message: '该币种没有这个周期的 K 线' } as const;
export const sourceUnheard = { code: 2005, message: '还没有收到这个交易所的行情，请稍后再试' } as const;
export const sourceNotTraded = {
  code: 2004,
  message: '这个交易所已停止跟踪，没有实时盘口，不能交易，请换一个',
} as const;

export const tooFewCommonBars = { code: 3001, message: '两边的共同历史不足，无法计算配对指标' } as const;

export const backtestUnknownSymbol = { code: 4001, message: '所选数据源中没有这些币种' } as const;
export const backtestSameSymbol = { code: 4002, message: '同一币种不能同时做多和做空' } as const;
export const backtestNoCommonHistory = {
  code: 4003,
  message: '所选币种在该区间内没有足够的共同 K 线（至少 2 根）',
} as const;
export const backtestBarMissing = { code: 4004, message: '所选币种没有共同的该周期 K 线，请换一个周期' } as const;

export const hedgeConfigExists = { code: 5001, message: '已有对冲配置，请刷新后修改' } as const;
export const hedgeConfigMissing = { code: 5002, message: '请先保存对冲配置' } as const;
export const sourceInUse = { code: 5003, message: '还有未平的对冲或交易对，不能更换数据源' } as const;
export const pairSameSymbol = { code: 5011, message: '多头和空头不能是同一币种' } as const;
export const pairExists = { code: 5012, message: '已有这个交易对' } as const;
export const pairReversed = { code: 5013, message: '已有方向相反的交易对，确认后才会添加' } as const;
export const pairNotTradable = { code: 5014, message: '该币种已停止交易或没有最新价格' } as const;
export const pairBelowMinimum = { code: 5015, message: '每腿名义低于该币种的最小下单金额' } as const;
export const pairBlacklisted = { code: 5016, message: '该币种在黑名单中' } as const;
export const pairOpen = { code: 5017, message: '该交易对有未平的对冲，平仓后才能移除' } as const;
export const pairArmed = { code: 5018, message: '该交易对正在等待开仓或已在持有，不需要重新开仓' } as const;
export const pairLeverage = { code: 5019, message: '杠杆超过该币种的上限' } as const;
export const pairNoRoom = { code: 5020, message: '并行对数已满，不能开仓：先平掉一对，或提高最大并行对数' } as const;
export const hedgeEnded = { code: 5021, message: '该对冲单已经结束' } as const;
export const notPaused = { code: 5022, message: '没有暂停，不需要恢复' } as const;

export const strategyHedge = { code: 5101, message: '多空对冲在对冲台配置，不在这里新建' } as const;
export const strategyLive = {
  code: 5102,
  message: `这一类策略只能模拟，目前可用于实盘的是${realKinds()}`,
} as const;
export const strategyLiveSource = { code: 5135, message: '实盘的标的须都在可以下真实委托的交易所，目前是' } as const;
export const strategyTwin = { code: 5136, message: '模拟对照是同类型的模拟策略，只有实盘策略有' } as const;
export const strategyNameTaken = { code: 5103, message: '已有同名的策略，请换一个名称' } as const;
export const strategyInUse = { code: 5104, message: '还有未结束的交易单，平仓后才能删除' } as const;
export const strategyNotStopped = { code: 5105, message: '请先停止这个策略' } as const;
export const strategyKeepsHeld = { code: 5106, message: '还有交易单的标的不能从参数中去掉，平仓后再改' } as const;
export const strategyClosing = { code: 5107, message: '正在平仓，平完停止后才能再启动' } as const;
export const strategyStopped = { code: 5108, message: '这个策略已经停止' } as const;
export const dealEnded = { code: 5109, message: '该交易单已经结束' } as const;
export const strategyCoin = { code: 5110, message: '该交易所没有需要的标的' } as const;
export const strategyTripped = { code: 5111, message: '已熔断：请写明恢复的原因' } as const;
export const dealClosing = { code: 5127, message: '这张交易单已请求平仓，不能再改' } as const;
export const dealNotOpen = { code: 5113, message: '这张交易单现在没有两腿都持有' } as const;
export const dealNoNext = { code: 5114, message: '没有可以移到的下一到期：只有远腿是有到期日的合约时能移仓' } as const;
export const dealNoTarget = { code: 5115, message: '这一类交易单没有目标价差' } as const;
export const dealLimitsNone = { code: 5126, message: '这一类交易单没有这个限制' } as const;
export const dealRollBlocked = { code: 5116, message: '现在不能移仓' } as const;
export const strategyNotRunning = { code: 5117, message: '策略没有运行，不能开新的腿；请先启动' } as const;
export const deskTripped = { code: 5112, message: '已熔断：请在策略总览写明原因后恢复' } as const;

export const gridShift = { code: 5118, message: '不能这样移动区间' } as const;
export const gridMargin = { code: 5119, message: '不能追加这么多' } as const;
export const singleKind = { code: 5190, message: '这类策略没有下单票据，请新建策略' } as const;
export const singleBlocked = { code: 5191, message: '现在不会开仓，没有下单' } as const;
export const singleMoved = { code: 5192, message: '价格已越过票据的最差价，没有下单；请看新的票据' } as const;
export const singleDoubtful = { code: 5194, message: '有没看过的提示，没有下单；请看过再开' } as const;
export const singleBegun = { code: 5195, message: '这一笔已经开仓或已经结束，不能撤销' } as const;
export const singleOver = { code: 5193, message: '单笔只开一次，不能再启动或修改；需要再开请新建策略' } as const;
export const onceStopped = { code: 5120, message: '策略没有在运行，先启动再执行一次' } as const;
export const dealNotFrozen = { code: 5121, message: '这张交易单没有冻结' } as const;
export const dealRechecked = { code: 5122, message: '引擎正在与交易所核对，一致后自动恢复，不能手动恢复' } as const;
export const dealUnfreezeReason = { code: 5123, message: '请写明恢复的原因' } as const;
export const targetArmed = { code: 5125, message: '该标的没有等待确认，也没有手动平仓，不需要重新启用' } as const;
export const dealUnguarded = {
  code: 5130,
  message: '无人看护：策略已停止，引擎不会执行；请先接管看护，或直接平仓',
} as const;
export const dealNoPart = { code: 5132, message: '这一类交易单不能部分平仓' } as const;
export const dealFrozen = { code: 5133, message: '这张交易单已冻结，不发送委托；请先恢复，或全部平仓' } as const;
export const dealRolling = { code: 5134, message: '正在移仓，移完再部分平仓' } as const;
export const nothingUnguarded = { code: 5131, message: '这个策略没有无人看护的交易单' } as const;
export const gridHistory = { code: 5124, message: '不能自动填区间' } as const;
export const coinTransfer = { code: 6009, message: '不能划转这么多' } as const;

export const dayNotBegun = { code: 6001, message: '今日的记账还没有开始，请稍后再改' } as const;
export const accountMissing = { code: 6002, message: '账户还没有开立，请稍候再试；一直如此时请重新登录' } as const;
export const accountAtVenue = { code: 6003, message: '在该交易所已有这种账户，模拟与实盘各一个' } as const;
export const accountNameTaken = { code: 6004, message: '已有同名的账户，请换一个名称' } as const;
export const transferTooMuch = { code: 6005, message: '超过可划出金额' } as const;
export const transferUnanswered = {
  code: 6006,
  message: '转出账户的交易所现在没有回答，无法确认可划出金额，请稍后再试',
} as const;
export const transferSameAccount = { code: 6007, message: '转出与转入不能是同一个账户' } as const;
export const liveTransfer = { code: 6010, message: '实盘账户的资金只能在交易所划转' } as const;
export const liveClosed = { code: 6011, message: '本服务器不能下真实委托：没有以 TRADING=live 启动' } as const;
export const liveKeyUnfit = { code: 6012, message: '这个密钥不能用于实盘，账户没有开立' } as const;
export const accountUnanswered = {
  code: 6014,
  message: '账户所在的交易所现在没有回答，持仓未知，请稍后再试',
} as const;
export const liveAccountTaken = {
  code: 6013,
  message: '这个密钥的交易所账户已经开立了实盘账户，一个交易所账户只能开立一次',
} as const;
export const storyTold = { code: 6008, message: '演示账户的历史正在生成，请稍候再试' } as const;

export const keyNameTaken = { code: 7001, message: '该交易所下已有同名的密钥，请换一个名称' } as const;
export const keyWithdraws = { code: 7002, message: '该密钥带有提现权限，拒绝保存：请在交易所关闭提现后再试' } as const;
export const keyRejected = { code: 7003, message: '交易所没有接受该密钥' } as const;
export const keyUnanswered = { code: 7004, message: '交易所没有回答，无法测试该密钥，请稍后再试' } as const;
export const keyExpired = { code: 7005, message: '该密钥已过期，拒绝保存' } as const;
export const keyInUse = {
  code: 7006,
  message: '密钥正在使用，不能删除，也不能从账户取消；请先停止这些策略，或让账户改用另一个密钥',
} as const;
export const keyLocked = {
  code: 7007,
  message: '该密钥由另一个主密钥加密，无法读取：请恢复原来的主密钥，或更换密钥',
} as const;
export const keyStoreClosed = { code: 7008, message: '现在不能保存密钥' } as const;
export const keyDamaged = { code: 7010, message: '保存的密钥已损坏，无法读取：请更换密钥' } as const;
export const keyTooMany = { code: 7009, message: '密钥数量已达上限，请先删除不用的' } as const;
export const keyOtherVenue = { code: 7011, message: '密钥不是这个账户所在交易所的，请选择该交易所的密钥' } as const;
export const keyOtherAccount = {
  code: 7013,
  message: '密钥属于交易所的另一个账户：实盘账户只能换用开立它的那个交易所账户的密钥',
} as const;
export const keyNotAsked = { code: 7012, message: '现在不能询问这个密钥的账户' } as const;
export const webhookAddress = { code: 8001, message: '推送地址不可用' } as const;
export const webhookMissing = { code: 8002, message: '还没有设置推送地址' } as const;
export const channelMissing = { code: 8003, message: '还没有设置这个推送渠道' } as const;
export const tooManyStars = { code: 8021, message: '自选已满，请先移出不看的' } as const;
export const tooManyViews = { code: 8011, message: '这个页面的视图已满，请先删除不用的' } as const;
