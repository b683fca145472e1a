import type { ReactNode } from 'react';
import type { CsvCell } from './csv';

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

/** One column of a table: how it is shown, explained, sorted and exported. */
export interface Column<R> {
  /** Also the `sort` field of a list's endpoint. */
  key: string;
  title: string;
  /** px. */
  width: number;
  render: (row: R) => ReactNode;
  explain?: Explanation;
  /** Right-aligned figures. */
  figure?: boolean;
  /** The first click's order; absent: the column cannot be sorted. */
  sort?: 'ascend' | 'descend';
  /** Stays in view while the rest scrolls; in a list such a column cannot be hidden or moved. */
  fixed?: 'left' | 'right';
  /** Not shown until chosen; where nobody can choose, only exported. */
  spare?: boolean;
  /** What the CSV says; absent: not exported. Rows that are ordered in the browser are so by it. */
  csv?: (row: R) => CsvCell;
  /** How the CSV writes a number of it; absent: as it is kept. */
  written?: Written;
  /** The CSV's header where it needs a unit; the title otherwise. */
  csvTitle?: string;
}
