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
    const drawn = marks
      .filter((mark) => (mark.pane ?? 0) === pane)
      .flatMap(({ at, text, color = 'muted', side = 'below' }): SeriesMarker<Time>[] => {
        const i = nearest(at, time, curves[on]!);
        if (i < 0) return [];
        return [
          {
            time: chartTime.toChart(time[i]!),
            position: side === 'above' ? 'aboveBar' : 'belowBar',
            shape: side === 'above' ? 'arrowDown' : 'arrowUp',
            color: theme.color[color],
            text,
          },
        ];
      });
    createSeriesMarkers(
      series[on]!,
      drawn.sort((a, b) => Number(a.time) - Number(b.time)),
    );
  }
}
