import { theme } from 'antd';
import type { IChartApi, ISeriesApi, ISeriesPrimitive, SeriesType, Time } from 'lightweight-charts';
import { useEffect, useMemo } from 'react';
import { ChartFrame } from './ChartFrame';
import { ChartLegend, type LegendItem } from './ChartLegend';
import { ChartTime } from './chartTime';
import { type ChartRange, type Curve, type Join, LATEST_BARS, type Level, type Mark, type OwnTrades } from './curve';
import { formatFigure } from './formatFigure';
import { legendOf } from './legendOf';
import { onTop } from './onTop';
import { summaryOf } from './summaryOf';
import { type CandleData, useCandles } from './useCandles';
import { useChart } from './useChart';
import { type ChartTheme, useChartTheme } from './useChartTheme';
import { useCrosshair } from './useCrosshair';
import { useCurves } from './useCurves';
import { barAt, ownItems, ownSummary, useOwnTrades } from './useOwnTrades';
import { useRange } from './useRange';
import { useWheelZoom } from './useWheelZoom';

/** What the viewer did at the crosshair, over the chart: in the legend it would move the chart under the pointer. */
function OwnNote({ items }: { items: readonly LegendItem[] }) {
  const { token } = theme.useToken();
  if (items.length === 0) return null;
  return (
    <div
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: token.marginSM,
        padding: '0 4px',
        background: token.colorBgElevated,
        color: token.colorTextSecondary,
        fontSize: token.fontSizeSM,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {items.map(({ name, text }) => (
        <span key={name}>
          {name} <span style={{ color: token.colorText }}>{text}</span>
        </span>
      ))}
    </div>
  );
}

export interface CandleChartProps {
  /** Accessible name. */
  label: string;
  /** Keep the object's identity while nothing changes. */
  candles: CandleData;
  /** Pane 0 lies over the candles, 1 over the volume, 2 and more are panes of their own. */
  curves?: readonly Curve[];
  /** Lie on the first curve of their pane. */
  levels?: readonly Level[];
  marks?: readonly Mark[];
  /** Lines from one price to another; keep the array's identity while nothing changes. */
  joins?: readonly Join[];
  /** What the viewer did; keep the object's identity while nothing changes. */
  own?: OwnTrades;
  /** Height of all panes together, px. Default: 460. */
  height?: number;
  /** The last candle has not closed. */
  forming?: boolean;
  /** Visible part; the newest 150 candles when absent. */
  range?: ChartRange | null;
  /** Where the viewer went by hand, told once the hand rests. */
  onRange?: (range: ChartRange) => void;
}

const NO_CURVES: readonly Curve[] = [];
const NO_JOINS: readonly Join[] = [];
const NOTHING: OwnTrades = { fills: [], spans: [] };
/** Candles, volume, then a pane for comparison. */
const STRETCH: readonly number[] = [4, 1, 1.5];

function figuresAt({ open, high, low, close, volume }: CandleData, i: number): LegendItem[] {
  const before = close[i - 1];
  const change = before === undefined ? null : close[i]! / before - 1;
  return [
    { name: '开', text: formatFigure(open[i], 'price') },
    { name: '高', text: formatFigure(high[i], 'price') },
    { name: '低', text: formatFigure(low[i], 'price') },
    { name: '收', text: formatFigure(close[i], 'price') },
    { name: '涨跌', text: formatFigure(change, 'percent', true) },
    { name: '量', text: formatFigure(volume[i], 'amount') },
  ];
}

/** Candles with volume and curves over them. */
export default function CandleChart({
  label,
  candles,
  curves = NO_CURVES,
  levels,
  marks,
  joins = NO_JOINS,
  own = NOTHING,
  height = 460,
  forming = false,
  range,
  onRange,
}: CandleChartProps) {
  const { time } = candles;
  const theme = useChartTheme();
  const chartTime = useMemo(() => new ChartTime(time, forming), [time, forming]);
  const [container, chart] = useChart(theme, chartTime);
  useCandles(chart, candles, theme, chartTime);
  useJoins({ chart, time, joins, chartTime, theme });
  useOwnTrades({ chart, time, own, chartTime, theme });
  useCurves({ chart, time, curves, levels, marks, stretch: STRETCH, theme, chartTime });
  useRange({ chart, chartTime, time, range, latest: LATEST_BARS, onRange });
  useWheelZoom(chart, time.length);
  const summary = useMemo(
    () =>
      summaryOf(time, [{ name: '收盘价', values: candles.close, format: 'price' }, ...curves], chartTime, { forming }),
    [time, candles, curves, chartTime, forming],
  );
  const last = time.length - 1;
  const index = Math.min(useCrosshair(chart) ?? last, last);
  const at = last < 0 ? '' : chartTime.labelOf(time[Math.max(0, index)]!);
  const items = last < 0 ? [] : [...figuresAt(candles, index), ...legendOf(curves, index, theme)];
  return (
    <ChartFrame
      label={label}
      summary={`${summary}${ownSummary(own)}`}
      height={height}
      container={container}
      legend={<ChartLegend at={at} forming={forming && index === last} items={items} />}
      note={last >= 0 && <OwnNote items={ownItems(own, time, index)} />}
    />
  );
}

interface Input {
  chart: IChartApi | null;
  /** Instants of the chart, UTC ms ascending. */
  time: readonly number[];
  joins: readonly Join[];
  chartTime: ChartTime;
  theme: ChartTheme;
}

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
  return onTop(({ context }) => {
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
}

/** Keeps the joins of a chart of candles drawn. */
function useJoins(input: Input): void {
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
