import { useEffect, useState } from 'react';

const MARKED_MS = 4_000;

/** The row that somebody came for, for a moment from when it is there. */
export function useMarked(id: string, rows: readonly { id: string }[] | undefined): string | undefined {
  const [past, setPast] = useState('');
  const isMarked = id !== '' && id !== past && rows?.some((row) => row.id === id) === true;
  useEffect(() => {
    if (!isMarked) return;
    const timer = setTimeout(() => setPast(id), MARKED_MS);
    return () => clearTimeout(timer);
  }, [id, isMarked]);
  return isMarked ? id : undefined;
}
