import { useEffect, useRef, useState } from 'react';

const REST_MS = 300;

/**
 * A value that is being typed: shown at once, committed when the typing rests, or by the third of what it answers, when
 * the box is left; follows `value` from outside.
 */
export function useTyped<T>(value: T, commit: (value: T) => void): [T, (next: T) => void, () => void] {
  const [typed, setTyped] = useState(value);
  const waiting = useRef<{ next: T; timer: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => {
    setTyped(value);
    return () => {
      clearTimeout(waiting.current?.timer);
      waiting.current = undefined;
    };
  }, [value]);
  const settle = () => {
    const last = waiting.current;
    clearTimeout(last?.timer);
    waiting.current = undefined;
    if (last) commit(last.next);
  };
  const type = (next: T) => {
    setTyped(next);
    clearTimeout(waiting.current?.timer);
    waiting.current = { next, timer: setTimeout(settle, REST_MS) };
  };
  return [typed, type, settle];
}
