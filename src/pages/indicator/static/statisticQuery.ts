import { DAY_MS } from '#contract/duration';
import type { StatisticQuery } from '#contract/statistic';
import { STRATEGY_MODES, type StrategyMode } from '#contract/strategy';
import { numberCodec, textCodec, wordCodec } from '@/components/useQueryState';

export const PERIODS = ['30d', '90d', '365d', 'all', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Partial<Record<Period, number>> = { '30d': 30, '90d': 90, '365d': 365 };

/** What the address says of the filter; `start` and `end` count only for the period `custom`. */
export interface StatisticState {
  period: Period;
  start: number | null;
  end: number | null;
  /** null: what the server begins with. */
  mode: StrategyMode | null;
  userId: string;
  source: string;
  accountId: string;
  strategyId: string;
  pair: string;
}

export type ChangeStatistic = (change: Partial<StatisticState>) => void;

export const statisticCodecs = {
  period: wordCodec(PERIODS, 'all'),
  start: numberCodec(null),
  end: numberCodec(null),
  mode: wordCodec(STRATEGY_MODES, null),
  userId: textCodec(),
  source: textCodec(),
  accountId: textCodec(),
  strategyId: textCodec(),
  pair: textCodec(),
};

/** The filter as the server takes it: the newest n whole UTC days, or the days chosen. */
export function queryOf({ period, start, end, mode, ...words }: StatisticState, now: number): StatisticQuery {
  const days = DAYS[period];
  const from = days === undefined ? (period === 'custom' ? start : null) : (Math.floor(now / DAY_MS) - days) * DAY_MS;
  const to = period === 'custom' ? end : null;
  return {
    ...(from === null ? {} : { start: from }),
    ...(to === null ? {} : { end: to }),
    ...(mode === null ? {} : { mode }),
    ...Object.fromEntries(Object.entries(words).filter(([, word]) => word !== '')),
  };
}
