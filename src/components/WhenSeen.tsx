import { type ReactNode, useEffect, useRef, useState } from 'react';

interface WhenSeenProps {
  /** Height kept free until then, px, so that the page does not jump. */
  height: number;
  /** Loaded so long before it scrolls into view, px. Default: 240. */
  ahead?: number;
  children: ReactNode;
}

/** Renders its children once they come near the window: what lies below the fold costs nothing at first. */
export function WhenSeen({ height, ahead = 240, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || place.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true);
      },
      { rootMargin: `${ahead}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [seen, ahead]);
  return seen ? children : <div ref={place} style={{ minHeight: height }} />;
}
