import type { ReactNode } from 'react';
import type { HedgeFigures, StatisticFigures } from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { sampleReason } from '@/components/sampleReason';

interface Tile<F> {
  label: string;
  formula: string;
  figure: (figures: F) => ReactNode;
  /** A second line under the figure. */
  detail?: (figures: F) => ReactNode;
}

interface TileGroup<F> {
  title: string;
  tiles: Tile<F>[];
}

const ratio = (value: number | null, reason: string) => <Amount value={value} reason={reason} />;
const money = (value: number | null, reason?: string) => <Pnl value={value} unit="USDT" compact reason={reason} />;
const days = (value: number | null, reason: string) => <Amount value={value} digits={1} unit="天" reason={reason} />;
const count = (value: number, unit: string) => <Amount value={value} digits={0} unit={unit} />;
const day = (value: number | null, reason: string) => <DateTime value={value} precision="day" utc reason={reason} />;

const DAILY = '日收益（UTC，时间加权，剔除划转，F18）';
const NO_DAYS = '没有完整的一天';
const NO_VARIANCE = '不足两天或没有波动，无法计算';
const NO_BTC = '同时有账户与 BTC 记录的日子不足，无法计算';
const NO_TAIL = '少于 20 天，无法计算';
const NO_DRAWDOWN = '没有回撤';

const fewDays = ({ days: size, fewestDays }: StatisticFigures, otherwise: string) =>
  sampleReason({ size, fewest: fewestDays, unit: '天' }, otherwise);

