import type { ReactNode } from 'react';
import type { BacktestResult, BacktestSummary } from '#contract/backtest';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { sampleReason } from '@/components/sampleReason';
import { chargedFunding } from './chargedFunding';
import { hasUtcDays } from './hasUtcDays';

interface Tile {
  label: string;
  formula: string;
  figure: (result: BacktestResult) => ReactNode;
  /** A second line under the figure. */
  detail?: (result: BacktestResult) => ReactNode;
}

interface TileGroup {
  title: string;
  tiles: Tile[];
}

const ratio = (value: number | null, reason: string) => <Amount value={value} reason={reason} />;
const money = (value: number | null, reason?: string) => <Pnl value={value} unit="USDT" compact reason={reason} />;

const NO_VARIANCE = '收益不足两个或没有波动，无法计算';
const NO_TRADES = '没有同时出现盈利与亏损的对冲，无法计算';
const NO_BTC = '该数据源没有足够的 BTC K 线';
const DAILY = '日收益（UTC 收盘）';

const fewTrades = ({ trades, fewestTrades }: BacktestSummary, otherwise = NO_TRADES) =>
  sampleReason({ size: trades, fewest: fewestTrades, unit: '单' }, otherwise);
const fewDays = ({ days, fewestDays }: BacktestSummary, otherwise: string) =>
  sampleReason({ size: days, fewest: fewestDays, unit: '天' }, otherwise);

const beyond = (own: number, other: number | null) =>
  other === null ? null : (
    <>
      本组合领先 <Pnl value={own - other} percent />
    </>
  );

const drawdownDates = (result: BacktestResult) => {
  const { summary } = result;
  const day = { precision: 'day', utc: hasUtcDays(result) } as const;
  return summary.drawdownPeakAt === null ? null : (
    <>
      <DateTime value={summary.drawdownPeakAt} {...day} /> 至 <DateTime value={summary.drawdownTroughAt} {...day} />
      ，恢复 <DateTime value={summary.drawdownRecoveredAt} {...day} reason="区间内尚未恢复" />
    </>
  );
};

