import { useCallback, useMemo, useRef } from 'react';
import type { DataOf } from '#contract/endpoint';
import { hedge } from '#contract/hedge';
import { useCall } from '@/services/useCall';
import { useSame, useSameRows } from '../useSame';
import { type RecordsState, toApi } from './recordsQuery';

type List = DataOf<typeof hedge.list>;

/**
 * The records of the filter, read again and again. While another filter loads, the rows of before stay; a refresh that
 * failed leaves the rows, which grow old; a filter that failed is an `error`.
 */
export function useRecords(state: RecordsState, refreshInterval: number) {
  const reading = useCall(hedge.list, { query: toApi(state) }, { refreshInterval });
  const last = useRef<List>(undefined);
  if (reading.data) last.current = reading.data;
  const data = reading.data ?? (reading.error ? undefined : last.current);
  const rows = useSameRows(data?.list, 'id');
  const totals = useSame(data?.totals);
  const total = data?.total;
  const error = reading.data ? undefined : reading.error;
  const loading = reading.data === undefined && reading.error === undefined;
  const latest = useRef(reading);
  latest.current = reading;
  const reload = useCallback(() => void latest.current.mutate(), []);
  const retry = useCallback(() => void latest.current.retry(), []);
  const records = useMemo(
    () => ({ rows, totals, total, error, loading, reload, retry }),
    [rows, totals, total, error, loading, reload, retry],
  );
  return { records, updatedAt: reading.updatedAt };
}

export type Records = ReturnType<typeof useRecords>['records'];
