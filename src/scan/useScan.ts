import { useRef, useState } from 'react';
import type { CallState } from '@/services/useCall';
import type { ListPage } from '@/table/everyPage';
import { useListed } from '@/table/useListed';

/**
 * Who comes back within two beats is answered at once, see SCAN_INTERVAL_MS. Who only looks on sees rows that still count
 * as fresh, see RowAge: to draw them each second takes a twentieth of a processor.
 */
export const SCAN_REFRESH = { refreshInterval: 1_000, untouchedInterval: 4_000 };

/** For so long rows keep the order they were read in: figures change with every read, and places would with them. */
const ORDER_STANDS_MS = 30_000;

/** A scanner's reading as rows that keep their places for a while, and under the pointer. @param query what was asked: another question has other rows. */
export function useScan<P extends ListPage<object>>(
  reading: CallState<P>,
  rowKey: keyof P['list'][number] & string,
  query: object,
) {
  const { listed, updatedAt } = useListed(reading, rowKey);
  const question = listed.loading ? null : JSON.stringify(query);
  const { rows, held, hands } = useSteady(listed.rows, rowKey, question, updatedAt ?? 0);
  return { list: { ...listed, rows }, updatedAt, held, hands };
}

/**
 * Rows that change their order by themselves, standing still for half a minute each time and while somebody points at
 * them: figures go on changing, places do not. What is new waits, what is gone keeps its last figures until then.
 * @param question what the rows answer; null while they are still those of the question before.
 * @param at when they were read, UTC ms
 */
function useSteady<R extends object>(
  rows: readonly R[] | undefined,
  rowKey: keyof R,
  question: string | null,
  at: number,
) {
  const [held, setHeld] = useState(false);
  const shown = useRef({ question, read: rows, rows, at });
  const last = shown.current;
  const isOther = question !== null && question !== last.question;
  const stands = held || at < last.at + ORDER_STANDS_MS;
  if (isOther || !stands || !last.rows?.length) {
    shown.current = { question: question ?? last.question, read: rows, rows, at };
  } else if (rows !== undefined && rows !== last.read) {
    const now = new Map(rows.map((row) => [row[rowKey], row]));
    shown.current = { ...last, read: rows, rows: last.rows.map((row) => now.get(row[rowKey]) ?? row) };
  }
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { rows: shown.current.rows, held, hands: { onPointerEnter: hold, onPointerLeave: release } };
}
