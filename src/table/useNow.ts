import { useCallback, useRef } from 'react';

/** Says how a row was read last; the same function from reading to reading. @param key the field that tells rows apart; absent: nothing does */
export function useNow<R extends object>(rows: readonly R[] | undefined, key: keyof R | undefined): (row: R) => R {
  const latest = useRef(rows);
  latest.current = rows;
  return useCallback(
    (row) => (key === undefined ? undefined : latest.current?.find((one) => one[key] === row[key])) ?? row,
    [key],
  );
}
