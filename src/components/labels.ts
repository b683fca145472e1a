import { sourceName } from '#contract/candle';
import {
  ACCOUNT_TROUBLE_LABEL,
  type CloseReason,
  type HedgeEventKind,
  type HedgeState,
  type HoldBack,
  type NotCompared,
  type PairBlock,
  type TargetHold,
} from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';
import { formatNumber } from './formatNumber';

/** The words of the contract's states and reasons, wherever a screen shows them. */
export const HEDGE_STATE_LABEL: Record<HedgeState, string> = {
  waiting: '待建仓',
  opening: '建仓中',
  open: '持有',
  closing: '平仓中',
  closed: '已平仓',
  failed: '失败',
};

export const CLOSE_REASON_LABEL: Record<CloseReason, string> = {
  manual: '手动平仓',
  exitZ: 'z 出场',
  takeProfit: '止盈',
  stopLoss: '止损',
  maxHolding: '持有到期',
  flatten: '全部平仓',
  kept: '币转为账户库存',
  liquidation: '强平',
  deleveraged: '自动减仓（ADL）',
  delisted: '币种下架',
  delivery: '到期交割',
  rateFlip: '费率反转',
  rateGap: '费率收窄',
  converged: '价差收敛',
  done: '两边成交',
  stockGone: '库存已卖出',
  expiry: '到期前平仓',
  rolled: '移仓到下一到期',
  oneLeg: '单腿退回',
  refused: '委托被拒',
  cancelled: '建仓前取消',
};

/** The whole part of a quantity or a price that the engine wrote; other digits, such as a symbol's, are none. */
const WRITTEN = /(?<=(?:买入|卖出|挂|限|@|了结|交割|被强平) |（ADL）)\d{4,}/g;

/** What a timeline says of an event: its reason in words where it is one, else its text, thousands separated. */
export const eventText = (detail: string): string =>
  detail in CLOSE_REASON_LABEL
    ? CLOSE_REASON_LABEL[detail as CloseReason]
    : detail.replace(WRITTEN, (figure) => formatNumber(Number(figure), { digits: 0 }));

/** A market source by name; imported ones are called what they were imported as. */
export const sourceLabel = sourceName;

export const PAIR_BLOCK_LABEL: Record<PairBlock, string> = {
  disabled: '对冲已停用',
  tripped: '策略已熔断',
  userBlocked: '账户已停用',
  paused: '已暂停开仓',
  pausedForAll: '管理员已暂停开仓',
  lossLimit: '模拟账户已达单日最大亏损',
  unvalued: '估值缺失',
  ...ACCOUNT_TROUBLE_LABEL,
  unarmed: '已添加，先不建仓',
  closedByHand: '已手动平仓，未再启用',
  unconfirmed: '待确认',
  used: '已开过一次',
  open: '进行中',
  slots: '并行对数已满',
  blacklisted: '在黑名单中',
  notTradable: '币种不可交易',
  stalePrice: '价格停滞',
  priceJump: '价格跳变',
  noHistory: '共同历史不足',
  waitsForZ: '等待 z 入场',
  belowMinimum: '低于最小下单金额',
  noAccount: '在该交易所没有账户',
  margin: '可用保证金不足',
  overCap: '超过账户的名义上限',
  out: '交易所中断',
  depth: '深度不足',
  incomplete: '成本不全',
  borrow: '负费率，反向需借币',
  noPayback: '回不了本',
  adl: '自动减仓风险高',
  young: '新上市',
  waitsForApr: '净年化未到开仓值',
  waitsForGap: '费率差未高于平仓值',
  ticketMoved: '价格越过票据的最差价',
  ticketExpired: '确认已过时效',
  positionGone: '要接管的持仓已不在或不足',
  waitsForEdge: '净价差未到开仓值',
  waitsForStreak: '等待连续触发',
  latency: '延迟过高',
  cooldown: '间隔未到',
  retryLater: '连续没有建成，稍后再试',
  exitTooNear: '平仓价差离开仓价差太近，到了也不够付手续费',
  waitsForPerson: '等待手动执行',
  dayLimit: '达到单日成交上限',
  inventory: '卖出所库存不足',
  waitsForStock: '等有库存再对冲',
  noCoin: '账户闲置的币不够底仓',
  holdTooShort: '最长持有内回不了本',
  coinCap: '达到单币上限',
  balance: '可用余额不足',
  wallet: '充提暂停',
  costs: '扣除成本后不赚',
  trigger: '等触发价',
  outOfRange: '现价在区间之外',
  lostBefore: '近 7 日与 30 日重放均亏损',
};