/** Figures of the chosen accounts over whole days; the formulas are what their tooltips state. */
export const DAY_GROUPS: TileGroup<StatisticFigures>[] = [
  {
    title: '收益',
    tiles: [
      {
        label: '净值',
        formula: `Π(1 + R)，期初为 1，R 为${DAILY}`,
        figure: ({ index }) => <Amount value={index} digits={4} />,
        detail: ({ equity }) => (
          <>
            权益 <Amount value={equity} unit="USDT" compact />
          </>
        ),
      },
      {
        label: '累计收益',
        formula: '净值 − 1；下方为期末权益 − 期初权益 − 划转',
        figure: ({ totalReturn }) => <Pnl value={totalReturn} percent />,
        detail: ({ net }) => money(net),
      },
      {
        label: '年化 CAGR',
        formula: '净值^(365 / 天数) − 1（F20）',
        figure: ({ cagr }) => <Pnl value={cagr} percent reason="超出可表示的范围" />,
      },
      {
        label: '夏普',
        formula: `均值 / 标准差（ddof 1）× √365，${DAILY}（F19）`,
        figure: (figures) => ratio(figures.sharpe, fewDays(figures, NO_VARIANCE)),
      },
      {
        label: '索提诺',
        formula: `均值 / √(Σ min(R,0)² / n) × √365，${DAILY}（F19）`,
        figure: (figures) => ratio(figures.sortino, fewDays(figures, '没有亏损日，无法计算')),
      },
      {
        label: '卡玛',
        formula: 'CAGR / |最大回撤|（F20）',
        figure: (figures) => ratio(figures.calmar, fewDays(figures, `${NO_DRAWDOWN}，无法计算`)),
      },
    ],
  },
  {
    title: '风险',
    tiles: [
      {
        label: '最大回撤',
        formula: 'min(净值 / 历史最高 − 1)，按日收盘（UTC），最高自期初起算（F20）',
        figure: ({ maxDrawdown }) => <Pnl value={maxDrawdown} percent reason={NO_DAYS} />,
        detail: ({ maxDrawdown, drawdownPeakAt, drawdownTroughAt }) =>
          maxDrawdown === 0 ? (
            NO_DRAWDOWN
          ) : (
            <>
              {day(drawdownPeakAt, NO_DRAWDOWN)} 至 {day(drawdownTroughAt, NO_DRAWDOWN)}
            </>
          ),
      },
      {
        label: '回撤 / 恢复天数',
        formula: '最大回撤：高点到最低点的天数 / 最低点到再次回到高点的天数',
        figure: ({ drawdownDays, recoveryDays }) => (
          <>
            {days(drawdownDays, NO_DRAWDOWN)} / {days(recoveryDays, '没有回撤，或尚未恢复')}
          </>
        ),
        detail: ({ drawdownRecoveredAt }) => <>恢复于 {day(drawdownRecoveredAt, '没有回撤，或尚未恢复')}</>,
      },
      {
        label: '最长未创新高',
        formula: '从一个高点到再次回到该高点（或期末）的最长时间',
        figure: ({ longestUnderwaterDays }) => days(longestUnderwaterDays, NO_DAYS),
      },
      {
        label: '波动率',
        formula: `标准差（ddof 1）× √365，${DAILY}`,
        figure: ({ volatility }) => <Percent value={volatility} reason={NO_VARIANCE} />,
      },
      {
        label: '溃疡指数',
        formula: '√均值(回撤²)（F20）',
        figure: ({ ulcer }) => <Percent value={ulcer} reason={NO_DAYS} />,
      },
      {
        label: 'VaR 95',
        formula: '一日，历史法：95% 的日子亏损不超过它，亏损为正（F24）',
        figure: ({ var95 }) => <Percent value={var95} reason={NO_TAIL} />,
      },
      {
        label: 'CVaR 95',
        formula: '一日，历史法：最差 5% 日子的平均亏损，亏损为正（F24）',
        figure: ({ cvar95 }) => <Percent value={cvar95} reason={NO_TAIL} />,
      },
      {
        label: 'beta BTC',
        formula: `cov(R, R_BTC) / var(R_BTC)，${DAILY}（F17）；t = r√(n−2) / √(1−r²)，|t| < 2 即与 0 没有显著差别`,
        figure: ({ betaBtc }) => <Amount value={betaBtc} digits={3} reason={NO_BTC} />,
        detail: ({ betaT }) => (
          <>
            t 值 <Amount value={betaT} reason={NO_BTC} />
          </>
        ),
      },
      {
        label: 'BTC 相关',
        formula: `皮尔逊相关，${DAILY}（F17）`,
        figure: ({ correlationBtc }) => ratio(correlationBtc, NO_BTC),
      },
    ],
  },
  {
    title: '成本',
    tiles: [
      {
        label: '换手',
        formula: '成交额 / 日末权益均值 / 天数（F22）',
        figure: ({ turnover }) => <Amount value={turnover} digits={3} unit="倍/日" reason="没有权益" />,
        detail: ({ traded }) => (
          <>
            成交 <Amount value={traded} unit="USDT" compact />
          </>
        ),
      },
      {
        label: '成本占比',
        formula: '(手续费 + 滑点) / (价格盈亏 + 滑点 + 资金费)：扣除成本前的盈利有多少被吃掉（F22）',
        figure: ({ costDrag }) => <Percent value={costDrag} reason="扣除成本前没有盈利" />,
      },
      {
        label: '资金费',
        formula: 'Σ −方向 × 数量 × 标记价 × 费率，收到为正（F2）',
        figure: ({ funding }) => money(funding),
      },
      { label: '手续费', formula: '账本中手续费之和，付出为负', figure: ({ fees }) => money(-fees) },
      {
        label: '滑点',
        formula: 'Σ (成交价 − 决策时中间价) × 数量，付出为负；已含在价格盈亏里',
        figure: ({ slippage }) => money(-slippage),
      },
    ],
  },
  {
    title: '周期统计（周期 = UTC 日）',
    tiles: [
      {
        label: '累积净值',
        formula: `Π(1 + R)，期初为 1，${DAILY}`,
        figure: ({ index }) => <Amount value={index} digits={4} />,
      },
      {
        label: '年化收益/回撤比',
        formula: 'CAGR / |最大回撤|，与卡玛同',
        figure: (figures) => ratio(figures.calmar, fewDays(figures, `${NO_DRAWDOWN}，无法计算`)),
      },
      {
        label: '盈利周期数',
        formula: 'R > 0 的日数',
        figure: ({ winningPeriods }) => count(winningPeriods, '天'),
      },
      {
        label: '亏损周期数',
        formula: 'R < 0 的日数',
        figure: ({ losingPeriods }) => count(losingPeriods, '天'),
      },
      {
        label: '胜率（日）',
        formula: '盈利周期数 / 全部周期数',
        figure: ({ dayWinRate }) => (dayWinRate === null ? null : <Percent value={dayWinRate} />),
      },
      {
        label: '每周期平均收益',
        formula: '日收益的算术平均',
        figure: ({ meanReturn }) => <Pnl value={meanReturn} percent digits={3} reason={NO_DAYS} />,
      },
      {
        label: '单周期最大盈利',
        formula: '最大的日收益',
        figure: ({ bestReturn }) => <Pnl value={bestReturn} percent reason={NO_DAYS} />,
      },
      {
        label: '单周期最大亏损',
        formula: '最小的日收益',
        figure: ({ worstReturn }) => <Pnl value={worstReturn} percent reason={NO_DAYS} />,
      },
      {
        label: '最大连续盈利',
        formula: '连续盈利周期的最大个数',
        figure: ({ longestWins }) => count(longestWins, '天'),
      },
      {
        label: '最大连续亏损',
        formula: '连续亏损周期的最大个数',
        figure: ({ longestLosses }) => count(longestLosses, '天'),
      },
      {
        label: '收益率标准差',
        formula: '日收益的标准差（ddof 1），未年化',
        figure: ({ returnDeviation }) => <Percent value={returnDeviation} digits={3} reason={NO_VARIANCE} />,
      },
    ],
  },
];

