import type { IPrimitivePaneRenderer, ISeriesPrimitive, Time } from 'lightweight-charts';

type Draw = IPrimitivePaneRenderer['draw'];
/** What is drawn on, in CSS px. */
export type Canvas = Parameters<Parameters<Parameters<Draw>[0]['useMediaCoordinateSpace']>[0]>[0];

/** Something that is drawn over all else of a pane. */
export function onTop(paint: (canvas: Canvas) => void): ISeriesPrimitive<Time> {
  const draw: Draw = (target) => target.useMediaCoordinateSpace(paint);
  const view = { renderer: () => ({ draw }), zOrder: () => 'top' as const };
  return { paneViews: () => [view] };
}
