import type {
  IChartApi,
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesType,
  Time,
} from 'lightweight-charts';
import { useEffect } from 'react';
import type { ChartTime } from './chartTime';
import type { Join } from './curve';
import type { ChartTheme } from './useChartTheme';

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

interface Input {
  chart: IChartApi | null;
  /** Instants of the chart, UTC ms ascending. */
  time: readonly number[];
  joins: readonly Join[];
  chartTime: ChartTime;
  theme: ChartTheme;
}

/** The last bar that began at an instant or before; -1 before all of them. */
const barAt = (time: readonly number[], at: number): number => time.findLastIndex((ms) => ms <= at);

/** Draws lines from price to price over the first pane. */
function joinsOf(
  { chart, time, joins, chartTime, theme }: Input,
  series: ISeriesApi<SeriesType>,
): ISeriesPrimitive<Time> {
  const place = (at: number, value: number) => {
    const bar = barAt(time, at);
    const x = bar < 0 ? null : chart!.timeScale().timeToCoordinate(chartTime.toChart(time[bar]!));
    const y = series.priceToCoordinate(value);
    return x === null || y === null ? null : { x, y };
  };
  const draw = (target: Target) =>
    target.useMediaCoordinateSpace(({ context }) => {
      context.lineWidth = 1.5;
      for (const { from, fromValue, to, toValue, color } of joins) {
        const [start, end] = [place(from, fromValue), place(to, toValue)];
        if (start === null || end === null) continue;
        context.strokeStyle = theme.color[color];
        context.beginPath();
        context.moveTo(start.x, start.y);
        context.lineTo(end.x, end.y);
        context.stroke();
      }
    });
  const view = { renderer: () => ({ draw }), zOrder: () => 'top' as const };
  return { paneViews: () => [view] };
}

/** Keeps the joins of a chart of candles drawn. */
export function useJoins(input: Input): void {
  const { chart, time, joins, chartTime, theme } = input;
  useEffect(() => {
    const series = chart?.panes()[0]?.getSeries()[0];
    if (chart === null || series === undefined || joins.length === 0) return;
    const primitive = joinsOf({ chart, time, joins, chartTime, theme }, series);
    series.attachPrimitive(primitive);
    return () => {
      // The whole chart may already be gone with its page.
      if (chart.chartElement().isConnected) series.detachPrimitive(primitive);
    };
  }, [chart, time, joins, chartTime, theme]);
}
