import {
  type AutoscaleInfoProvider,
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
} from 'lightweight-charts';
import { candleLook } from './candleLook';
import type { ChartTime } from './chartTime';
import type { Curve, CurveColor } from './curve';
import { formatFigure, formatTicks, stepOf } from './formatFigure';
import type { ChartTheme } from './useChartTheme';

export type AnySeries = ISeriesApi<SeriesType>;

const PALETTE: readonly CurveColor[] = ['blue', 'orange', 'purple', 'cyan', 'magenta', 'gold'];

/** The colour a curve is drawn with; `index` is its place among its chart's curves. */
export function curveColor(curve: Curve, index: number, theme: ChartTheme): string {
  return theme.color[curve.color ?? PALETTE[index % PALETTE.length]!];
}

/** Whether a curve says gain or loss by its colours and so has none of its own. */
export function isColoredBySign({ shape, color }: Curve): boolean {
  return shape === 'baseline' || shape === 'candle' || (shape === 'histogram' && color === undefined);
}

/** Smallest size of any value, which decides how many digits a price axis needs. */
function smallestOf(values: readonly (number | null)[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) if (value !== null && value !== 0) smallest = Math.min(smallest, Math.abs(value));
  return smallest;
}

function formatOf(curve: Curve) {
  const format = curve.format ?? 'number';
  return {
    type: 'custom' as const,
    formatter: (value: number) => formatFigure(value, format),
    tickmarksFormatter: (values: readonly number[]) => formatTicks(values, format),
    minMove: stepOf(format, smallestOf(curve.values)),
  };
}

/** The colour at about a fifth of its strength; the chart reads no `color-mix`. */
function faint(color: string): string {
  if (/^#[0-9a-f]{6}$/i.test(color)) return `${color}38`;
  return color.replace(/^rgb\(([^/)]+)\)$/, 'rgba($1, 0.22)');
}

/** A scale that holds the value from which an area is filled. */
const reaching =
  (base: number): AutoscaleInfoProvider =>
  (original) => {
    const own = original();
    if (own?.priceRange == null) return own;
    const { minValue, maxValue } = own.priceRange;
    return { ...own, priceRange: { minValue: Math.min(minValue, base), maxValue: Math.max(maxValue, base) } };
  };

/** A scale that holds the levels next to what is drawn as well: between which of them it stands is seen. */
export const reachingLevels =
  (levels: readonly number[]): AutoscaleInfoProvider =>
  (original) => {
    const own = original();
    if (own?.priceRange == null) return own;
    const { minValue, maxValue } = own.priceRange;
    const below = Math.max(...levels.filter((level) => level < minValue));
    const above = Math.min(...levels.filter((level) => level > maxValue));
    return {
      ...own,
      priceRange: {
        minValue: Number.isFinite(below) ? below : minValue,
        maxValue: Number.isFinite(above) ? above : maxValue,
      },
    };
  };

/** Adds an empty series for a curve; `fillCurve` gives it its values. */
export function addCurve(chart: IChartApi, curve: Curve, color: string, theme: ChartTheme): AnySeries {
  const pane = curve.pane ?? 0;
  const shared = {
    priceFormat: formatOf(curve),
    priceScaleId: curve.scale ?? 'right',
    priceLineVisible: false,
    lastValueVisible: curve.labelled === true,
    title: curve.labelled ? curve.name : '',
  };
  if (curve.shape === 'candle') {
    return chart.addSeries(CandlestickSeries, { ...shared, ...candleLook(theme) }, pane) as AnySeries;
  }
  const line = {
    lineWidth: curve.thin ? (1 as const) : (2 as const),
    lineStyle: curve.dashed ? LineStyle.Dashed : LineStyle.Solid,
  };
  if (curve.shape === 'histogram') {
    return chart.addSeries(HistogramSeries, { ...shared, color, base: curve.base ?? 0 }, pane) as AnySeries;
  }
  if (curve.shape === 'area' || curve.shape === 'baseline') {
    const [up, down] = curve.shape === 'area' ? [color, color] : [theme.color.up, theme.color.down];
    const base = curve.base ?? 0;
    const fill = {
      baseValue: { type: 'price' as const, price: base },
      topLineColor: up,
      topFillColor1: faint(up),
      topFillColor2: faint(up),
      bottomLineColor: down,
      bottomFillColor1: faint(down),
      bottomFillColor2: faint(down),
      ...(curve.shape === 'area' ? { autoscaleInfoProvider: reaching(base) } : {}),
    };
    return chart.addSeries(BaselineSeries, { ...shared, ...line, ...fill }, pane) as AnySeries;
  }
  const drawn = curve.shape === 'bare' ? { lineVisible: false, crosshairMarkerVisible: false } : {};
  return chart.addSeries(LineSeries, { ...shared, ...line, ...drawn, color }, pane) as AnySeries;
}

/** A candle of which only the close is known is a dash. */
function candleAt({ extent }: Curve, i: number, close: number) {
  const [open, high, low] = [extent?.open[i] ?? close, extent?.high[i] ?? close, extent?.low[i] ?? close];
  return { open, high, low, close };
}

/** Gives a series the values of its curve; a missing value is a gap. */
export function fillCurve(
  series: AnySeries,
  curve: Curve,
  time: readonly number[],
  chartTime: ChartTime,
  theme: ChartTheme,
): void {
  const base = curve.base ?? 0;
  const bySign = curve.shape === 'histogram' && isColoredBySign(curve);
  series.setData(
    time.map((ms, i) => {
      const value = curve.values[i] ?? null;
      const at = chartTime.toChart(ms);
      if (value === null) return { time: at };
      if (curve.shape === 'candle') return { time: at, ...candleAt(curve, i, value) };
      return bySign
        ? { time: at, value, color: value >= base ? theme.color.up : theme.color.down }
        : { time: at, value };
    }),
  );
}
