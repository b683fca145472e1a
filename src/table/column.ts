import type { ReactNode } from 'react';
import type { CsvCell } from './csv';

/** How a figure comes about, for the tooltip of its header. */
export interface Explanation {
  text?: ReactNode;
  formula?: ReactNode;
  window?: ReactNode;
  inputAt?: ReactNode;
}

/** One column of a list: how it is shown, explained, sorted and exported. */
export interface Column<R> {
  /** Also the `sort` field of the endpoint. */
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
  /** Stays in view while the rest scrolls; such a column cannot be hidden or moved. */
  fixed?: 'left' | 'right';
  /** Not shown until chosen. */
  spare?: boolean;
  /** What the CSV says; absent: not exported. Rates are fractions there. */
  csv?: (row: R) => CsvCell;
  /** The CSV's header where it needs a unit; the title otherwise. */
  csvTitle?: string;
}
