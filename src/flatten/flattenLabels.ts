import type { FlattenBlock, FlattenRow, FlattenScope } from '#contract/flatten';

export const FLATTEN_BLOCK_LABEL: Record<FlattenBlock, string> = {
  frozen: '委托结果不明，与交易所核实之后才平',
  out: '交易所没有回应，恢复后才平',
  gone: '已下架或到期，由交易所结算',
  noPrice: '现在没有盘口，有报价后才平',
  thin: '盘口数量不足，分多次平，价格会更差',
};

const SCOPE_LABEL: Record<FlattenScope, string> = {
  own: '本人全部',
  strategy: '策略',
  user: '用户',
  all: '所有用户',
};

/** Whose deals a request was about. */
export const scopeText = ({ scope, name }: Pick<FlattenRow, 'scope' | 'name'>): string =>
  name === null ? SCOPE_LABEL[scope] : `${SCOPE_LABEL[scope]} ${name}`;

/** Of a notional, in basis points; null where nothing was traded. */
export const bpsOf = (cost: number | null, notional: number | null): number | null =>
  cost === null || notional === null || notional === 0 ? null : (cost / notional) * 10_000;

/** A while in words a reader takes in at once. */
export const secondsText = (seconds: number): string =>
  seconds < 90 ? `${seconds.toFixed(1)} 秒` : `${(seconds / 60).toFixed(1)} 分钟`;
