import type { ReactNode } from 'react';
import type { CsvCell, WrittenNumber } from './csv';

/** How a figure comes about, for the tooltip of its header. */
export interface Explanation {
  text?: ReactNode;
  formula?: ReactNode;
  window?: ReactNode;
  inputAt?: ReactNode;
}

/** How the screen writes a figure or an instant: a CSV has it no other way. */
export type Written =
  | {
      /** After the point; `price`: as many as its size needs. */
      digits: number | 'price';
      /** A fraction, written as a percentage. */
      percent?: boolean;
    }
  | {
      /** UTC ms, written as date and time of day: in UTC, or in the zone that the reader has chosen. */
      instant: 'utc' | 'chosen';
    };

/** Draws the cell of a row. @param now the row as it is by then, for what is done with it later; absent: as it is given */
export interface Draw<R> {
  (row: R, now?: () => R): ReactNode;
  /** What of the row it is drawn from: while that says the same, it is not drawn again. Absent: all of it. */
  reads?: (row: R) => unknown;
}

/** A cell that is drawn from a part of its row alone: a row of many cells of which one has changed draws that one. */
export const drawnFrom = <R, P>(reads: (row: R) => P, draw: (part: P, now: () => R) => ReactNode): Draw<R> =>
  Object.assign((row: R, now: () => R = () => row) => draw(reads(row), now), { reads });

/** Whether what a cell is drawn from has changed. */
export function hasChanged<R>({ reads }: Draw<R>, row: R, before: R): boolean {
  if (row === before) return false;
  if (reads === undefined) return true;
  const [one, other] = [reads(row), reads(before)];
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}

/** One column of a table: how it is shown, explained, sorted and exported. */
export interface Column<R> {
  /** Also the `sort` field of a list's endpoint. */
  key: string;
  title: string;
  /** px. */
  width: number;
  render: Draw<R>;
  explain?: Explanation;
  /** Right-aligned figures. */
  figure?: boolean;
  /** Figures as a drawing. */
  drawn?: boolean;
  /** The first click's order; absent: the column cannot be sorted. */
  sort?: 'ascend' | 'descend';
  /** Stays in view while the rest scrolls; in a list such a column cannot be hidden or moved. */
  fixed?: 'left' | 'right';
  /** Not shown until chosen; where nobody can choose, only exported. */
  spare?: boolean;
  /** What the CSV says; absent: not exported. Rows that are ordered in the browser are so by it. */
  csv?: (row: R) => CsvCell;
  /** How the CSV writes a number of it; absent: as it is kept. */
  written?: Written | ((row: R) => WrittenNumber | null);
  /** The CSV's header where it needs a unit; the title otherwise. */
  csvTitle?: string;
  /** The cell says its unit itself. */
  ownUnit?: boolean;
}
