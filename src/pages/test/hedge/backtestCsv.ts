import type { BacktestResult } from '#contract/backtest';
import { formatDateTime } from '@/components/DateTime';
import { csvOf, downloadCsv } from '@/table/csv';
import { asWritten } from '@/table/written';

type Figure = number | null | undefined;

/** Figures as the tables and curves beside the files show them. */
const money = (value: Figure) => asWritten(value, 2);
const percent = (value: Figure) => asWritten(value, 2, true);
const utc = (instant: number) => formatDateTime(instant, 'second', true);

/** Symbols may hold what a file name must not. */
const safe = (symbols: string[]) =>
  symbols
    .join('+')
    .replace(/[\\/:*?"<>|\s]+/g, '-')
    .slice(0, 60);
const fileName = ({ long, short, bar }: BacktestResult, what: string) =>
  `回测-${what}-${safe(long)}-vs-${safe(short)}-${bar}.csv`;

/** The curves as a file: one line per drawn close. */
export function curveCsv({ time, equity, drawdown, longLeg, shortLeg, benchmark }: BacktestResult): string {
  return csvOf(
    ['时间 UTC', '权益 USDT', '回撤 (%)', '多头腿 USDT', '空头腿 USDT', 'BTC 基准 USDT'],
    time.map((at, i) => [
      utc(at),
      money(equity[i]),
      percent(drawdown[i]),
      ...[longLeg[i], shortLeg[i], benchmark[i]].map(money),
    ]),
  );
}

/** The hedges as a file. */
export function tradesCsv({ trades }: BacktestResult): string {
  return csvOf(
    [
      ...['开仓 UTC', '平仓 UTC', '根数', '名义 USDT', '多头价格损益 USDT', '空头价格损益 USDT', '资金费 USDT'],
      ...[
        '手续费 USDT',
        '滑点 USDT',
        '穿仓 USDT',
        '净损益 USDT',
        '收益率（按名义） (%)',
        '最大浮亏 USDT',
        '最大浮盈 USDT',
      ],
      '爆仓',
    ],
    trades.map((row) => [
      ...[utc(row.openAt), utc(row.closeAt), row.bars],
      ...[row.notional, row.longPnl, row.shortPnl, row.funding].map(money),
      ...[row.fees, row.slippage, row.shortfall, row.net].map(money),
      ...[percent(row.return), money(row.mae), money(row.mfe), row.liquidated ? '是' : '否'],
    ]),
  );
}

/** The legs between rebalances as a file. */
export function legsCsv({ legs }: BacktestResult): string {
  return csvOf(
    [
      '币种',
      '方向',
      '开仓 UTC',
      '平仓 UTC',
      '根数',
      '开仓价',
      '平仓价',
      '数量',
      '名义 USDT',
      '价格损益 USDT',
      '资金费 USDT',
      '手续费 USDT',
      '滑点 USDT',
      '净损益 USDT',
      '收益率（按名义） (%)',
    ],
    legs.map((row) => [
      row.symbol,
      row.side === 'long' ? '多' : '空',
      utc(row.openAt),
      utc(row.closeAt),
      row.bars,
      asWritten(row.openPrice, 'price'),
      asWritten(row.closePrice, 'price'),
      row.quantity,
      ...[row.notional, row.pricePnl, row.funding, row.fees, row.slippage, row.net].map(money),
      percent(row.return),
    ]),
  );
}

export const downloadCurve = (result: BacktestResult) => downloadCsv(fileName(result, '曲线'), curveCsv(result));
export const downloadTrades = (result: BacktestResult) => downloadCsv(fileName(result, '交易'), tradesCsv(result));
export const downloadLegs = (result: BacktestResult) => downloadCsv(fileName(result, '分段'), legsCsv(result));
