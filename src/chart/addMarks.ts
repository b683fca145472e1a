import { createSeriesMarkers, type SeriesMarker, type Time } from 'lightweight-charts';
import type { AnySeries } from './addCurve';
import type { ChartTime } from './chartTime';
import type { Curve, Mark } from './curve';
import type { ChartTheme } from './useChartTheme';

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

/** Puts each mark on the first curve of its pane, at the point nearest to it. */
export function addMarks(
  series: readonly AnySeries[],
  curves: readonly Curve[],
  marks: readonly Mark[],
  time: readonly number[],
  chartTime: ChartTime,
  theme: ChartTheme,
): void {
  for (const pane of new Set(marks.map((mark) => mark.pane ?? 0))) {
    const on = curves.findIndex((curve) => (curve.pane ?? 0) === pane);
    if (on < 0) continue;
    const own = marks.filter((mark) => (mark.pane ?? 0) === pane);
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
    );
  }
}