/** What keeps whole accounts or strategies from opening, and how it ends. */
export const GUARD_WAY_BACK: Record<HoldBack | 'tripped', string> = {
  userBlocked: '由管理员恢复这个用户',
  pausedForAll: '由管理员恢复',
  lossLimit: '在多空对冲写明原因恢复，或在账户总览提高上限',
  paused: '在多空对冲写明原因恢复',
  unvalued: '有了价格自动继续',
  tripped: '写明原因后启动该策略即恢复',
};
export const isGuard = (block: PairBlock): block is HoldBack | 'tripped' => block in GUARD_WAY_BACK;

/** What holds a target, and what lets it be opened again. */
export const HOLD_LABEL: Record<TargetHold, string> = {
  closed: PAIR_BLOCK_LABEL.closedByHand,
  confirm: PAIR_BLOCK_LABEL.unconfirmed,
};
/** The same in a tag, which has the width of a state: the rest is in its tooltip. */
export const HOLD_TAG_LABEL: Record<TargetHold, string> = { closed: '已手动平仓', confirm: '待确认' };
export const REARM_VERB: Record<TargetHold, string> = { closed: '重新启用', confirm: '确认开仓' };

export const HEDGE_EVENT_LABEL: Record<HedgeEventKind, string> = {
  created: '创建',
  registered: '登记委托',
  sent: '发出委托',
  refused: '委托被拒',
  inDoubt: '委托结果不明',
  found: '已查明委托',
  lost: '委托未到达',
  filled: '成交',
  expired: '委托过期',
  cancelled: '委托撤销',
  opened: '两腿建成',
  oneLeg: '出现裸腿',
  completing: '补齐另一腿',
  unwinding: '退回已成交的腿',
  rebalancing: '再平衡',
  closing: '开始平仓',
  closed: '两腿已平',
  failed: '失败',
  funding: '资金费结算',
  frozen: '冻结',
  thawed: '解除冻结',
  liquidated: '强平',
  deleveraged: '自动减仓',
  delisted: '下架了结',
  delivered: '到期交割',
  governed: '风控拦截',
  writtenOff: '余量核销',
  handedOver: '转为库存',
  takenIn: '从账户转入',
  rolled: '移仓',
  limits: '修改止损止盈',
  reducing: '部分平仓',
  reduced: '部分平仓完成',
};

/** Why there is no figure a year yet. */
export { HELD_BRIEFLY } from '#contract/lifecycle';

/** What is wrong with a held hedge. */
export const HEDGE_BADGE_LABEL = { oneLeg: '裸腿', unbalanced: '不平衡' } as const;

/** Why a hedge is not held against a backtest: in a word, and in full. */
export const NOT_COMPARED_TAG: Record<NotCompared, string> = {
  underHour: '过短',
  noSource: '无数据源',
  noCandles: '无 K 线',
  tooShort: '收盘不足',
};
export const NOT_COMPARED_LABEL: Record<NotCompared, string> = {
  underHour: '过短（持有不足 1 小时）',
  noSource: '数据源已不存在',
  noCandles: '币种没有共同周期的 K 线',
  tooShort: '持有期内没有两根可用的共同 K 线收盘',
};

/** Why a row of a scanner cannot be acted on: a word, and what is behind it. */
export const OBSTACLE_LABEL: Record<Obstacle, readonly [word: string, reason: string]> = {
  out: ['交易所中断', '有交易所现在不应答：它的价格是中断之前的，或没有'],
  depth: ['深度不足', '盘口装不下这个规模，请减小规模'],
  minimum: ['低于最小名义', '按步长取整后低于最小名义价值，请加大规模'],
  incomplete: ['成本不全', '缺少盘口、费率或条款，无法算出净收益'],
  borrow: ['不可借', '反向要先卖出现货；这里不能借币，持有该币时才能做'],
  noPayback: ['回不了本', '结算的收入付不清成本，或没有费率可收'],
  waitsForGap: ['费率差不够', '本期费率差（F7）不高于默认的平仓费率差 0：现在开会马上平掉，所以不开'],
  adl: ['ADL 高', '自动减仓等级为 4 或 5，盈利的一侧可能被强制减仓'],
  young: ['新上市', '上市不满 30 天，费率与深度都不稳'],
  wallet: ['充提暂停', '该币种或 USDT 现在不能充值或提现'],
  costs: ['扣成本后不赚', '按设定的规模与持有时间，收入付不清双边手续费、滑点与借币'],
  outOfRange: ['区间之外', '现价不在这段区间里'],
  lostBefore: ['重放均亏', '近 7 日与 30 日重放均亏损'],
};

/** A deal's symbols as one name: two legs may be of one symbol, at two venues. */
export const symbolsText = (symbols: readonly string[]): string => [...new Set(symbols)].join(' / ');
