import { useEffect, useRef } from 'react';
import { useStream } from '@/services/useStream';

/** An entry makes a dozen events within a moment: one reading after them is enough. */
const SETTLE_MS = 400;

/** Reads again soon after something happened to one of the user's hedges. */
export function useHedgeEvents(refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useStream(['hedge'], ({ name }) => {
    if (name !== 'hedge' && name !== 'reset') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(refresh, SETTLE_MS);
  });
}
