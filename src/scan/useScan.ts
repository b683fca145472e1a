import type { CallState } from '@/services/useCall';
import type { ListPage } from '@/table/everyPage';
import { useListed } from '@/table/useListed';
import { useSteady } from './useSteady';

/** Who comes back within two beats is answered at once, see SCAN_INTERVAL_MS. */
export const SCAN_REFRESH = { refreshInterval: 1_000 };

/** A scanner's reading as rows that keep their places under the pointer. @param query what was asked: another question has other rows. */
export function useScan<P extends ListPage<object>>(
  reading: CallState<P>,
  rowKey: keyof P['list'][number] & string,
  query: object,
) {
  const { listed, updatedAt } = useListed(reading, rowKey);
  const { rows, held, hands } = useSteady(listed.rows, rowKey, JSON.stringify(query));
  return { list: { ...listed, rows }, updatedAt, held, hands };
}
