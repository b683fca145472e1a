import { useEffect, useRef } from 'react';
import type { Topic } from '#contract/stream';
import { useStream } from './useStream';

/** One act makes several events within a moment: one reading after them is enough. */
const SETTLE_MS = 400;

/** Reads again soon after something happened to one of the topics. */
export function useChanges(topics: readonly Topic[], refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useStream(topics, () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(refresh, SETTLE_MS);
  });
}
