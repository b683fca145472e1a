import { useEffect, useRef, useState } from 'react';

const REST_MS = 300;

/** A value that is being typed: shown at once, committed when the typing rests; follows `value` from outside. */
export function useTyped<T>(value: T, commit: (value: T) => void): [T, (next: T) => void] {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setTyped(value);
    return () => clearTimeout(timer.current);
  }, [value]);
  const type = (next: T) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => commit(next), REST_MS);
  };
  return [typed, type];
}
