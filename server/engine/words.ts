import type Big from 'big.js';
import type { HedgeState, OrderState } from '#contract/lifecycle';
import { plain, usdt } from '../base/maths/decimal';
import type { BookOrder, DealBook, Line } from './tradingBook';

/** Texts that the engine writes into timelines and beside frozen deals. */
export const ORDER_IN_DOUBT = '订单结果不明，正在向交易所核对，核对前不再下单';
export const SHRUNK = '交易所回报的成交量变小，核对持仓前不再下单';
export const UNFOLLOWED = '交易所已停止跟踪，没有实时盘口可以成交，恢复跟踪后继续';
export const MISMATCH = '交易所持仓与账面不一致，未确认平仓，继续核对';
/** A request to unfreeze was checked and refused. */
export const notUnfrozen = (why: string): string => `恢复未成，仍不发送委托：${why}`;
export const DISAGREES = '交易所持仓与账面不一致';
/** Whether a freeze ends by the engine's own comparison with the venue, which no person can shorten. */
export const isRechecked = (frozen: string): boolean => [ORDER_IN_DOUBT, SHRUNK, UNFOLLOWED].includes(frozen);
export const STOPPED = '风控拦截';
export const wrongSide = (symbol: string, quantity: string): string =>
  `${symbol} 方向有误（持有 ${quantity}），已停止下单，请核对后平仓`;
/** Of a deal that rolled on. */
export const KEPT_LIMITS = '沿用原交易单改过的止损、止盈与最长持有';
export const AGREES = '交易所持仓与账面一致';
export { LOSS_GUARD as RISK_GUARD } from '#contract/account';
export const ENGINE = '引擎';
/** Actor of a tripped strategy. */
export const BREAKER = '熔断';

/** Why a transfer between accounts waits. */
export const TRANSFER_WORDS: Record<string, string> = {
  venueOut: '交易所没有回应，恢复后继续',
  walletShut: '交易所暂停充提，开放后继续',
};

/** The alert that legs are farther apart than their lots explain. */
export const APART = 'apart';
/** Of a leg of which somebody has traded a part away by hand. */
export const TAKEN = 'taken';
/** @param left what of it can be closed, unsigned; less than a lot is missing of none: nobody trades that. Empty then */
export function takenWords(symbol: string, held: Big, left: Big, lotSize: string): string {
  const gone = held.abs().minus(left);
  return gone.lt(lotSize)
    ? ''
    : `账户里 ${symbol} 只剩 ${plain(left)} 可平，${plain(gone)} 已被外部成交抵掉：另一腿的这一部分没有对冲；平仓只平剩下的`;
}

export const VENUE_WORDS: Record<string, string> = {
  insufficientMargin: '保证金不足',
  insufficientBalance: '余额不足',
  belowMinNotional: '低于最小下单金额',
  badStep: '价格或数量不符合步长',
  wouldCross: '挂单会立即成交',
  nothingToReduce: '没有可减的仓位',
  noLiquidity: '没有对手盘',
  unknownSymbol: '该币种不可交易',
  duplicateClientId: '订单号重复',
  tooMuchLeverage: '杠杆超过上限',
  priceBand: '价格超出交易所的限价范围',
  suspended: '交易所已暂停该币种交易',
  notPermitted: '密钥已失效、没有交易权限，或本服务的地址不在白名单里',
  noKey: '账户没有在用的密钥',
  otherAccount: '密钥属于交易所的另一个账户',
  twoWay: '账户是双向持仓，请改为单向持仓',
  isolated: '账户有逐仓币种，请改为全仓',
  accountMode: '账户模式不能用来交易：OKX 请改为合约模式，Bybit 请改为统一账户的全仓保证金，Gate 请改回经典账户',
  mayWithdraw: '密钥有提币权限，不能用来交易',
  openKey: '密钥没有 IP 白名单，不能用来交易',
  overCap: '超过账户的名义上限（LIVE_MAX_NOTIONAL）',
  noDeadline: '交易所的交割合约下单不能带时限，也没有断连撤单，不在那里交易',
  spotRests: '现货没有断连撤单，不能挂单',
  noCountdown: '账户在交易所没有断连撤单（DCP），不能挂单',
  tooOften: '请求过多，交易所要求稍后再发',
  unreachable: '连接不上交易所，没有发出',
  rejected: '被交易所拒绝',
};

export const lineOf = ({ id }: DealBook, kind: Line['kind'], detail: string): Line => ({ dealId: id, kind, detail });

/** What is left of a deal of which a part was closed, and what that part has brought so far. */
export function reducedText({ legs: { long, short } }: DealBook): string {
  const left = [long, short].map(({ symbol, quantity }) => `${symbol} ${plain(quantity)}`).join('，');
  return `剩 ${left}；累计价格已实现 ${usdt(long.realised.plus(short.realised))}`;
}

/** Timeline event of each state of a deal. */
export const EVENT_OF_STATE = {
  waiting: 'created',
  opening: 'created',
  open: 'opened',
  closing: 'closing',
  closed: 'closed',
  failed: 'failed',
} as const satisfies Record<HedgeState, Line['kind']>;

/** Timeline event of each state of an order. */
export const EVENT_OF_ORDER = {
  registered: 'registered',
  open: 'sent',
  filled: 'filled',
  cancelled: 'cancelled',
  expired: 'expired',
  refused: 'refused',
  inDoubt: 'inDoubt',
  lost: 'lost',
} as const satisfies Record<OrderState, Line['kind']>;

export const orderText = ({ symbol, side, quantity, limitPrice, type }: BookOrder): string =>
  `${symbol} ${side === 'buy' ? '买入' : '卖出'} ${plain(quantity)} ${type === 'maker' ? '挂' : '限'} ${plain(limitPrice)}`;
