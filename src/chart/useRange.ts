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
  onRange?: (range: ChartRange) => void;
}

/**
 * Shows `range`, or everything, when the series of instants is another one; tells `onRange` where the viewer went
 * once he rests. Movements that his hand did not cause are not told.
 */
export function useRange({ chart, chartTime, time, range, onRange }: Input): void {
  const told = useRef({ range, onRange });
  told.current = { range, onRange };
  const first = time[0];
  const from = range?.from;
  const to = range?.to;
  const said = useRef('');

  useEffect(() => {
    if (chart === null || first === undefined) return;
    if (from === undefined || to === undefined) return chart.timeScale().fitContent();
    // Our own report coming back through the address must not move the chart under the viewer's hand.
    if (said.current === `${from}:${to}`) return;
    chart.timeScale().setVisibleRange({ from: chartTime.toChart(from), to: chartTime.toChart(to) });
  }, [chart, chartTime, first, from, to]);

  useEffect(() => {
    if (chart === null) return;
    let byHand = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const touched = () => {
      byHand = true;
    };
    const moved = (visible: IRange<Time> | null) => {
      clearTimeout(timer);
      if (!byHand || visible === null) return;
      timer = setTimeout(() => {
        const at = { from: chartTime.toMs(visible.from), to: chartTime.toMs(visible.to) };
        said.current = `${at.from}:${at.to}`;
        told.current.onRange?.(at);
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
