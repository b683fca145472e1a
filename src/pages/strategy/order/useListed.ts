import { useRef } from 'react';
import type { CallState } from '@/services/useCall';

export interface Listed<T> {
  data: T | undefined;
  error: CallState<T>['error'];
  loading: boolean;
  updatedAt: number | undefined;
  reload: () => void;
  /** Reads again because the person wants it. */
  retry: () => void;
}

/**
 * A list that is read again and again: while another filter loads, the rows of before stay; a refresh that failed
 * leaves the rows; a filter that failed is an `error`.
 */
export function useListed<T>(reading: CallState<T>): Listed<T> {
  const last = useRef<T>(undefined);
  if (reading.data) last.current = reading.data;
  return {
    data: reading.data ?? (reading.error ? undefined : last.current),
    error: reading.data ? undefined : reading.error,
    loading: reading.data === undefined && reading.error === undefined,
    updatedAt: reading.updatedAt,
    reload: () => void reading.mutate(),
    retry: () => void reading.retry(),
  };
}
