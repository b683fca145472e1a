import type { StatisticDaily } from '#contract/statistic';
import { csvOf, downloadCsv } from '@/table/csv';
import { asWritten } from '@/table/written';

type Key = Exclude<keyof StatisticDaily, 'day'>;

/** With as many digits as the cards and curves show. */
const COLUMNS: readonly [title: string, key: Key, digits: number, percent?: boolean][] = [
  ['日末权益 USDT', 'equity', 2],
  ['划转 USDT', 'transfers', 2],
  ['日收益率 (%)', 'return', 2, true],
  ['净值', 'index', 4],
  ['回撤 (%)', 'drawdown', 2, true],
  ['多头腿 USDT', 'long', 2],
  ['空头腿 USDT', 'short', 2],
  ['资金费 USDT', 'funding', 2],
  ['手续费 USDT', 'fees', 2],
  ['净盈亏 USDT', 'net', 2],
  ['BTC 日收益率 (%)', 'btcReturn', 2, true],
  ['30 日夏普', 'sharpe30', 2],
  ['30 日 beta', 'beta30', 2],
  ['中性度 (%)', 'neutrality', 2, true],
  ['缺记录账户数', 'missing', 0],
];

/** The days as a file: one line a UTC day. */
export function daysCsv(daily: StatisticDaily): string {
  const rows = daily.day.map((day, i) => [
    day,
    ...COLUMNS.map(([, key, digits, percent]) => asWritten(daily[key][i], digits, percent)),
  ]);
  return csvOf(['日期 UTC', ...COLUMNS.map(([title]) => title)], rows);
}

export const downloadDays = (daily: StatisticDaily) =>
  downloadCsv(`中性日收益-${daily.day[0]}-${daily.day.at(-1)}.csv`, daysCsv(daily));