const NO_HEDGES = '期间内没有结束的对冲单';
const NO_BOTH = '没有同时出现盈利与亏损的对冲单，无法计算';

const fewHedges = ({ count: size, fewest }: HedgeFigures, otherwise: string) =>
  sampleReason({ size, fewest, unit: '单' }, otherwise);

/** Figures of ended hedges. */
export const HEDGE_GROUP: TileGroup<HedgeFigures> = {
  title: '对冲单（期间内结束、有成交）',
  tiles: [
    { label: '对冲单', formula: '期间内结束、且有成交的对冲单数', figure: ({ count: all }) => count(all, '单') },
    {
      label: '净盈亏',
      formula: 'Σ 价格盈亏 + 资金费 − 手续费（F11）',
      figure: ({ net }) => money(net),
    },
    {
      label: '胜率（单）',
      formula: '净盈亏 > 0 的单数 / 全部单数（F21）',
      figure: (figures) =>
        figures.count === 0 ? null : <Percent value={figures.winRate} reason={fewHedges(figures, NO_HEDGES)} />,
    },
    {
      label: '盈亏比',
      formula: '平均盈利 / |平均亏损|，每单净盈亏（F21）',
      figure: (figures) => ratio(figures.payoff, fewHedges(figures, NO_BOTH)),
    },
    {
      label: '利润因子',
      formula: '盈利之和 / |亏损之和|（F21）',
      figure: (figures) => ratio(figures.profitFactor, fewHedges(figures, '没有亏损的对冲单，无法计算')),
    },
    {
      label: '期望',
      formula: '胜率 × 平均盈利 − (1 − 胜率) × |平均亏损|，每单（F21）',
      figure: (figures) => money(figures.expectancy, fewHedges(figures, NO_HEDGES)),
    },
    {
      label: 'SQN',
      formula: '√单数 × 均值 / 标准差（ddof 1），每单净盈亏',
      figure: (figures) => ratio(figures.sqn, fewHedges(figures, '各单没有差别，无法计算')),
    },
    {
      label: '平均持有',
      formula: '从两腿建成到结束；未建成的不计',
      figure: ({ averageHours }) => <Duration hours={averageHours} reason={NO_HEDGES} />,
    },
  ],
};
