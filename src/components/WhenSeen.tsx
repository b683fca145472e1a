import { type ReactNode, useEffect, useRef, useState } from 'react';

interface WhenSeenProps {
  /** Height kept free until then, px, so that the page does not jump. */
  height: number;
  children: ReactNode;
}

/** Loaded before it scrolls into view, px. */
const AHEAD = 240;

/** Renders its children once they come near the window: what lies below the fold costs nothing at first. */
export function WhenSeen({ height, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || place.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true);
      },
      { rootMargin: `${AHEAD}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [seen]);
  return seen ? children : <div ref={place} style={{ minHeight: height }} />;
}
