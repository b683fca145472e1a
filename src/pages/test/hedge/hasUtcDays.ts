import type { BacktestResult } from '#contract/backtest';

/** Daily bars close at 00:00 UTC: in local time their dates would be a day off for half of the world. */
export const hasUtcDays = ({ bar }: Pick<BacktestResult, 'bar'>): boolean => bar === '1d';
