import { DAY_MS } from '#contract/duration';
import type { StatisticDaily } from '#contract/statistic';
import type { Curve } from '@/chart/curve';

/** Ends of the days, UTC ms: what a day brought is drawn at its end. */
export const endsOf = ({ day }: StatisticDaily): number[] =>
  day.map((name) => Date.parse(`${name}T00:00:00Z`) + DAY_MS);

/** The index and what each part has carried it to, with the drawdown below. */
export function equityCurves(daily: StatisticDaily): Curve[] {
  const line = (name: string, values: number[], color: Curve['color']): Curve => ({
    ...{ name, values, color, format: 'ratio' },
  });
  return [
    line('净值', daily.index, 'blue'),
    line('多头腿', daily.longIndex, 'cyan'),
    line('空头腿', daily.shortIndex, 'orange'),
    line('资金费', daily.fundingIndex, 'gold'),
    line('手续费', daily.feesIndex, 'magenta'),
    { name: '回撤', values: daily.drawdown, shape: 'area', color: 'down', format: 'percent', pane: 1 },
  ];
}

/** Rolling figures, each on a pane of its own. */
export function rollingCurves({ sharpe30, beta30, neutrality }: StatisticDaily): Curve[] {
  return [
    { name: '30 日夏普', values: sharpe30, shape: 'baseline', color: 'blue' },
    { name: '30 日 beta BTC', values: beta30, color: 'orange', format: 'ratio', pane: 1 },
    { name: '中性度（日末净敞口 / 总敞口）', values: neutrality, color: 'purple', format: 'percent', pane: 2 },
  ];
}
