import type { LimitName } from '#contract/strategyLimits';

export const LIMIT_LABEL: Record<LimitName, string> = {
  maxDrawdown: '最大回撤',
  dailyLoss: '单日亏损',
  maxNotional: '最大名义',
};
