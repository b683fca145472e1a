import { type RefObject, useEffect, useRef } from 'react';

/** What scrolls by itself in a table. */
const SCROLLERS = '.ant-table-content, .ant-table-body';

/** Where a table in this element scrolls, the keyboard can come to it, also when nothing in it takes the focus. */
export function useReachable(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      for (const part of place.current?.querySelectorAll<HTMLElement>(SCROLLERS) ?? []) {
        const scrolls = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
        if (scrolls) part.tabIndex = 0;
        else part.removeAttribute('tabindex');
      }
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return place;
}
