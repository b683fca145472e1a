import { venueName } from '#contract/candle';
import type { CloseReason, HedgeEventKind } from '#contract/lifecycle';
import type { NotificationKind, NotificationLevel } from '#contract/notification';
import { usdt } from '../../base/maths/decimal';
import type { SourceSymbol } from '../../base/symbolKey';

interface Words {
  kind: NotificationKind;
  level: NotificationLevel;
  title: string;
  /** Masters are told too, whoever's deal it is. */
  forMasters?: true;
}

/** What of a deal's record its owner is told of. */
export const DEAL_WORDS = {
  opened: { kind: 'trade', level: 'info', title: '已开仓' },
  closed: { kind: 'trade', level: 'info', title: '已平仓' },
  failed: { kind: 'trade', level: 'warning', title: '开仓未完成' },
  delivered: { kind: 'trade', level: 'info', title: '到期交割' },
  rolled: { kind: 'trade', level: 'info', title: '移仓' },
  liquidated: { kind: 'risk', level: 'error', title: '强平', forMasters: true },
  deleveraged: { kind: 'risk', level: 'error', title: '自动减仓（ADL）', forMasters: true },
  delisted: { kind: 'risk', level: 'warning', title: '合约下架', forMasters: true },
  frozen: { kind: 'risk', level: 'error', title: '交易单已冻结', forMasters: true },
  governed: { kind: 'risk', level: 'error', title: '委托被风控拦截', forMasters: true },
  thawed: { kind: 'risk', level: 'info', title: '冻结已解除' },
  inDoubt: { kind: 'risk', level: 'warning', title: '委托结果不明' },
  lost: { kind: 'risk', level: 'warning', title: '委托没有到达交易所' },
} as const satisfies Partial<Record<HedgeEventKind, Words>>;

type ToldEvent = keyof typeof DEAL_WORDS;
export const TOLD_EVENTS = Object.keys(DEAL_WORDS) as ToldEvent[];
export const wordsOf = (event: HedgeEventKind): Words => DEAL_WORDS[event as ToldEvent];

const REASONS: Record<CloseReason, string> = {
  manual: '手动平仓',
  exitZ: '回归到平仓 z',
  takeProfit: '止盈',
  stopLoss: '止损',
  maxHolding: '到最长持有时间',
  flatten: '全部平仓',
  kept: '币转为账户库存',
  liquidation: '强平',
  deleveraged: '自动减仓（ADL）',
  delisted: '合约下架',
  delivery: '到期交割',
  done: '两边成交',
  stockGone: '库存已卖出',
  rateGap: '费率收窄',
  rateFlip: '费率反转',
  converged: '价差收敛',
  expiry: '到期前平仓',
  rolled: '移仓到下一到期',
  oneLeg: '单腿超时',
  refused: '委托被拒绝',
  cancelled: '撤单',
};

/** A line of a deal's record for people: of an end its detail is a word of the contract. */
export const detailWords = (event: HedgeEventKind, detail: string): string =>
  event === 'closed' || event === 'failed' ? (REASONS[detail as CloseReason] ?? detail) : detail;

/** USDT with its sign. */
export const signedMoney = (amount: string): string => {
  const value = Number(amount);
  return `${value < 0 ? '−' : '+'}${usdt(Math.abs(value))}`;
};

/** What a deal is in: the symbols of its legs, and where one symbol stands against itself the venues. */
export function dealName(places: readonly SourceSymbol[]): string {
  const symbols = [...new Set(places.map(({ symbol }) => symbol))].join(' / ');
  const venues = new Set(places.map(({ source }) => venueName(source)));
  const isTwice = symbols === places[0]?.symbol && venues.size > 1;
  return isTwice ? `${symbols} ${[...venues].join(' / ')}` : symbols;
}
