import { type IChartApi, type ISeriesPrimitive, LineSeries, type Time } from 'lightweight-charts';
import { useEffect } from 'react';
import type { ChartTime } from './chartTime';
import type { Curve, Moment } from './curve';
import { type Canvas, onTop } from './onTop';
import type { ChartTheme } from './useChartTheme';

interface Input {
  chart: IChartApi | null;
  /** Instants of the chart, UTC ms ascending. */
  time: readonly number[];
  curves: readonly Curve[];
  moments: readonly Moment[];
  /** Instants after the last point that the axis has as well, see `instantsAhead`. */
  ahead: readonly number[];
  chartTime: ChartTime;
  theme: ChartTheme;
}

/** The time ahead takes no more of the axis than this part of the points that are shown at first. */
const AHEAD_SHARE = 0.2;
const LABEL_HEIGHT = 18;
const FONT_SIZE = 11;
const BEARER = { priceScaleId: '', lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };

/** Whole seconds, as the axis counts them. */
const second = (ms: number): number => Math.round(ms / 1_000) * 1_000;

/**
 * Instants after the last point up to the last moment, the moments among them: as far apart as the points are, or farther
 * where those would be too many.
 * @param shown points that are shown at first.
 */
export function instantsAhead(
  time: readonly number[],
  moments: readonly Moment[],
  shown = Number.POSITIVE_INFINITY,
): number[] {
  const last = time.at(-1);
  const ahead = moments.map(({ at }) => second(at)).filter((at) => last !== undefined && at > last);
  if (last === undefined || ahead.length === 0) return [];
  const end = Math.max(...ahead);
  const bar = time.length > 1 ? (last - time[0]!) / (time.length - 1) : end - last;
  const steps = Math.max(
    1,
    Math.min(Math.round((end - last) / bar), Math.floor(Math.min(time.length, shown) * AHEAD_SHARE)),
  );
  const even = Array.from({ length: steps }, (_, i) => second(last + ((end - last) * (i + 1)) / steps));
  return [...new Set([...even, ...ahead])].sort((a, b) => a - b);
}

/** The text of a moment: what it is, and when, without the year. */
const labelOf = ({ name, at }: Moment, chartTime: ChartTime): string => `${name} ${chartTime.labelOf(at).slice(5)}`;

/** A label's box beside its line; on the side where it stays within the pane, below those that it would cover. */
function placed(x: number, width: number, paneWidth: number, taken: { from: number; to: number; row: number }[]) {
  const from = x + width + 4 <= paneWidth ? x + 3 : Math.max(0, x - width - 3);
  const to = from + width;
  let row = 0;
  while (taken.some((other) => other.row === row && from < other.to && to > other.from)) row += 1;
  taken.push({ from, to, row });
  return { from, row };
}

/** Draws the lines over one pane, with their labels where it is the top one. */
function linesOf(
  { chart, time, moments, chartTime, theme }: Omit<Input, 'curves' | 'ahead'>,
  isTop: boolean,
): ISeriesPrimitive<Time> {
  const last = time.at(-1) ?? 0;
  const xOf = (at: number) => {
    const point = at > last ? second(at) : time.findLast((ms) => ms <= at);
    return point === undefined ? null : chart!.timeScale().timeToCoordinate(chartTime.toChart(point));
  };
  const line = (context: CanvasRenderingContext2D, x: number, height: number, color: string) => {
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.setLineDash([]);
  };
  const paint = ({ context, mediaSize: { width, height } }: Canvas) => {
    const seen = moments.flatMap((moment) => {
      const x = xOf(moment.at);
      return x === null ? [] : [{ x, color: theme.color[moment.color ?? 'muted'], text: labelOf(moment, chartTime) }];
    });
    for (const { x, color } of seen) line(context, x, height, color);
    if (!isTop) return;
    const taken: { from: number; to: number; row: number }[] = [];
    context.font = `${FONT_SIZE}px ${theme.font}`;
    context.textBaseline = 'middle';
    // From the right, where names of levels stand: the last one has the top row.
    for (const { x, text } of seen.toSorted((a, b) => b.x - a.x)) {
      const box = context.measureText(text).width + 8;
      const { from, row } = placed(x, box, width, taken);
      const top = 2 + row * LABEL_HEIGHT;
      // What lies below would run through the letters.
      context.fillStyle = theme.surface;
      context.fillRect(from, top, box, LABEL_HEIGHT - 2);
      context.fillStyle = theme.text;
      context.fillText(text, from + 4, top + LABEL_HEIGHT / 2 - 1);
    }
  };
  return onTop(paint);
}

/** Keeps the moments of a chart drawn over all of its panes, and its axis reaching as far as the last of them. */
export function useMoments(input: Input): void {
  const { chart, time, curves, moments, ahead, chartTime, theme } = input;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other curves may have other panes.
  useEffect(() => {
    if (chart === null || moments.length === 0) return;
    const points = ahead.map((at) => ({ time: chartTime.toChart(at) }));
    // A series of its own in each pane, without a value: nothing is drawn of it but the lines, and the axis has its points.
    const bearers = chart.panes().map((_, i) => {
      const bearer = chart.addSeries(LineSeries, BEARER, i);
      bearer.setData(points);
      bearer.attachPrimitive(linesOf({ chart, time, moments, chartTime, theme }, i === 0));
      return bearer;
    });
    return () => {
      // The whole chart may already be gone with its page.
      if (chart.chartElement().isConnected) for (const bearer of bearers) chart.removeSeries(bearer);
    };
  }, [chart, time, curves, moments, ahead, chartTime, theme]);
}
