import { useMemo, useRef } from 'react';
import type { DataOf } from '#contract/endpoint';
import { type HedgeRow, hedge } from '#contract/hedge';
import { useCall } from '@/services/useCall';
import { type RecordsState, toApi } from './recordsQuery';

type List = DataOf<typeof hedge.list>;

/** Rows that say the same stay the same object, so that only the cells of changed rows are drawn again. */
function useSameRows(rows: readonly HedgeRow[] | undefined): HedgeRow[] | undefined {
  const known = useRef(new Map<string, { text: string; row: HedgeRow }>());
  return useMemo(() => {
    if (rows === undefined) return undefined;
    const next = new Map<string, { text: string; row: HedgeRow }>();
    for (const row of rows) {
      const text = JSON.stringify(row);
      const before = known.current.get(row.id);
      next.set(row.id, before?.text === text ? before : { text, row });
    }
    known.current = next;
    return [...next.values()].map(({ row }) => row);
  }, [rows]);
}

/**
 * The records of the filter, read again and again. While another filter loads, the rows of before stay; a refresh that
 * failed leaves the rows and says so by `failing`; a filter that failed is an `error`.
 */
export function useRecords(state: RecordsState, refreshInterval: number) {
  const reading = useCall(hedge.list, { query: toApi(state) }, { refreshInterval });
  const last = useRef<List>(undefined);
  if (reading.data) last.current = reading.data;
  const data = reading.data ?? (reading.error ? undefined : last.current);
  return {
    data,
    rows: useSameRows(data?.list),
    error: reading.data ? undefined : reading.error,
    failing: reading.error,
    loading: reading.data === undefined && reading.error === undefined,
    updatedAt: reading.updatedAt,
    mutate: reading.mutate,
  };
}

export type Records = ReturnType<typeof useRecords>;
