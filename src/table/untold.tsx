import { Missing } from '@/components/Missing';
import type { Column } from './column';

/** The columns while no figure of theirs can be told: each says why. @param why absent: they can */
export const untold = <R,>(columns: Column<R>[], why: string | undefined): Column<R>[] =>
  why === undefined
    ? columns
    : columns.map((column) =>
        column.figure || column.drawn ? { ...column, render: () => <Missing reason={why} />, csv: () => null } : column,
      );
