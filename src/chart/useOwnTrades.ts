import {
  createSeriesMarkers,
  type IChartApi,
  type ISeriesPrimitive,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { useEffect } from 'react';
import { decimalsIn, formatNumber } from '@/components/formatNumber';
import { modeLabel } from '@/services/modeLabel';
import type { LegendItem } from './ChartLegend';
import type { ChartTime } from './chartTime';
import type { Holding, OwnTrades } from './curve';
import { formatFigure } from './formatFigure';
import { onTop } from './onTop';
import type { ChartTheme } from './useChartTheme';

interface Input {
  chart: IChartApi | null;
  /** Instants of the chart, UTC ms ascending. */
  time: readonly number[];
  own: OwnTrades;
  chartTime: ChartTime;
  theme: ChartTheme;
}

/** More arrows than that have no word: they would cover each other. */
const MOST_WORDS = 40;
/** Rows that deals are drawn on where they overlap, px of each, and px between two. */
const LANES = 6;
const LANE = 4;
const GAP = 2;
/** px that are drawn of a deal at least. */
const LEAST = 3;
const WORD = { buy: '买', sell: '卖' } as const;

/** The last bar that began at an instant or before; -1 before all of them. */
export const barAt = (time: readonly number[], at: number): number => time.findLastIndex((ms) => ms <= at);

/** Buys point up from below their bar, sales down from above it. */
function markersOf({ own: { fills }, time, chartTime, theme }: Input): SeriesMarker<Time>[] {
  const wordy = fills.length <= MOST_WORDS;
  return fills.flatMap(({ time: at, side }) => {
    const bar = barAt(time, at);
    if (bar < 0) return [];
    const marker: SeriesMarker<Time> = {
      time: chartTime.toChart(time[bar]!),
      position: side === 'buy' ? 'belowBar' : 'aboveBar',
      shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
      color: theme.color[side === 'buy' ? 'blue' : 'magenta'],
      ...(wordy && { text: WORD[side] }),
    };
    return [marker];
  });
}

/** Deals with the row that each is drawn on: the first that is free by then, the last one where none is. */
export function inLanes<H extends Holding>(spans: readonly H[]): { span: H; lane: number }[] {
  const busyUntil: number[] = [];
  return spans
    .toSorted((a, b) => a.from - b.from)
    .map((span) => {
      const free = busyUntil.findIndex((until) => until <= span.from);
      const lane = Math.min(LANES - 1, free < 0 ? busyUntil.length : free);
      busyUntil[lane] = Math.max(busyUntil[lane] ?? 0, span.to ?? Number.POSITIVE_INFINITY);
      return { span, lane };
    });
}

/** Draws each deal as a bar at the foot of the candles, from its opening to its end. */
function lanesOf({ chart, time, own, chartTime, theme }: Input): ISeriesPrimitive<Time> {
  const laid = inLanes(own.spans);
  const xOf = (at: number) =>
    chart!.timeScale().timeToCoordinate(chartTime.toChart(time[Math.max(0, barAt(time, at))]!));
  return onTop(({ context, mediaSize: { height } }) => {
    for (const { span, lane } of laid) {
      const [start, end] = [xOf(span.from), xOf(span.to ?? Number.POSITIVE_INFINITY)];
      if (start === null || end === null) continue;
      context.fillStyle = theme.color[span.side === 'long' ? 'up' : 'down'];
      context.fillRect(start, height - (lane + 1) * (LANE + GAP), Math.max(LEAST, end - start), LANE);
    }
  });
}

/** Keeps what the viewer did drawn on a chart of candles: arrows for fills, bars at their foot for deals. */
export function useOwnTrades(input: Input): void {
  const { chart, time, own, chartTime, theme } = input;
  useEffect(() => {
    const series = chart?.panes()[0]?.getSeries()[0];
    if (chart === null || series === undefined || time.length === 0) return;
    if (own.fills.length === 0 && own.spans.length === 0) return;
    const drawn = { chart, time, own, chartTime, theme };
    const markers = createSeriesMarkers(series, markersOf(drawn));
    const lanes = lanesOf(drawn);
    series.attachPrimitive(lanes);
    return () => {
      // The whole chart may already be gone with its page.
      if (!chart.chartElement().isConnected) return;
      markers.detach();
      series.detachPrimitive(lanes);
    };
  }, [chart, time, own, chartTime, theme]);
}

const quantity = (value: number): string => formatNumber(value, { digits: decimalsIn(value, 4) });

const idsOf = (spans: readonly Holding[], side: Holding['side']): Set<string> =>
  new Set(spans.flatMap((span) => (span.side === side ? [span.dealId] : [])));

/** What the viewer did within one bar, and what was held then. */
export function ownItems({ fills, spans }: OwnTrades, time: readonly number[], index: number): LegendItem[] {
  const [start, next] = [time[index] ?? 0, time[index + 1] ?? Number.POSITIVE_INFINITY];
  const traded = fills
    .filter(({ time: at }) => at >= start && at < next)
    .map(({ side, mode, fills: count, quantity: size, price }) => ({
      name: `${side === 'buy' ? '我买入' : '我卖出'}${mode === 'live' ? `（${modeLabel(mode)}）` : ''}`,
      text: `${quantity(size)} @ ${formatFigure(price, 'price')}${count > 1 ? `（${count} 笔）` : ''}`,
    }));
  const held = spans.filter(({ from, to }) => from < next && (to ?? Number.POSITIVE_INFINITY) >= start);
  if (held.length === 0) return traded;
  const [long, short] = [idsOf(held, 'long'), idsOf(held, 'short')];
  const both = [...long].filter((id) => short.has(id)).length;
  const text = Object.entries({ 多: long.size - both, 空: short.size - both, 双向: both })
    .flatMap(([side, count]) => (count === 0 ? [] : [`${side} ${count} 单`]))
    .join(' · ');
  return [...traded, { name: '我持有', text }];
}

/** The same over all of the chart, in words for those who do not see it. */
export function ownSummary({ fills, spans }: OwnTrades): string {
  if (fills.length === 0 && spans.length === 0) return '';
  return `。我的成交：${fills.reduce((sum, one) => sum + one.fills, 0)} 笔；持有过的交易单：${new Set(spans.map(({ dealId }) => dealId)).size} 张`;
}
