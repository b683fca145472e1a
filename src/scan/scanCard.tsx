import { Fragment, type ReactNode } from 'react';
import type { Column } from '@/table/column';
import { CardFigures, CardFoot, RowCard } from '@/table/RowCard';

export interface ScanCardOptions<R> {
  /** Keys of the columns whose words stand beside the coin. */
  beside: readonly string[];
  /** Keys of the columns that are shown, in their order here. */
  figures: readonly string[];
  /** Those of them that take a line of their own. */
  wide?: readonly string[];
  expanded?: (row: R) => ReactNode;
}

/** A row of a scanner on a phone, made of the columns of its table. */
export function scanCard<R extends { id: string; base: string }>(
  columns: readonly Column<R>[],
  { beside, figures, wide = [], expanded }: ScanCardOptions<R>,
) {
  const of = (key: string): Column<R>[] => columns.filter((column) => column.key === key);
  const [coin, plan, obstacles] = [of('base'), of('plan'), of('obstacles')];
  const words = beside.flatMap(of);
  const shown = figures.flatMap(of);
  const draw = (some: readonly Column<R>[], row: R) =>
    some.map(({ key, render }) => <Fragment key={key}>{render(row)}</Fragment>);
  return (row: R) => (
    <RowCard
      label={row.id}
      head={
        <>
          <span>
            <strong>{draw(coin, row)}</strong>
            {words.map(({ key, render }) => (
              <span key={key} className="soft">
                {' '}
                {render(row)}
              </span>
            ))}
          </span>
          <span>{draw(obstacles, row)}</span>
        </>
      }
    >
      <CardFigures
        figures={shown.map(({ key, title, render }) => [title, render(row), wide.includes(key)] as const)}
        columns={3}
      />
      <CardFoot acts={draw(plan, row)} {...(expanded && { open: () => expanded(row) })} />
    </RowCard>
  );
}
