import { PriceScaleMode } from 'lightweight-charts';
import { useEffect, useMemo } from 'react';
import { ChartFrame } from './ChartFrame';
import { ChartLegend } from './ChartLegend';
import { ChartTime } from './chartTime';
import type { ChartRange, Curve, Level, Mark, Moment } from './curve';
import { legendOf } from './legendOf';
import { summaryOf } from './summaryOf';
import { useChart } from './useChart';
import { useChartTheme } from './useChartTheme';
import { useCrosshair } from './useCrosshair';
import { useCurves } from './useCurves';
import { instantsAhead, useMoments } from './useMoments';
import { useRange } from './useRange';
import { useWheelZoom } from './useWheelZoom';

export interface CurveChartProps {
  /** Accessible name. */
  label: string;
  /** Instants, UTC ms, ascending and unique; keep the array's identity while nothing changes. */
  time: readonly number[];
  curves: readonly Curve[];
  /** Horizontal lines with a name. */
  levels?: readonly Level[];
  /** What happened along the way. */
  marks?: readonly Mark[];
  /** Instants that matter, also those ahead; keep the array's identity while nothing changes. */
  moments?: readonly Moment[];
  /** Height of all panes together, px. Default: 320. */
  height?: number;
  /** How panes share the height. Default: 3 for the top pane, 1 for each below. */
  stretch?: readonly number[];
  /** Equal shares of the top pane's height for equal factors; its values have to be above 0. Default: linear. */
  logarithmic?: boolean;
  /** The last point is of a bar that has not closed. */
  forming?: boolean;
  /** What such a point is called. Default: 未收盘. */
  formingWord?: string;
  /** Visible part; the newest `latest` points when absent. */
  range?: ChartRange | null;
  /** Default: all. */
  latest?: number;
  /** Where the viewer went by hand, told once the hand rests. */
  onRange?: (range: ChartRange) => void;
}

const NO_MOMENTS: readonly Moment[] = [];
const TOP_PANE_LARGER: readonly number[] = [3];

/** Named curves over time with one crosshair. Load it lazily: `late(() => import('@/chart/CurveChart'))`. */
export default function CurveChart({
  label,
  time,
  curves,
  levels,
  marks,
  moments = NO_MOMENTS,
  height = 320,
  stretch = TOP_PANE_LARGER,
  logarithmic = false,
  forming = false,
  formingWord,
  range,
  latest,
  onRange,
}: CurveChartProps) {
  const theme = useChartTheme();
  const chartTime = useMemo(() => new ChartTime(time, forming), [time, forming]);
  const [container, chart] = useChart(theme, chartTime);
  useCurves({ chart, time, curves, levels, marks, stretch, theme, chartTime });
  const ahead = useMemo(() => instantsAhead(time, moments, latest), [time, moments, latest]);
  // After the curves, whose panes it draws over.
  useMoments({ chart, time, curves, moments, ahead, chartTime, theme });
  useRange({ chart, chartTime, time, ahead: ahead.length, range, latest, onRange });
  useWheelZoom(chart, time.length);
  const left = curves.some((curve) => curve.scale === 'left');
  useEffect(() => {
    chart?.applyOptions({ leftPriceScale: { visible: left } });
  }, [chart, left]);
  useEffect(() => {
    const mode = logarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    chart?.priceScale('right').applyOptions({ mode });
  }, [chart, logarithmic]);
  const last = time.length - 1;
  const index = Math.min(useCrosshair(chart) ?? last, last);
  const summary = useMemo(
    () => summaryOf(time, curves, chartTime, { marks, moments, forming, formingWord }),
    [time, curves, chartTime, marks, moments, forming, formingWord],
  );
  const at = last < 0 ? '' : chartTime.labelOf(time[Math.max(0, index)]!);
  return (
    <ChartFrame
      label={label}
      summary={summary}
      height={height}
      container={container}
      legend={
        <ChartLegend
          at={at}
          forming={forming && index === last}
          word={formingWord}
          items={legendOf(curves, index, theme)}
        />
      }
    />
  );
}
