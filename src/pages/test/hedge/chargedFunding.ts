import type { BacktestResult } from '#contract/backtest';

export interface ChargedFunding {
  /** USDT, received is positive; null where none was charged, which is not the same as nothing. */
  value: number | null;
  /** Why it is missing. */
  reason?: string;
}

const NOT_ASKED: ChargedFunding = { value: null, reason: '本次回测没有计入资金费' };
const NOT_STORED: ChargedFunding = { value: null, reason: '该数据源没有这段时间的资金费，未计入损益' };

/** The funding of a run, or why there is no such figure. */
export function chargedFunding({ honesty, split }: Pick<BacktestResult, 'honesty' | 'split'>): ChargedFunding {
  const { fundingExpected, fundingMissing } = honesty;
  if (fundingExpected === 0) return NOT_ASKED;
  return fundingMissing === fundingExpected ? NOT_STORED : { value: split.funding };
}
