import type { IChartApi } from 'lightweight-charts';
import { useEffect } from 'react';

/** Pixels of wheel that count at once: a notch of a mouse is 100, a step of a pinch a few. */
const MOST_PIXELS = 50;
const PER_PIXEL = 0.005;
const FEWEST_BARS = 10;
/** Empty bars beside the data when everything is seen. */
const ROOM = 10;

interface Visible {
  from: number;
  to: number;
}

/** The part of the axis seen after a turn of the wheel; the newest bar, or the right edge beside it, keeps its place. */
function zoomed({ from, to }: Visible, newest: number, pixels: number): Visible {
  const anchor = Math.min(newest, to);
  const before = to - from;
  const factor = Math.exp(Math.max(-MOST_PIXELS, Math.min(MOST_PIXELS, pixels)) * PER_PIXEL);
  const width = Math.max(FEWEST_BARS, Math.min(Math.max(before, newest + ROOM), before * factor));
  const start = anchor - ((anchor - from) / before) * width;
  return { from: start, to: start + width };
}

/**
 * Zooms by Ctrl (or Cmd) and wheel, which is also what a pinch on a touch pad sends. The wheel alone belongs to the page.
 * @param bars how many points there are.
 */
export function useWheelZoom(chart: IChartApi | null, bars: number): void {
  useEffect(() => {
    if (chart === null) return;
    const turned = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      // The browser would zoom the whole page.
      event.preventDefault();
      const visible = chart.timeScale().getVisibleLogicalRange();
      if (visible !== null) chart.timeScale().setVisibleLogicalRange(zoomed(visible, bars - 1, event.deltaY));
    };
    const element = chart.chartElement();
    element.addEventListener('wheel', turned, { passive: false });
    return () => element.removeEventListener('wheel', turned);
  }, [chart, bars]);
}
