import { useEffect, useRef } from 'react';
import { useStream } from '@/services/useStream';

/** One order makes several events within a moment: one reading after them is enough. */
const SETTLE_MS = 400;

/** Reads again soon after something happened to anybody's order. */
export function useOrderEvents(refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useStream(['order:all'], ({ name }) => {
    if (name !== 'order' && name !== 'reset') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(refresh, SETTLE_MS);
  });
}
