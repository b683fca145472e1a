import { Button } from 'antd';
import { Fragment, type ReactNode, useState } from 'react';

interface FoldableFilter {
  name: string;
  /** It is set, or was just emptied by hand: it is seen wherever it stands. */
  stays: boolean;
  field: ReactNode;
}

/** So many filters stand in the bar from the start, and whichever is set; more than one beside them folds away. */
const LEADING = 3;

/** Filters in one row: those that are used most and those that are set, the rest behind a button. */
export function FoldedFilters({ filters, more }: { filters: readonly FoldableFilter[]; more: string }) {
  const [open, setOpen] = useState(false);
  const leading = filters.filter(({ stays }, i) => i < LEADING || filters.length <= LEADING + 1 || stays);
  return (
    <>
      {(open ? filters : leading).map(({ name, field }) => (
        <Fragment key={name}>{field}</Fragment>
      ))}
      {(open || leading.length < filters.length) && (
        <Button type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : `${more} ${filters.length - leading.length}`}
        </Button>
      )}
    </>
  );
}
