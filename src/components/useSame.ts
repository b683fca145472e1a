import { useMemo, useRef } from 'react';

/** The value of before as long as it says the same: what is drawn from it is then not drawn again. */
export function useSame<T>(value: T): T {
  const kept = useRef<{ given: T; text: string | undefined; value: T }>(undefined);
  const { current } = kept;
  if (current !== undefined && current.given === value) return current.value;
  const text = JSON.stringify(value);
  kept.current = { given: value, text, value: current?.text === text ? current.value : value };
  return kept.current.value;
}

/** Rows that say the same stay the same object, and so does the list of them when all of them do. */
export function useSameRows<R extends object>(rows: readonly R[] | undefined, key: keyof R): R[] | undefined {
  const known = useRef(new Map<unknown, { text: string; row: R }>());
  const shown = useRef<R[]>([]);
  return useMemo(() => {
    if (rows === undefined) return undefined;
    const next = new Map<unknown, { text: string; row: R }>();
    for (const row of rows) {
      const text = JSON.stringify(row);
      const before = known.current.get(row[key]);
      next.set(row[key], before?.text === text ? before : { text, row });
    }
    known.current = next;
    const list = [...next.values()].map(({ row }) => row);
    const isSame = list.length === shown.current.length && list.every((row, i) => row === shown.current[i]);
    if (!isSame) shown.current = list;
    return shown.current;
  }, [rows, key]);
}
