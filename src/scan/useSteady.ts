import { useRef, useState } from 'react';

/**
 * Rows that change their order by themselves, standing still while somebody points at them: figures go on changing,
 * places do not. What is new waits, what is gone keeps its last figures until the pointer has left.
 */
export function useSteady<R extends object>(rows: readonly R[] | undefined, rowKey: keyof R, question: string) {
  const [held, setHeld] = useState(false);
  const shown = useRef<{ question: string; rows: readonly R[] | undefined }>({ question, rows });
  if (!held || shown.current.question !== question || shown.current.rows === undefined) {
    shown.current = { question, rows };
  } else if (rows !== undefined) {
    const now = new Map(rows.map((row) => [row[rowKey], row]));
    shown.current = { question, rows: shown.current.rows.map((row) => now.get(row[rowKey]) ?? row) };
  }
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { rows: shown.current.rows, held, hands: { onPointerEnter: hold, onPointerLeave: release } };
}
