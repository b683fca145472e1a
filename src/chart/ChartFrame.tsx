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

interface ChartFrameProps {
  label: string;
  summary: string;
  height: number;
  container: RefObject<HTMLDivElement | null>;
  legend: ReactNode;
}

/** A chart with its legend above it, a name and a description in words. */
export function ChartFrame({ label, summary, height, container, legend }: ChartFrameProps) {
  const described = useId();
  return (
    <figure aria-label={label} aria-describedby={described} style={{ margin: 0, position: 'relative', minWidth: 0 }}>
      {legend}
      <div ref={container} style={{ height }} />
      <figcaption id={described} style={UNSEEN}>
        {summary}
      </figcaption>
    </figure>
  );
}
