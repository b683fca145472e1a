import type { IChartApi, IRange, Time } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { ChartTime } from './chartTime';
import type { ChartRange } from './curve';

const SETTLED_MS = 400;
const HANDS = ['pointerdown', 'wheel', 'touchstart', 'keydown'] as const;

interface Input {
  chart: IChartApi | null;
  chartTime: ChartTime;
  time: readonly number[];
  range?: ChartRange | null;
  /** Points of the axis after those. */
  ahead?: number;
  /** Points shown without a range: the newest so many. Default: all. */
  latest?: number;
  onRange?: (range: ChartRange) => void;
}

/** A wheel alone scrolls the page. */
const movesChart = (event: Event): boolean => !(event instanceof WheelEvent) || event.ctrlKey || event.metaKey;

function showLatest(chart: IChartApi, points: number, latest: number, ahead: number): void {
  const scale = chart.timeScale();
  // Fitted by itself the chart makes room for points ahead, and leaves them out of sight.
  if (points <= latest && ahead === 0) scale.fitContent();
  else {
    const to = points - 1 + ahead + scale.options().rightOffset;
    scale.setVisibleLogicalRange({ from: Math.max(0, points - latest), to });
  }
}

/**
 * Shows `range`, or the newest points, when the series of instants is another one; tells `onRange` where the viewer went
 * once the hand rests. Movements that no hand caused are not reported.
 */
export function useRange(input: Input): void {
  const { chart, chartTime, time, ahead = 0, range, latest = Number.POSITIVE_INFINITY, onRange } = input;
  const now = useRef({ chartTime, onRange, points: time.length });
  now.current = { chartTime, onRange, points: time.length };
  const first = time[0];
  const from = range?.from;
  const to = range?.to;
  const said = useRef('');

  useEffect(() => {
    if (chart === null || first === undefined) return;
    const { chartTime: axis, points } = now.current;
    if (from === undefined || to === undefined) return showLatest(chart, points, latest, ahead);
    // Our own report coming back through the address must not move the chart under the viewer's hand.
    if (said.current === `${from}:${to}`) return;
    chart.timeScale().setVisibleRange({ from: axis.toChart(from), to: axis.toChart(to) });
  }, [chart, first, from, to, latest, ahead]);

  useEffect(() => {
    if (chart === null) return;
    let byHand = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const touched = (event: Event) => {
      if (movesChart(event)) byHand = true;
    };
    const moved = (visible: IRange<Time> | null) => {
      clearTimeout(timer);
      if (!byHand || visible === null) return;
      timer = setTimeout(() => {
        const at = { from: chartTime.toMs(visible.from), to: chartTime.toMs(visible.to) };
        said.current = `${at.from}:${at.to}`;
        now.current.onRange?.(at);
      }, SETTLED_MS);
    };
    const element = chart.chartElement();
    for (const event of HANDS) element.addEventListener(event, touched, { capture: true, passive: true });
    chart.timeScale().subscribeVisibleTimeRangeChange(moved);
    return () => {
      clearTimeout(timer);
      for (const event of HANDS) element.removeEventListener(event, touched, { capture: true });
      if (element.isConnected) chart.timeScale().unsubscribeVisibleTimeRangeChange(moved);
    };
  }, [chart, chartTime]);
}
