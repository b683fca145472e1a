import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { formatNumber, priceDigits } from '@/components/formatNumber';
import { candleLook } from './candleLook';
import type { ChartTime } from './chartTime';
import { formatFigure } from './formatFigure';
import type { ChartTheme } from './useChartTheme';

/** Columns of equal length; `time` holds opening instants in UTC ms, ascending and unique. */
export interface CandleData {
  time: readonly number[];
  open: readonly number[];
  high: readonly number[];
  low: readonly number[];
  close: readonly number[];
  /** Base currency. */
  volume: readonly number[];
}

interface Drawn {
  candles: ISeriesApi<'Candlestick'>;
  volume: ISeriesApi<'Histogram'>;
  /** The newest close, on the axis. */
  last: IPriceLine | null;
}

function addSeries(chart: IChartApi): Drawn {
  const candles = chart.addSeries(CandlestickSeries, { priceLineVisible: false, lastValueVisible: false }, 0);
  const volume = chart.addSeries(
    HistogramSeries,
    {
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: { type: 'custom', minMove: 0.01, formatter: (value: number) => formatFigure(value, 'amount') },
    },
    1,
  );
  return { candles, volume, last: null };
}

/** A hollow candle would give the axis a label without colour, so the newest close has a line of its own. */
function markLast(drawn: Drawn, { open, close }: CandleData, theme: ChartTheme): void {
  if (drawn.last !== null) drawn.candles.removePriceLine(drawn.last);
  const price = close[close.length - 1];
  const color = price !== undefined && price >= open[open.length - 1]! ? theme.color.up : theme.color.down;
  const line = { color, lineWidth: 1 as const, lineStyle: LineStyle.Dotted };
  drawn.last = price === undefined ? null : drawn.candles.createPriceLine({ price, ...line });
}

/** Keeps candles on the top pane and their volume on the one below. */
export function useCandles(chart: IChartApi | null, data: CandleData, theme: ChartTheme, chartTime: ChartTime): void {
  const drawn = useRef<Drawn>(null);
  useEffect(() => {
    drawn.current = chart && addSeries(chart);
  }, [chart]);
  useEffect(() => {
    if (chart !== null) drawn.current?.candles.applyOptions(candleLook(theme));
  }, [chart, theme]);
  useEffect(() => {
    if (chart === null || drawn.current === null) return;
    const at = data.time.map((ms) => chartTime.toChart(ms));
    const digits = priceDigits(data.close[data.close.length - 1] ?? 0);
    const format = {
      type: 'custom' as const,
      minMove: 10 ** -digits,
      formatter: (v: number) => formatNumber(v, { digits }),
    };
    drawn.current.candles.applyOptions({ priceFormat: format });
    drawn.current.candles.setData(
      at.map((time, i) => ({
        time,
        open: data.open[i]!,
        high: data.high[i]!,
        low: data.low[i]!,
        close: data.close[i]!,
      })),
    );
    const { up, down } = theme.color;
    drawn.current.volume.setData(
      at.map((time, i) => ({ time, value: data.volume[i]!, color: data.close[i]! >= data.open[i]! ? up : down })),
    );
    markLast(drawn.current, data, theme);
  }, [chart, data, chartTime, theme]);
}
