import { useRef, useState } from 'react';
import type { CallState } from '@/services/useCall';
import type { ListPage } from '@/table/everyPage';
import { useListed } from '@/table/useListed';

/**
 * Who comes back within two beats is answered at once, see SCAN_INTERVAL_MS. Who only looks on sees rows that still count
 * as fresh, see RowAge: to draw them each second takes a twentieth of a processor.
 */
export const SCAN_REFRESH = { refreshInterval: 1_000, untouchedInterval: 4_000 };

/** A scanner's reading as rows that keep their places under the pointer. @param query what was asked: another question has other rows. */
export function useScan<P extends ListPage<object>>(
  reading: CallState<P>,
  rowKey: keyof P['list'][number] & string,
  query: object,
) {
  const { listed, updatedAt } = useListed(reading, rowKey);
  const { rows, held, hands } = useSteady(listed.rows, rowKey, listed.loading ? null : JSON.stringify(query));
  return { list: { ...listed, rows }, updatedAt, held, hands };
}

/**
 * Rows that change their order by themselves, standing still while somebody points at them: figures go on changing,
 * places do not. What is new waits, what is gone keeps its last figures until the pointer has left.
 * @param question what the rows answer; null while they are still those of the question before.
 */
function useSteady<R extends object>(rows: readonly R[] | undefined, rowKey: keyof R, question: string | null) {
  const [held, setHeld] = useState(false);
  const shown = useRef<{ question: string | null; rows: readonly R[] | undefined }>({ question, rows });
  const before = shown.current.question;
  const isOther = question !== null && question !== before;
  if (!held || isOther || shown.current.rows === undefined) {
    shown.current = { question: question ?? before, rows };
  } else if (rows !== undefined) {
    const now = new Map(rows.map((row) => [row[rowKey], row]));
    shown.current = { question: before, rows: shown.current.rows.map((row) => now.get(row[rowKey]) ?? row) };
  }
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { rows: shown.current.rows, held, hands: { onPointerEnter: hold, onPointerLeave: release } };
}
