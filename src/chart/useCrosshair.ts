import type { IChartApi, MouseEventParams } from 'lightweight-charts';
import { useEffect, useState } from 'react';

/** Index of the point under the crosshair, or `null` when the pointer is elsewhere. */
export function useCrosshair(chart: IChartApi | null): number | null {
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    if (chart === null) return;
    const moved = ({ logical, time }: MouseEventParams) =>
      setIndex(logical === undefined || time === undefined ? null : Math.round(logical));
    chart.subscribeCrosshairMove(moved);
    return () => {
      if (chart.chartElement().isConnected) chart.unsubscribeCrosshairMove(moved);
    };
  }, [chart]);
  return index;
}
