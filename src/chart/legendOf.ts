import { curveColor, isColoredBySign } from './addCurve';
import type { LegendItem } from './ChartLegend';
import type { Curve } from './curve';
import { formatFigure } from './formatFigure';
import type { ChartTheme } from './useChartTheme';

/** The legend's entries at one point of the time axis. */
export function legendOf(curves: readonly Curve[], index: number, theme: ChartTheme): LegendItem[] {
  return curves.map((curve, i) => {
    const figure = formatFigure((curve.figures ?? curve.values)[index], curve.format);
    return {
      name: curve.name,
      text: curve.unit && figure !== '-' ? `${figure} ${curve.unit}` : figure,
      color: isColoredBySign(curve) ? undefined : curveColor(curve, i, theme),
      dashed: curve.dashed === true,
    };
  });
}
