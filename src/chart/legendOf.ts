import { curveColor, isColoredBySign } from './addCurve';
import type { LegendItem } from './ChartLegend';
import type { Curve } from './curve';
import { formatFigure } from './formatFigure';
import type { ChartTheme } from './useChartTheme';

function candleItems({ name, values, extent, format }: Curve, index: number): LegendItem[] {
  const item = (word: string, all: Curve['values'] | undefined) => ({
    name: word,
    text: formatFigure(all?.[index], format),
  });
  return [item(`${name} 开`, extent?.open), item('高', extent?.high), item('低', extent?.low), item('收', values)];
}

/** The legend's entries at one point of the time axis. */
export function legendOf(curves: readonly Curve[], index: number, theme: ChartTheme): LegendItem[] {
  return curves.flatMap((curve, i) => {
    if (curve.shape === 'bare') return [];
    if (curve.shape === 'candle') return candleItems(curve, index);
    const figure = formatFigure((curve.figures ?? curve.values)[index], curve.format);
    const item: LegendItem = {
      name: curve.name,
      text: curve.unit && figure !== '-' ? `${figure} ${curve.unit}` : figure,
      color: isColoredBySign(curve) ? undefined : curveColor(curve, i, theme),
      dashed: curve.dashed === true,
    };
    return [item];
  });
}
