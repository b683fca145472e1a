import type { ChartTheme } from './useChartTheme';

/** A rising candle is hollow: the direction is seen without its colour. */
export function candleLook({ color: { up, down } }: ChartTheme) {
  return {
    upColor: 'transparent',
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
  };
}