/** Every figure of the summary, with the formula that its tooltip states. */
export const TILE_GROUPS: TileGroup[] = [
  {
    title: '收益',
    tiles: [
      {
        label: '净收益',
        formula: '期末权益 − 初始资金 = 价格 + 资金费 − 手续费 − 滑点 + 穿仓',
        figure: ({ summary }) => money(summary.net),
      },
      {
        label: '收益率',
        formula: '净收益 / 初始资金',
        figure: ({ summary }) => <Pnl value={summary.totalReturn} percent />,
      },
      {
        label: '期末权益',
        formula: '末个收盘平仓之后的权益',
        figure: ({ summary }) => <Amount value={summary.finalEquity} unit="USDT" />,
      },
      {
        label: 'CAGR',
        formula: '(期末权益 / 初始资金)^(365 / 天数) − 1',
        figure: ({ summary }) => <Pnl value={summary.cagr} percent reason="区间过短或年化超出可表示的范围" />,
      },
      {
        label: '夏普',
        formula: `均值 / 标准差 × √365，${DAILY}`,
        figure: ({ summary }) => ratio(summary.sharpe, fewDays(summary, NO_VARIANCE)),
      },
      {
        label: '索提诺',
        formula: `均值 / √(Σ min(R,0)² / n) × √365，${DAILY}`,
        figure: ({ summary }) => ratio(summary.sortino, fewDays(summary, '没有亏损的日子，无法计算')),
      },
      {
        label: '卡玛',
        formula: 'CAGR / |最大回撤|',
        figure: ({ summary }) => ratio(summary.calmar, fewDays(summary, '没有回撤，无法计算')),
      },
    ],
  },
  {
    title: '风险',
    tiles: [
      {
        label: '最大回撤',
        formula: `min(权益 / 历史最高 − 1)，最高自初始资金起算，${DAILY}`,
        figure: ({ summary }) => <Pnl value={summary.maxDrawdown} percent />,
        detail: drawdownDates,
      },
      {
        label: '最长未创新高',
        formula: '从一个高点到再次回到该高点（或区间结束）的最长时间',
        figure: ({ summary }) => <Amount value={summary.longestUnderwaterDays} digits={0} unit="天" />,
      },
      {
        label: '波动率',
        formula: `标准差 × √365，${DAILY}`,
        figure: ({ summary }) => <Percent value={summary.volatility} reason={NO_VARIANCE} />,
      },
      { label: '溃疡指数', formula: '√均值(回撤²)', figure: ({ summary }) => <Percent value={summary.ulcer} /> },
      {
        label: 'VaR 95',
        formula: '一日，历史法：95% 的日子亏损不超过它',
        figure: ({ summary }) => <Percent value={summary.var95} reason="少于 20 天，无法计算" />,
      },
      {
        label: 'CVaR 95',
        formula: '一日，历史法：最差 5% 日子的平均亏损',
        figure: ({ summary }) => <Percent value={summary.cvar95} reason="少于 20 天，无法计算" />,
      },
    ],
  },
  {
    title: '交易',
    tiles: [
      {
        label: '交易数',
        formula: '一次对冲自建仓到平仓为一笔，多空两边合计；再平衡之间的各段不另计',
        figure: ({ summary }) => <Amount value={summary.trades} digits={0} />,
      },
      {
        label: '胜率',
        formula: '净收益 > 0 的对冲 / 全部对冲',
        figure: ({ summary }) =>
          summary.trades === 0 ? null : <Percent value={summary.winRate} reason={fewTrades(summary)} />,
      },
      {
        label: '盈亏比',
        formula: '平均盈利 / |平均亏损|',
        figure: ({ summary }) => ratio(summary.payoff, fewTrades(summary)),
      },
      {
        label: '利润因子',
        formula: '盈利之和 / |亏损之和|',
        figure: ({ summary }) => ratio(summary.profitFactor, fewTrades(summary)),
      },
      {
        label: '期望',
        formula: '胜率 × 平均盈利 − (1 − 胜率) × |平均亏损|，每笔',
        figure: ({ summary }) => money(summary.expectancy, fewTrades(summary)),
      },
      {
        label: 'SQN',
        formula: '√交易数 × 均值 / 标准差，每笔净收益',
        figure: ({ summary }) => ratio(summary.sqn, fewTrades(summary)),
      },
      {
        label: '平均持有',
        formula: '每笔对冲自建仓到平仓的平均天数',
        figure: ({ summary }) => <Duration hours={(summary.averageHoldDays ?? Number.NaN) * 24} />,
      },
    ],
  },
  {
    title: '成本与敞口',
    tiles: [
      {
        label: '换手',
        formula: '成交额 / 平均权益 / 天数',
        figure: ({ summary }) => <Amount value={summary.turnover} digits={3} unit="倍/日" />,
      },
      { label: '手续费', formula: '成交额 × 手续费率', figure: ({ split }) => money(split.fees) },
      { label: '滑点', formula: '成交额 × 滑点', figure: ({ split }) => money(split.slippage) },
      {
        label: '资金费净额',
        formula: 'Σ −方向 × 数量 × 价格 × 费率，收到为正',
        figure: (result) => money(chargedFunding(result).value, chargedFunding(result).reason),
      },
      {
        label: '成本占比',
        formula: '(手续费 + 滑点) / (价格损益 + 资金费)',
        figure: ({ summary }) => <Percent value={summary.costDrag} reason="扣除成本前没有盈利" />,
      },
      {
        label: '平均总敞口',
        formula: 'Σ|数量|×价格 / 权益，入场后各收盘的均值',
        figure: ({ summary }) => <Amount value={summary.averageGross} unit="倍" />,
      },
      {
        label: '平均净敞口',
        formula: 'Σ数量×价格 / 总敞口，入场后各收盘的均值；0 为中性',
        figure: ({ summary }) => <Percent value={summary.averageNet} signed />,
      },
    ],
  },
  {
    title: '对比',
    tiles: [
      {
        label: '仅多头',
        formula: '多头腿的净损益 / 初始资金',
        figure: ({ summary }) => <Pnl value={summary.longReturn} percent />,
        detail: ({ summary }) => beyond(summary.totalReturn, summary.longReturn),
      },
      {
        label: '仅空头',
        formula: '空头腿的净损益 / 初始资金',
        figure: ({ summary }) => <Pnl value={summary.shortReturn} percent />,
        detail: ({ summary }) => beyond(summary.totalReturn, summary.shortReturn),
      },
      {
        label: 'BTC',
        formula: 'BTC 末个收盘 / 首个收盘 − 1',
        figure: ({ summary }) => <Pnl value={summary.btcReturn} percent reason={NO_BTC} />,
        detail: ({ summary }) => beyond(summary.totalReturn, summary.btcReturn),
      },
      {
        label: 'beta BTC',
        formula: `cov(r, rBTC) / var(rBTC)，${DAILY}`,
        figure: ({ summary }) => ratio(summary.betaBtc, NO_BTC),
      },
      {
        label: 'BTC 相关',
        formula: `皮尔逊相关，${DAILY}`,
        figure: ({ summary }) => ratio(summary.correlationBtc, NO_BTC),
      },
    ],
  },
];
