import { useCallback, useMemo, useRef } from 'react';
import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import type { Endpoint } from '#contract/endpoint';
import { useSame, useSameRows } from '@/components/useSame';
import type { CallError } from '@/services/CallError';
import { type CallInput, call } from '@/services/call';
import { type CallState, useCall } from '@/services/useCall';
import type { ListPage } from './everyPage';

/** What a list's table needs to know of its reading. */
export interface Listed<R extends object> {
  rows: readonly R[] | undefined;
  /** Of the filter, not only of this page. */
  total: number | undefined;
  /** How many rows there are about, where the list has the newest of them only. */
  about?: number | undefined;
  error: Pick<CallError, 'message' | 'fields'> | undefined;
  loading: boolean;
  /** Reads again because the person wants it. */
  retry: () => void;
}

/**
 * A list that is read again and again. While another filter loads, the rows of before stay; a refresh that failed
 * leaves the rows, which grow old; a filter that failed is an `error`. What says the same stays the same object.
 */
export function useListed<P extends ListPage<object>>(reading: CallState<P>, rowKey: keyof P['list'][number]) {
  type R = P['list'][number];
  const last = useRef<P>(undefined);
  if (reading.data) last.current = reading.data;
  const data = useSame(reading.data ?? (reading.error ? undefined : last.current));
  const rows = useSameRows<R>(data?.list, rowKey);
  const again = reading.data === undefined && reading.isLoading;
  const error = reading.data || again ? undefined : reading.error;
  const loading = again || (reading.data === undefined && reading.error === undefined);
  const latest = useRef(reading);
  latest.current = reading;
  const reload = useCallback(() => void latest.current.mutate(), []);
  const retry = useCallback(() => void latest.current.retry(), []);
  const listed = useMemo(
    () => ({ data, rows, total: data?.total, about: data?.about, error, loading, reload, retry }),
    [data, rows, error, loading, reload, retry],
  );
  return { listed, updatedAt: reading.updatedAt };
}

type PageOf<D extends TSchema> = Static<D> & ListPage<object>;

/** A list whose rows have an `id`, read again every so many ms: what its table takes, and how its CSV asks for a page. */
export function useList<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B>,
  refreshInterval: number,
) {
  type P = PageOf<D>;
  const reading = useCall(endpoint, input, { refreshInterval }) as CallState<P>;
  const { listed, updatedAt } = useListed<P>(reading, 'id' as keyof P['list'][number]);
  const readPage = (page: { current: number; pageSize: number }) =>
    call(endpoint, { ...input, query: { ...input.query, ...page } } as CallInput<Q, B>) as Promise<P>;
  return { ...listed, updatedAt, readPage };
}
