import type { ReactNode } from 'react';
import type { CsvCell } from './csv';

/** How a figure comes about, for the tooltip of its header. */
export interface Explanation {
  text?: ReactNode;
  formula?: ReactNode;
  window?: ReactNode;
  inputAt?: ReactNode;
}

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
  /**
   * What the CSV says; absent: not exported. Rates are fractions there. Rows that are ordered in the browser are so by it.
   */
  csv?: (row: R) => CsvCell;
  /** The CSV's header where it needs a unit; the title otherwise. */
  csvTitle?: string;
}
