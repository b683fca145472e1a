import type { StatisticDaily } from '#contract/statistic';
import { csvOf, downloadCsv } from '@/table/csv';

const COLUMNS: readonly [title: string, key: Exclude<keyof StatisticDaily, 'day'>][] = [
  ['日末权益 USDT', 'equity'],
  ['划转 USDT', 'transfers'],
  ['日收益率', 'return'],
  ['净值', 'index'],
  ['回撤', 'drawdown'],
  ['多头腿 USDT', 'long'],
  ['空头腿 USDT', 'short'],
  ['资金费 USDT', 'funding'],
  ['手续费 USDT', 'fees'],
  ['净盈亏 USDT', 'net'],
  ['BTC 日收益率', 'btcReturn'],
  ['30 日夏普', 'sharpe30'],
  ['30 日 beta', 'beta30'],
  ['中性度', 'neutrality'],
  ['缺记录账户数', 'missing'],
];

/** The days as a file: one line a UTC day. */
export function daysCsv(daily: StatisticDaily): string {
  const rows = daily.day.map((day, i) => [day, ...COLUMNS.map(([, key]) => daily[key][i])]);
  return csvOf(['日期 UTC', ...COLUMNS.map(([title]) => title)], rows);
}

export const downloadDays = (daily: StatisticDaily) =>
  downloadCsv(`实盘日收益-${daily.day[0]}-${daily.day.at(-1)}.csv`, daysCsv(daily));
