import type { ComponentProps } from 'react';
import { ErrorState } from '@/components/ErrorState';
import type { CallState } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';

interface OpenedTableProps<R extends { id: string }>
  extends Pick<ComponentProps<typeof PlainTable<R>>, 'label' | 'columns' | 'pagination' | 'empty'> {
  reading: Pick<CallState<{ list: R[] }>, 'data' | 'error' | 'isLoading' | 'retry'>;
}

/** A list of a strategy that was opened, or why it could not be read. */
export function OpenedTable<R extends { id: string }>({ reading, ...table }: OpenedTableProps<R>) {
  const { data, error, isLoading, retry } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  return <PlainTable rowKey="id" rows={data?.list} loading={isLoading} {...table} />;
}
