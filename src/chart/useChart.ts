import { ColorType, CrosshairMode, createChart, type IChartApi, LineStyle } from 'lightweight-charts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChartTime } from './chartTime';
import type { ChartTheme } from './useChartTheme';

function optionsOf(theme: ChartTheme, time: ChartTime) {
  const line = { color: theme.text, labelBackgroundColor: theme.text, style: LineStyle.Dashed };
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: theme.text,
      fontFamily: theme.font,
      panes: { separatorColor: theme.border, separatorHoverColor: theme.grid },
    },
    grid: { vertLines: { color: theme.grid }, horzLines: { color: theme.grid } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: line, horzLine: line },
    rightPriceScale: { borderColor: theme.border },
    leftPriceScale: { borderColor: theme.border },
    timeScale: { borderColor: theme.border, tickMarkFormatter: time.tick },
    localization: { locale: 'zh-CN', timeFormatter: time.label },
  };
}

/** A chart in a container: made once, dressed by the theme, resized by itself, removed on unmount. */
export function useChart(theme: ChartTheme, time: ChartTime): [RefObject<HTMLDivElement | null>, IChartApi | null] {
  const container = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<IChartApi | null>(null);
  useLayoutEffect(() => {
    const created = createChart(container.current!, {
      autoSize: true,
      // A wheel or a thumb that moves up or down scrolls the page, not the prices.
      handleScroll: { vertTouchDrag: false, mouseWheel: false },
      handleScale: { mouseWheel: false },
      timeScale: {
        timeVisible: true,
        minBarSpacing: 0.01,
        enableConflation: true,
        rightOffset: 2,
        // Nothing comes before the first point, and its label is whole.
        fixLeftEdge: true,
        // A pinch is about the newest bar.
        rightBarStaysOnScroll: true,
      },
    });
    setChart(created);
    return () => {
      setChart(null);
      created.remove();
    };
  }, []);
  useEffect(() => {
    chart?.applyOptions(optionsOf(theme, time));
  }, [chart, theme, time]);
  return [container, chart];
}
