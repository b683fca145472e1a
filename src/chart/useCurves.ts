import { createSeriesMarkers, type IChartApi, type SeriesMarker, type Time } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { type AnySeries, addCurve, curveColor, fillCurve, reachingLevels } from './addCurve';
import type { ChartTime } from './chartTime';
import type { Curve, Level, Mark } from './curve';
import type { ChartTheme } from './useChartTheme';

interface Input {
  chart: IChartApi | null;
  time: readonly number[];
  curves: readonly Curve[];
  levels?: readonly Level[];
  marks?: readonly Mark[];
  /** How panes share the height, from the top. */
  stretch: readonly number[];
  theme: ChartTheme;
  chartTime: ChartTime;
}

/** What a series cannot change once it was made. */
function shapeOf({ curves, levels, marks, stretch }: Pick<Input, 'curves' | 'levels' | 'marks' | 'stretch'>): string {
  const looks = curves.map(({ values: _values, figures: _figures, extent: _extent, ...look }) => look);
  return JSON.stringify([looks, levels, marks, stretch]);
}

function addLevels(
  series: readonly AnySeries[],
  curves: readonly Curve[],
  levels: readonly Level[],
  color: string,
): void {
  for (const [i, { shape, pane = 0 }] of curves.entries()) {
    const own = levels.filter((level) => (level.pane ?? 0) === pane).map(({ value }) => value);
    if (shape === 'candle') series[i]?.applyOptions({ autoscaleInfoProvider: reachingLevels(own) });
  }
  for (const level of levels) {
    const on = curves.findIndex((curve) => (curve.pane ?? 0) === (level.pane ?? 0));
    // Many without a name would cover the axis with their labels.
    const axisLabelVisible = level.name !== '';
    const line = { price: level.value, title: level.name, color, axisLabelVisible };
    series[on]?.createPriceLine({ ...line, lineWidth: 1, lineStyle: 2 });
  }
}

/** Keeps one series a curve on the chart: made anew when looks change, only filled anew when figures do. */
export function useCurves(input: Input): void {
  const { chart, time, curves, theme, chartTime } = input;
  const drawn = useRef<AnySeries[]>([]);
  const latest = useRef(input);
  latest.current = input;
  const shape = shapeOf(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the looks; figures come below.
  useEffect(() => {
    if (chart === null) return;
    const visible = chart.timeScale().getVisibleLogicalRange();
    const now = latest.current;
    drawn.current = now.curves.map((curve, i) => addCurve(chart, curve, curveColor(curve, i, theme), theme));
    addLevels(drawn.current, now.curves, now.levels ?? [], theme.color.muted);
    addMarks(drawn.current, now.curves, now.marks ?? [], now.time, now.chartTime, theme);
    // A pane that lost its last series was removed with its height.
    for (const [i, pane] of chart.panes().entries()) pane.setStretchFactor(now.stretch[i] ?? 1);
    if (visible !== null) chart.timeScale().setVisibleLogicalRange(visible);
    return () => {
      const old = drawn.current;
      drawn.current = [];
      // The whole chart may already be gone with its page.
      if (chart.chartElement().isConnected) for (const series of old) chart.removeSeries(series);
    };
  }, [chart, shape, theme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` made the series anew, which are empty then.
  useEffect(() => {
    for (const [i, series] of drawn.current.entries()) fillCurve(series, curves[i]!, time, chartTime, theme);
  }, [chart, shape, theme, curves, time, chartTime]);
}

/** The point of the curve that is nearest to an instant; -1 when it has none. */
function nearest(at: number, time: readonly number[], { values }: Curve): number {
  let found = -1;
  for (const [i, ms] of time.entries()) {
    if (values[i] === null || values[i] === undefined) continue;
    if (found < 0 || Math.abs(ms - at) < Math.abs(time[found]! - at)) found = i;
  }
  return found;
}

/** Several of a kind at one point are one arrow that counts: stacked they would leave the pane. */
function counted(marks: readonly Mark[], time: readonly number[], curve: Curve) {
  const found = new Map<string, { i: number; mark: Mark; times: number }>();
  for (const mark of marks) {
    const i = nearest(mark.at, time, curve);
    if (i < 0) continue;
    const key = `${i} ${mark.side} ${mark.text}`;
    found.set(key, { i, mark, times: (found.get(key)?.times ?? 0) + 1 });
  }
  return [...found.values()].sort((a, b) => a.i - b.i);
}

/** What curves leave free of their pane, and what of it where arrows stand with their words. */
const FREE = { top: 0.2, bottom: 0.1 };
const MARKED = 0.34;

/** Puts each mark on the first curve of its pane, at the point nearest to it. */
export function addMarks(
  series: readonly AnySeries[],
  curves: readonly Curve[],
  marks: readonly Mark[],
  time: readonly number[],
  chartTime: ChartTime,
  theme: ChartTheme,
): void {
  for (const one of series) one.priceScale().applyOptions({ scaleMargins: FREE });
  for (const pane of new Set(marks.map((mark) => mark.pane ?? 0))) {
    const on = curves.findIndex((curve) => (curve.pane ?? 0) === pane);
    if (on < 0) continue;
    const own = marks.filter((mark) => (mark.pane ?? 0) === pane);
    const room = {
      ...(own.some(({ side }) => side === 'above') && { top: MARKED }),
      ...(own.some(({ side }) => side !== 'above') && { bottom: MARKED }),
    };
    series[on]!.priceScale().applyOptions({ scaleMargins: { ...FREE, ...room } });
    createSeriesMarkers(
      series[on]!,
      counted(own, time, curves[on]!).map(
        ({ i, mark: { side, color = 'muted', text }, times }): SeriesMarker<Time> => ({
          time: chartTime.toChart(time[i]!),
          position: side === 'above' ? 'aboveBar' : 'belowBar',
          shape: side === 'above' ? 'arrowDown' : 'arrowUp',
          color: theme.color[color],
          text: times > 1 ? `${text} ×${times}` : text,
        }),
      ),
      // Its own room is in pixels: more than a low pane has, whose scale then stands on its head.
      { autoScale: false },
    );
  }
}
