import { type CSSProperties, type ReactNode, type RefObject, useId } from 'react';

const UNSEEN: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
};

const OVER: CSSProperties = { position: 'absolute', insetInlineStart: 0, top: 0, zIndex: 3, pointerEvents: 'none' };

interface ChartFrameProps {
  label: string;
  summary: string;
  height: number;
  container: RefObject<HTMLDivElement | null>;
  legend: ReactNode;
  /** Lies over the top of the chart, which stays where it is. */
  note?: ReactNode;
}

/** A chart with its legend above it, a name and a description in words. */
export function ChartFrame({ label, summary, height, container, legend, note }: ChartFrameProps) {
  const described = useId();
  return (
    <figure aria-label={label} aria-describedby={described} style={{ margin: 0, position: 'relative', minWidth: 0 }}>
      {legend}
      {note && (
        <div style={{ position: 'relative' }}>
          <div style={OVER}>{note}</div>
        </div>
      )}
      <div ref={container} style={{ height }} />
      <figcaption id={described} style={UNSEEN}>
        {summary}
      </figcaption>
    </figure>
  );
}
